internal import CNATS
internal import Synchronization

extension Connection {
    /// Connects to the first server that answers.
    static func connect(_ options: ConnectionOptions, _ events: EventHandler) throws(NATSError) -> OpaquePointer {
        let list = options.servers.joined(separator: ", ").withoutPasswords
        let doing = "connect to \(list)"
        func check(_ status: natsStatus) throws(NATSError) {
            guard status != NATS_OK else { return }
            throw NATSError(status, doing)
        }
        var created: OpaquePointer?
        try check(natsOptions_Create(&created))
        guard let settings = created else { throw NATSError(.invalid, "cannot \(doing): out of memory") }
        // The connection copies the options.
        defer { natsOptions_Destroy(settings) }
        let strings = CStrings()
        try check(natsOptions_SetServers(settings, strings.copy(options.servers), Int32(options.servers.count)))
        try check(natsOptions_SetName(settings, options.name))
        // All servers are tried before the connection fails; that must not take as long as a host waits for a batch.
        let share = min(options.timeout.milliseconds, 15_000 / Int64(options.servers.count))
        try check(natsOptions_SetTimeout(settings, share))
        // A server that reads nothing must not block a thread.
        try check(natsOptions_SetWriteDeadline(settings, options.timeout.milliseconds))
        // Outages end by themselves, however long they last.
        try check(natsOptions_SetMaxReconnect(settings, -1))
        try check(natsOptions_SetReconnectWait(settings, 250))
        try check(natsOptions_SetReconnectJitter(settings, 250, 250))
        // A server that vanished without a word is noticed after 10 to 15 s.
        try check(natsOptions_SetPingInterval(settings, 5_000))
        try check(natsOptions_SetMaxPingsOut(settings, 2))
        try check(natsOptions_SetFailRequestsOnDisconnect(settings, true))
        if let path = options.credentials { try check(natsOptions_SetUserCredentialsFromFiles(settings, path, nil)) }
        if options.isSecure { try check(natsOptions_SetSecure(settings, true)) }
        if let path = options.certificates {
            guard natsOptions_LoadCATrustedCertificates(settings, path) == NATS_OK else {
                throw NATSError(
                    .unauthorized,
                    "cannot \(doing): \(path) is not a readable file with certificates (PEM)"
                )
            }
        }
        if let identity = options.identity {
            guard natsOptions_LoadCertificatesChain(settings, identity.certificate, identity.key) == NATS_OK else {
                throw NATSError(
                    .unauthorized,
                    "cannot \(doing): \(identity.certificate) and \(identity.key) are not a certificate (PEM) and its key"
                )
            }
        }
        try events.register(with: settings, check)
        var handle: OpaquePointer?
        let status = natsConnection_Connect(&handle, settings)
        guard status == NATS_OK, let handle else {
            let error = NATSError(status, doing)
            // Of a certificate that a server misses, it tells only by the end of the connection.
            if status == NATS_PROTOCOL_ERROR, options.isSecure, options.identity == nil {
                let text = "\(error.text); servers that ask for a certificate need NATS_CERT and NATS_KEY"
                throw NATSError(.unauthorized, text)
            }
            // A certificate that is not accepted has a number; a handshake that was interrupted may succeed later.
            let isInterrupted = status == NATS_SSL_ERROR && !error.text.contains(/handshake error: \d+:/)
            throw isInterrupted ? NATSError(.unavailable, error.text) : error
        }
        return handle
    }

    /// JetStream of a connection.
    ///
    /// - Parameters:
    ///   - handle: The connection.
    ///   - options: The options, of which the deadline matters.
    ///   - pending: Is told of each acknowledgement of a publication; nil if calls wait for theirs.
    /// - Returns: The library's object.
    /// - Throws: Why it cannot be created.
    static func jetStream(
        _ handle: OpaquePointer,
        _ options: ConnectionOptions,
        _ pending: PendingPublications?
    ) throws(NATSError) -> OpaquePointer {
        var settings = jsOptions()
        jsOptions_Init(&settings)
        settings.Wait = options.timeout.milliseconds
        if let pending { pending.register(with: &settings) }
        var stream: OpaquePointer?
        let status = natsConnection_JetStream(&stream, handle, &settings)
        guard status == NATS_OK, let stream else { throw NATSError(status, "use JetStream") }
        return stream
    }
}

/// Passes the events of a connection on.
final class EventHandler: Sendable {
    private let onEvent: @Sendable (Connection.Event) -> Void
    /// What the server refused: how often, and its last words.
    let refusals = Mutex<(count: Int, text: String)>((0, ""))

    init(_ onEvent: @escaping @Sendable (Connection.Event) -> Void) { self.onEvent = onEvent }

    /// Registers for all events.
    ///
    /// The library's threads may call after the connection was destroyed, so this object is never freed; a process has
    /// few connections.
    func register(
        with settings: OpaquePointer,
        _ check: (natsStatus) throws(NATSError) -> Void
    ) throws(NATSError) {
        let closure = Unmanaged.passRetained(self).toOpaque()
        try check(
            natsOptions_SetDisconnectedCB(
                settings,
                { _, closure in EventHandler.from(closure)?.onEvent(.disconnected) },
                closure
            )
        )
        try check(
            natsOptions_SetReconnectedCB(
                settings,
                { _, closure in EventHandler.from(closure)?.onEvent(.reconnected) },
                closure
            )
        )
        try check(
            natsOptions_SetClosedCB(settings, { _, closure in EventHandler.from(closure)?.onEvent(.closed) }, closure)
        )
        try check(
            natsOptions_SetErrorHandler(
                settings,
                { connection, _, status, closure in EventHandler.from(closure)?.refuse(connection, status) },
                closure
            )
        )
    }

    private static func from(_ closure: UnsafeMutableRawPointer?) -> EventHandler? {
        closure.map { Unmanaged<EventHandler>.fromOpaque($0).takeUnretainedValue() }
    }

    private func refuse(_ connection: OpaquePointer?, _ status: natsStatus) {
        var text: UnsafePointer<CChar>?
        _ = natsConnection_GetLastError(connection, &text)
        let words = text.map { String(cString: $0) } ?? String(cString: natsStatus_GetText(status))
        if status == NATS_NOT_PERMITTED { refusals.withLock { $0 = ($0.count + 1, words) } }
        onEvent(.refused(words))
    }
}

extension String {
    /// A list of URLs without what stands between `//` and `@`.
    package var withoutPasswords: String {
        replacing(/\/\/[^\/@,]*@/, with: "//")
    }
}
