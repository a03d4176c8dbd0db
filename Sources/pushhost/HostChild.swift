internal import CSystem
internal import Foundation
internal import JSON

/// This very program as a child that serves one client: the engine of a dry run.
///
/// It ends with its stdin, and leaves nothing behind: that is its own business.
final class HostChild {
    enum Failure: Error {
        /// A signal asked this process to end.
        case interrupted(Int32)
        /// The host cannot be used: a sentence's end.
        case broken(String)
    }

    /// The host answers within its own deadlines; past these milliseconds it is the host that hangs.
    private static let patience: Int64 = 90_000
    private static let notificationLimit = 100
    /// How long it may take to stop its extensions: twice what its escalation takes.
    private static let stopPatience: Int64 = 10_000

    private var pid: pid_t = 0
    private var input: CInt = -1
    private var output: CInt = -1
    private var error: CInt = -1
    private let signals: CInt
    private var received: [UInt8] = []
    private var nextID: Int64 = 1
    /// The end of what it wrote on stderr.
    private(set) var log = ""
    /// The first notifications that came.
    private(set) var notifications: [(method: String, params: JSON)] = []

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - program: Its path.
    ///   - arguments: Its arguments.
    ///   - signals: The descriptor of signals to this process; see `csystem_signal_descriptor`.
    /// - Throws: Why it could not be started.
    init(_ program: String, _ arguments: [String], signals: CInt) throws(Failure) {
        self.signals = signals
        var pipes: [[CInt]] = []
        func fail(_ text: String, _ number: CInt) -> Failure {
            for end in pipes.joined() { close(end) }
            return .broken("\(text): \(String(cString: strerror(number)))")
        }
        for _ in 0..<3 {
            var ends: [CInt] = [-1, -1]
            let result = csystem_pipe(&ends)
            guard result == 0 else { throw fail("there is no pipe for the host", -result) }
            pipes.append(ends)
        }
        let result = startChild(
            program,
            arguments,
            directory: FileManager.default.currentDirectoryPath,
            input: pipes[0][0],
            output: pipes[1][1],
            error: pipes[2][1]
        )
        guard result > 0 else { throw fail("\(program) could not be started", -result) }
        pid = result
        for end in [pipes[0][0], pipes[1][1], pipes[2][1]] { close(end) }
        (input, output, error) = (pipes[0][1], pipes[1][0], pipes[2][0])
    }

    deinit { for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) } }

    // MARK: Calls

    /// Calls a method and gives the reply, with the milliseconds that it took.
    func call(_ method: String, _ params: JSON = [:]) throws(Failure) -> (reply: JSON, milliseconds: Int64) {
        let start = Self.now()
        let id = JSON.integer(nextID)
        nextID += 1
        write(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
        while true {
            guard let line = try nextLine(until: start + Self.patience) else {
                throw .broken("the host ended before it answered \(method)")
            }
            guard let message = try? JSON(parsing: line) else { throw .broken("the host wrote no JSON: \(line)") }
            if message["id"] == id { return (message, Self.now() - start) }
            // A flood tells no more than its beginning.
            guard notifications.count < Self.notificationLimit else { continue }
            notifications.append((message["method"]?.string ?? "", message["params"] ?? .null))
        }
    }

    private func write(_ message: JSON) {
        var bytes = Array((message.description + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
            // A host that is gone shows as the end of its stdout.
            guard count > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    // MARK: The end

    /// Lets the host end.
    ///
    /// - Parameter isHasty: Whether it is told not to finish what is in flight.
    /// - Returns: The host's exit code, where it ended by itself; the milliseconds until it was gone.
    func stop(isHasty: Bool) -> (code: Int32?, milliseconds: Int64) {
        let start = Self.now()
        if isHasty { kill(pid, SIGTERM) }
        if input >= 0 { close(input) }
        input = -1
        var code: Int32?
        var isKilled = false
        while pid > 0 {
            var status: CInt = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                if status & 0x7F == 0 { code = (status >> 8) & 0xFF }
                pid = 0
            } else if !isKilled, Self.now() - start > Self.stopPatience {
                kill(-pid, SIGKILL)
                isKilled = true
            } else {
                _ = try? wait(until: Self.now() + 100)
            }
        }
        return (isKilled ? nil : code, Self.now() - start)
    }

    // MARK: Input

    /// The next line of stdout; nothing at its end.
    private func nextLine(until deadline: Int64) throws(Failure) -> String? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard output >= 0 else { return nil }
            guard Self.now() < deadline else { throw .broken("the host did not answer within \(Self.patience) ms") }
            try wait(until: deadline)
        }
    }

    /// Waits until something comes, and takes it.
    private func wait(until deadline: Int64) throws(Failure) {
        let descriptors = [signals, output, error].filter { $0 >= 0 }
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), CInt(clamping: max(0, deadline - Self.now()))) > 0 else { return }
        for ready in polled where ready.revents != 0 {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = buffer.withUnsafeMutableBytes { read(ready.fd, $0.baseAddress, $0.count) }
            let bytes = buffer.prefix(max(0, count))
            switch ready.fd {
            case signals:
                if let signal = bytes.first(where: { $0 != UInt8(SIGCHLD) }) { throw .interrupted(Int32(signal)) }
            case output:
                received += bytes
                if count == 0 { closeOutput() }
            default:
                log = String((log + String(decoding: bytes, as: UTF8.self)).suffix(4_096))
                if count == 0 { closeError() }
            }
        }
    }

    private func closeOutput() {
        close(output)
        output = -1
    }

    private func closeError() {
        close(error)
        error = -1
    }

    static func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
}
