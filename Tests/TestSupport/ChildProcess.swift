import CSystem
import Foundation

/// A program that a test starts and communicates with over pipes; it is killed and reaped when released.
///
/// Every method that waits also reads the child's stdout, so that the child never
/// blocks while a test waits for it, and waits at most ``patience``.
public final class ChildProcess {
    /// How a process terminated.
    public enum Status: Equatable, Sendable {
        /// The program returned or called `exit`.
        case code(Int32)
        /// A signal terminated the program.
        case signal(Int32)
    }

    /// The source of the child's stdin.
    public enum Input: Sendable {
        /// A pipe to which ``ChildProcess/write(_:readsOutput:)`` writes.
        case pipe
        /// A file, read from its start.
        case file(String)
    }

    /// The number of seconds after which a waiting call throws; `TEST_PATIENCE` is another one, for slow builds.
    public static let patience = ProcessInfo.processInfo.environment["TEST_PATIENCE"].flatMap(Double.init) ?? 120

    /// The child's process id, which the system may reuse after ``wait()``.
    public let pid: Int32

    let name: String
    let reaper: Reaper
    /// The test's end of the child's stdin; -1 if there is none.
    var input: Int32 = -1
    /// The test's end of the child's stdout.
    let output: Int32
    /// An unnamed file that receives the child's stderr.
    private let errors: Int32

    /// The bytes of stdout that have not been returned yet, from `consumed` on.
    var buffer: [UInt8] = []
    var consumed = 0
    /// The buffer contains no LF before this position.
    var searched = 0
    var isAtEnd = false

    /// Starts the program at a path or in `PATH`, by default with the environment and the folder of the test.
    public init(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        directory: String? = nil,
        input: Input = .pipe
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        name = URL(filePath: executable).lastPathComponent
        var childEnds: [Int32] = []
        defer { childEnds.forEach { _ = close($0) } }
        var testEnds: [Int32] = []
        do {
            switch input {
            case .pipe:
                let (readEnd, writeEnd) = try makePipe()
                childEnds.append(readEnd)
                testEnds.append(writeEnd)
                self.input = writeEnd
            case .file(let path):
                childEnds.append(try Self.openFile(path, O_RDONLY))
            }
            let (readEnd, writeEnd) = try makePipe()
            childEnds.append(writeEnd)
            testEnds.append(readEnd)
            output = readEnd
            errors = try Self.openUnnamedFile()
            testEnds.append(errors)
            pid = try Launch(executable, arguments, environment, directory).start(childEnds + [errors])
            reaper = try Reaper(pid)
        } catch {
            testEnds.forEach { _ = close($0) }
            throw error
        }
        if self.input >= 0 { csystem_set_nonblocking(self.input, 1) }
        csystem_set_nonblocking(output, 1)
    }

    /// Runs a command on a thread of this process, as if it were one of its own.
    ///
    /// - Parameters:
    ///   - name: The name of the command, for failures.
    ///   - input: The test's end of its stdin.
    ///   - output: The test's end of its stdout.
    ///   - signal: Sends it a signal.
    ///   - command: Does its work with the descriptor of its stderr, closes its ends, and returns the exit code.
    /// - Throws: That no pipe or file can be made.
    public init(
        thread name: String,
        input: Int32,
        output: Int32,
        signal: @escaping @Sendable (Int32) -> Void,
        _ command: @escaping @Sendable (_ errors: Int32) -> Int32
    ) throws {
        Foundation.signal(SIGPIPE, SIG_IGN)
        (self.name, self.input, self.output, pid) = (name, input, output, getpid())
        let errors = try Self.openUnnamedFile()
        self.errors = errors
        csystem_set_nonblocking(input, 1)
        csystem_set_nonblocking(output, 1)
        let own = fcntl(errors, F_DUPFD_CLOEXEC, 3)
        reaper = try Reaper(signal: signal) {
            defer { close(own) }
            return command(own)
        }
    }

    deinit {
        reaper.send(SIGKILL, toGroup: true)
        closeInput()
        close(output)
        close(errors)
    }

    /// Sends the child a signal, unless it has been reaped.
    public func kill(_ signal: Int32) { reaper.send(signal) }

    /// What the child has written to stderr so far.
    public var standardError: String {
        var text = [UInt8](repeating: 0, count: Int(max(0, lseek(errors, 0, SEEK_END))))
        let count = text.withUnsafeMutableBytes { pread(errors, $0.baseAddress, $0.count, 0) }
        return String(decoding: text.prefix(max(0, count)), as: UTF8.self)
    }

    private static func openFile(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestFailure("cannot open \(path): \(String(cString: strerror(errno)))") }
        return descriptor
    }

    /// Opens an unnamed file, which is removed with its last descriptor.
    ///
    /// It appends, because the child shares the file position.
    private static func openUnnamedFile() throws -> Int32 {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/pushhost-tests-\(UUID().uuidString)"
        defer { unlink(path) }
        return try openFile(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
    }
}
