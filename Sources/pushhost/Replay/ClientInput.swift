internal import Foundation
internal import HostClient
internal import JSONRPC
internal import Platform
internal import Recording

/// Sends the client's lines of a session to a host.
struct ClientInput {
    /// How long the host may take to answer `didReceive`, in milliseconds: longer than its own deadlines.
    private static let replyLimit: Int64 = 90_000

    private let session: RecordedSession
    private let signals: SignalSource

    init(_ session: RecordedSession, _ signals: SignalSource) {
        self.session = session
        self.signals = signals
    }

    /// Runs a host to the end of the client's lines.
    ///
    /// - Parameters:
    ///   - launch: The host.
    ///   - root: The folder of the run, which gets the log.
    /// - Returns: How the host ended.
    /// - Throws: Why the lines could not be sent.
    func run(_ launch: Program, in root: String) throws -> ExitStatus {
        let lines = session.input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Array($0)
        }
        // A recording has the notifications themselves.
        if session.hasExtensions || !lines.contains(where: NotificationReferences.occur) {
            return try runWithFile(launch, in: root)
        }
        return try runWithReferences(launch, lines, in: root)
    }

    /// Runs the host with a file of all lines as its stdin.
    private func runWithFile(_ launch: Program, in root: String) throws -> ExitStatus {
        try Data(session.input).write(to: URL(fileURLWithPath: "\(root)/input"))
        let files = [("input", O_RDONLY), ("log", O_WRONLY | O_CREAT | O_EXCL)].map { name, flags in
            open("\(root)/\(name)", flags | O_CLOEXEC, 0o600)
        }
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { for descriptor in files + [nowhere] { close(descriptor) } }
        let program = try ChildProgram(launch, input: files[0], output: nowhere, error: files[1])
        return try program.wait(signals)
    }

    // MARK: References

    /// Runs the host over pipes, because a line with a reference needs the answers to the lines before it.
    private func runWithReferences(_ launch: Program, _ lines: [[UInt8]], in root: String) throws -> ExitStatus {
        let connection = try LineConnection(launch, signals: signals)
        let result: Result<Void, ClientError>
        do throws(ClientError) {
            result = .success(try send(lines, to: connection))
        } catch {
            if case .interrupted = error { connection.program.terminate() }
            result = .failure(error)
        }
        connection.closeInput()
        let (end, interruption) = waitForEnd(of: connection)
        if let interruption { throw interruption }
        if case .failure(let error) = result, case .interrupted = error { throw error }
        try Data(connection.standardError.utf8).write(to: URL(fileURLWithPath: "\(root)/log"))
        // A host that ended early is the cause of an error, and its end says more.
        if end == .code(0) { try result.get() }
        return end
    }

    private func send(_ lines: [[UInt8]], to connection: LineConnection) throws(ClientError) {
        var references = NotificationReferences()
        for (index, line) in lines.enumerated() {
            var line = line
            if NotificationReferences.occur(in: line) {
                try settle(&references, connection)
                do throws(NotificationReferences.Problem) {
                    line = try references.resolve(line, number: index + 1)
                } catch {
                    throw .failed(error.description)
                }
            }
            references.noteSent(line)
            connection.write(line + (index < lines.count - 1 ? [UInt8(ascii: "\n")] : []))
        }
        try connection.waitUntilRead(until: .max)
    }

    /// Waits for the answers to every `didReceive`.
    private func settle(_ references: inout NotificationReferences, _ connection: LineConnection) throws(ClientError) {
        let deadline = Clock.monotonic() + Self.replyLimit
        while !references.isSettled {
            guard let line = try connection.nextLine(until: deadline) else {
                throw .failed(
                    connection.isAtEnd
                        ? "the host ended before it answered didReceive"
                        : "the host did not answer didReceive within \(Self.replyLimit) ms"
                )
            }
            references.noteReceived(line)
        }
    }

    /// Waits for the end; a signal to this process terminates the host first.
    private func waitForEnd(of connection: LineConnection) -> (end: ExitStatus, interruption: ClientError?) {
        var interruption: ClientError?
        while true {
            do throws(ClientError) {
                if let end = try connection.waitForEnd(until: .max) { return (end, interruption) }
            } catch {
                interruption = error
                connection.program.terminate()
            }
        }
    }
}
