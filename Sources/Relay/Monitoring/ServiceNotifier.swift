internal import Logging
internal import Platform

/// Tells systemd, or another supervisor with its protocol, how the service is: `sd_notify`.
///
/// Each message is a datagram to the socket that `NOTIFY_SOCKET` names. Without one nothing is sent. Nothing blocks: if the
/// supervisor has not read earlier messages, a message is sent again a little later.
final class ServiceNotifier {
    /// After this time in milliseconds a message is sent again for which there was no room.
    private static let retryInterval: Int64 = 100

    private let socket: DatagramSocket?
    private let logger: Logger
    /// The time between two messages of the watchdog, in milliseconds; nil if it is not used.
    private let watchdogInterval: Int64?
    private var nextWatchdog: Int64?
    /// The messages for which there was no room, in order.
    private var waiting: [String] = []
    private var nextTry: Int64?
    private var lastStatus: String?
    private var hasFailed = false

    /// Reads what the supervisor asks for in the variables `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    init(environment: [String: String], process: Int32, _ logger: Logger) {
        self.logger = logger
        guard let address = environment["NOTIFY_SOCKET"], !address.isEmpty else {
            (socket, watchdogInterval) = (nil, nil)
            return
        }
        guard address.hasPrefix("/") || address.hasPrefix("@") else {
            logger.notice("NOTIFY_SOCKET \(address): it must begin with / or @; the supervisor is not told anything")
            (socket, watchdogInterval) = (nil, nil)
            return
        }
        do throws(SystemError) {
            socket = try DatagramSocket(to: address)
        } catch {
            logger.notice("NOTIFY_SOCKET \(address): \(error); the supervisor is not told anything")
            socket = nil
        }
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        // Half of the time, as systemd recommends.
        watchdogInterval = isMeant && microseconds > 0 && socket != nil ? max(1, microseconds / 2_000) : nil
    }

    /// When ``expire(now:)`` is due, in milliseconds of the monotonic clock.
    var deadline: Int64? { [nextTry, nextWatchdog].compactMap(\.self).min() }

    /// The service has started; from now on the watchdog is told that it lives.
    func ready(now: Int64) {
        send("READY=1", now: now)
        guard let watchdogInterval else { return }
        send("WATCHDOG=1", now: now)
        nextWatchdog = now + watchdogInterval
    }

    /// The service begins to end.
    func stopping(now: Int64) { send("STOPPING=1", now: now) }

    /// One line for people about what the service does; it is sent only if it has changed.
    func status(_ text: String, now: Int64) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard line != lastStatus else { return }
        lastStatus = line
        // Only the latest one counts.
        waiting.removeAll { $0.hasPrefix("STATUS=") }
        send("STATUS=\(line)", now: now)
    }

    /// Tells the watchdog, and sends again what could not be sent.
    func expire(now: Int64) {
        if let nextTry, nextTry <= now { sendWaiting(now: now) }
        guard let watchdogInterval, let next = nextWatchdog, next <= now else { return }
        nextWatchdog = now + watchdogInterval
        // If an earlier one waits, it says the same.
        if !waiting.contains("WATCHDOG=1") { send("WATCHDOG=1", now: now) }
    }

    private func send(_ message: String, now: Int64) {
        guard socket != nil else { return }
        waiting.append(message)
        sendWaiting(now: now)
    }

    private func sendWaiting(now: Int64) {
        nextTry = nil
        while let message = waiting.first {
            do throws(SystemError) {
                try socket?.send(message)
                hasFailed = false
            } catch {
                if error.number == EAGAIN || error.number == ENOBUFS || error.number == EINTR {
                    nextTry = now + Self.retryInterval
                    return
                }
                // The supervisor may be back for the next message.
                if !hasFailed { logger.notice("the supervisor cannot be told \(message): \(error)") }
                hasFailed = true
            }
            waiting.removeFirst()
        }
    }
}
