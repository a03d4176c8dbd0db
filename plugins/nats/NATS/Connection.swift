internal import CNATS
internal import Synchronization

/// A connection to one of several servers, with JetStream, that connects again by itself.
///
/// Any thread may use it. All calls block, except ``publish(_:completion:)``.
///
/// `@unchecked`: the C library's objects may be used by any thread, and the pointers to them do not change.
package final class Connection: @unchecked Sendable {
    /// What happens to a connection.
    package enum Event: Sendable {
        /// The server is gone; the library looks for another.
        case disconnected
        /// There is a server again.
        case reconnected
        /// The connection is closed for good, for example because the credentials are no longer accepted.
        case closed
        /// The server refused something that no call waits for: its words.
        case refused(String)
    }

    /// The options.
    package let options: ConnectionOptions
    let handle: OpaquePointer
    /// JetStream for calls that wait.
    let stream: OpaquePointer
    /// JetStream for publications that call a closure.
    let publisher: OpaquePointer
    let pending: PendingPublications
    private let events: EventHandler
    /// The subscriptions that are destroyed with the connection, as the library's reader may still use them before.
    private let kept = Mutex(Kept())

    private struct Kept {
        var confirmations: Confirmations?
        /// The addresses of the library's objects.
        var subscriptions: [UInt] = []
    }

    /// Connects to the first server that answers.
    ///
    /// - Parameters:
    ///   - options: The servers and how to connect to them.
    ///   - onEvent: Is called by a thread of the library.
    /// - Throws: Why no server can be used.
    package init(_ options: ConnectionOptions, onEvent: @escaping @Sendable (Event) -> Void = { _ in })
        throws(NATSError)
    {
        self.options = options
        events = EventHandler(onEvent)
        pending = PendingPublications()
        handle = try Self.connect(options, events)
        do throws(NATSError) {
            stream = try Self.jetStream(handle, options, nil)
            publisher = try Self.jetStream(handle, options, pending)
        } catch {
            natsConnection_Destroy(handle)
            throw error
        }
    }

    deinit {
        // This waits for the reader.
        natsConnection_Close(handle)
        pending.failAll()
        for address in kept.withLock(\.subscriptions) { natsSubscription_Destroy(OpaquePointer(bitPattern: address)) }
        jsCtx_Destroy(publisher)
        jsCtx_Destroy(stream)
        natsConnection_Destroy(handle)
    }

    /// Closes the connection; publications without an answer fail.
    package func close() {
        natsConnection_Close(handle)
        pending.failAll()
        kept.withLock(\.confirmations)?.end()
    }

    /// The confirmations of acknowledgements; the first call subscribes to them.
    func confirmations() throws(NATSError) -> Confirmations {
        let inbox = newInbox()
        var status = NATS_OK
        let confirmations = kept.withLock { kept -> Confirmations? in
            if let known = kept.confirmations { return known }
            let new = Confirmations(inbox: inbox)
            var subscription: OpaquePointer?
            status = new.subscribe(handle, &subscription)
            guard status == NATS_OK, let subscription else { return nil }
            (kept.confirmations, kept.subscriptions) = (new, kept.subscriptions + [UInt(bitPattern: subscription)])
            return new
        }
        if let confirmations { return confirmations }
        throw NATSError(status, "subscribe to \(inbox)")
    }

    /// Destroys a subscription when the library's reader does not use it any more.
    ///
    /// The reader may hold one that it has found for a message. An answer of the server that was asked for after the
    /// subscription had ended shows that it does not.
    func destroy(_ subscription: OpaquePointer) {
        natsSubscription_Unsubscribe(subscription)
        if natsConnection_FlushTimeout(handle, options.timeout.milliseconds) == NATS_OK {
            natsSubscription_Destroy(subscription)
        } else {
            kept.withLock { $0.subscriptions.append(UInt(bitPattern: subscription)) }
        }
    }

    /// Whether there is a server now.
    package var isConnected: Bool { natsConnection_Status(handle) == NATS_CONN_STATUS_CONNECTED }

    /// Whether the connection is closed for good.
    package var isClosed: Bool { natsConnection_IsClosed(handle) }

    /// The maximum size of a message's body and headers, as the server says.
    package var maximumPayload: Int { Int(natsConnection_GetMaxPayload(handle)) }

    /// The URL of the server, without user and password.
    package var server: String {
        var buffer = [CChar](repeating: 0, count: 512)
        guard natsConnection_GetConnectedUrl(handle, &buffer, buffer.count) == NATS_OK else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).withoutPasswords
    }

    /// The number of refusals so far; see ``refusal(since:)``.
    package var refusals: Int { events.refusals.withLock { $0.count } }

    /// What the server refused since then; a request that it does not permit is not answered otherwise.
    ///
    /// - Parameter count: The value of ``refusals`` before the request.
    /// - Returns: The server's words, or nil if it refused nothing.
    package func refusal(since count: Int) -> String? {
        events.refusals.withLock { $0.count > count ? $0.text : nil }
    }

    /// Makes a call of the C library, and explains its error.
    ///
    /// - Parameters:
    ///   - doing: What is done, as words that follow "cannot".
    ///   - body: The call.
    /// - Throws: Its error; a request without an answer that the server did not permit is `notPermitted`.
    func call(
        _ doing: @autoclosure () -> String,
        _ body: (inout jsErrCode) -> natsStatus
    ) throws(NATSError) {
        let before = refusals
        var code = jsErrCode(0)
        let status = body(&code)
        guard status != NATS_OK else { return }
        if status == NATS_TIMEOUT, let text = refusal(since: before) {
            throw NATSError(.notPermitted, "cannot \(doing()): \(text)")
        }
        if isClosed { throw NATSError(.closed, "cannot \(doing()): the connection is closed: \(lastError)") }
        throw NATSError(status, doing(), code: code)
    }

    /// What the library says about the connection's last error.
    private var lastError: String {
        var text: UnsafePointer<CChar>?
        _ = natsConnection_GetLastError(handle, &text)
        return text.map { String(cString: $0) } ?? ""
    }
}
