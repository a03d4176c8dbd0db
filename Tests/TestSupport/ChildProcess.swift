import CSystem
import Foundation

/// A program that a test starts and talks with over pipes; killed and reaped when let go.
///
/// Whoever waits here reads the child's stdout meanwhile, so the child never
/// blocks while a test waits for it, and waits at most ``patience``.
public final class ChildProcess {
    /// How a process ended.
    public enum Status: Equatable, Sendable {
        /// It returned or called `exit`.
        case code(Int32)
        /// A signal ended it.
        case signal(Int32)
    }

    /// Where the child's stdin comes from.
    public enum Input: Sendable {
        /// A pipe that ``ChildProcess/write(_:)`` fills.
        case pipe
        /// A file, read from its start.
        case file(String)
    }

    /// How many seconds each call here waits before it throws.
    public static let patience = 30.0

    /// The child's process id, which may be another's after ``wait()``.
    public let pid: Int32

    let name: String
    let reaper: Reaper
    /// Our end of the child's stdin; -1 where there is none.
    var input: Int32 = -1
    /// Our end of the child's stdout.
    let output: Int32
    /// A file without name that takes the child's stderr.
    private let errors: Int32

    /// Bytes of stdout that nobody took yet, from `taken` on.
    var buffer: [UInt8] = []
    var taken = 0
    /// Up to where the buffer is known to hold no LF.
    var searched = 0
    var isAtEnd = false

    /// Starts the program at a path or of a name in `PATH`; environment and folder are ours where absent.
    public init(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        directory: String? = nil,
        input: Input = .pipe
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        name = URL(filePath: executable).lastPathComponent
        var theirs: [Int32] = []
        defer { theirs.forEach { _ = close($0) } }
        var ours: [Int32] = []
        do {
            switch input {
            case .pipe:
                let (readEnd, writeEnd) = try makePipe()
                theirs.append(readEnd)
                ours.append(writeEnd)
                self.input = writeEnd
            case .file(let path):
                theirs.append(try Self.openFile(path, O_RDONLY))
            }
            let (readEnd, writeEnd) = try makePipe()
            theirs.append(writeEnd)
            ours.append(readEnd)
            output = readEnd
            errors = try Self.openUnnamedFile()
            ours.append(errors)
            pid = try Launch(executable, arguments, environment, directory).start(theirs + [errors])
            reaper = try Reaper(pid)
        } catch {
            ours.forEach { _ = close($0) }
            throw error
        }
        if self.input >= 0 { csystem_set_nonblocking(self.input, 1) }
        csystem_set_nonblocking(output, 1)
    }

    deinit {
        reaper.send(SIGKILL, toEveryone: true)
        closeInput()
        close(output)
        close(errors)
    }

    /// Sends the child a signal, unless it is gone.
    public func kill(_ signal: Int32) { reaper.send(signal) }

    /// What the child has written to stderr up to now.
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

    /// A file that is gone when its last descriptor is; appending, as the child shares our position.
    private static func openUnnamedFile() throws -> Int32 {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/pushhost-tests-\(UUID().uuidString)"
        defer { unlink(path) }
        return try openFile(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
    }
}
