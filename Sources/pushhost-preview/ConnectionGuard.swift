internal import FlyingFox
internal import FlyingSocks
internal import Platform
internal import Synchronization

/// Ends connections that anybody on this machine can open, and that FlyingFox would keep for any time.
///
/// FlyingFox limits neither the number of connections nor the size of a head, and shows a program only the sockets that
/// wait, which one that sends without end never does. So this looks at all descriptors: a connection that has not asked
/// for the page with the token after some seconds is shut down, and so are the newest if there are too many. Until then it
/// can send no more than is parsed in that time.
final class ConnectionGuard: Sendable {
    /// How long a connection may take to show the token, in seconds.
    private static let patience = 5.0
    /// More connections than this without the token are shut down at once.
    private static let limit = 32
    /// How often it looks, in milliseconds.
    static let interval = 250

    private struct State {
        /// When each connection was seen first, by the port of its other end.
        var seen: [UInt16: Date] = [:]
        var admitted: Set<UInt16> = []
    }

    private let state = Mutex(State())

    /// Lets a connection that has shown the token stay.
    func admit(_ address: HTTPRequest.Address?) {
        guard case .ip4(_, let port) = address else { return }
        state.withLock { _ = $0.admitted.insert(port) }
    }

    /// Looks at the connections to a port of this process.
    func look(port: UInt16, now: Date = Date()) {
        let open = Self.connections(to: port)
        let ended = state.withLock { state in
            // One that was admitted after the look at the descriptors is in neither list and stays.
            state.admitted.subtract(state.seen.keys.filter { open[$0] == nil })
            state.seen = state.seen.filter { open[$0.key] != nil }
            for port in open.keys where state.seen[port] == nil { state.seen[port] = now }
            let strangers = state.seen.filter { !state.admitted.contains($0.key) }.sorted { $0.value < $1.value }
            let late = strangers.filter { now.timeIntervalSince($0.value) > Self.patience }
            return (late + strangers.dropFirst(Self.limit)).compactMap { open[$0.key] }
        }
        for socket in ended { shutdown(socket.file.rawValue, Int32(SHUT_RDWR)) }
    }

    /// The connections of this process to one of its ports, by the port of the other end.
    private static func connections(to port: UInt16) -> [UInt16: Socket] {
        var found: [UInt16: Socket] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? [] {
            guard let descriptor = Int32(name) else { continue }
            let socket = Socket(file: Socket.FileDescriptor(rawValue: descriptor))
            guard case .ip4(_, port)? = try? socket.sockname() else { continue }
            if case .ip4(_, let other)? = try? socket.remotePeer() {
                found[other] = socket
            } else {
                // The connections that a listening socket accepts inherit this: they send small messages at once. Otherwise
                // a message waits until the browser has acknowledged the one before, up to 40 ms.
                try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
            }
        }
        return found
    }
}
