internal import HostClient
internal import JSON
internal import JSONRPC
internal import LanguageServer
internal import Platform

/// Passes the bytes of an editor to the language server, its calls to a host, and runs the commands that it asks for,
/// without waiting for any of them.
final class EditorLoop {
    private let options: HostOptions
    private let dataFolder: String
    private let signals: SignalSource
    private let output = OutputDescriptor(1)
    private var server: LanguageServer!
    private var inputEnded = false
    /// Started with the first call, when the editor's folders are known.
    private var host: HostClient?
    /// What to do with the replies to come.
    private var waiting: [Int64: (JSON?) -> Void] = [:]
    /// The commands that run.
    private var runs: [Int32: CommandRun] = [:]

    /// A loop that has not begun.
    ///
    /// - Parameters:
    ///   - options: Those of the host.
    ///   - folder: A temporary folder.
    ///   - signals: The signals that end it.
    /// - Throws: Why the folder cannot be used.
    init(_ options: HostOptions, folder: String, _ signals: SignalSource) throws(ClientError) {
        (self.options, dataFolder, self.signals) = (options, folder, signals)
        let pages = "\(folder)/pages"
        guard mkdir(pages, 0o700) == 0 else { throw .failed("\(pages) cannot be made: \(SystemError.last)") }
        let surroundings = LanguageServer.Surroundings(
            call: { [unowned self] in call($0, $1, $2) },
            run: { [unowned self] in run($0, $1) },
            bundlesChanged: { [unowned self] in stopHost() }
        )
        server = LanguageServer(
            version: Version.program,
            folder: pages,
            plugins: options.plugins.map(Paths.absolute),
            surroundings
        )
    }

    /// Serves until the editor ends.
    ///
    /// - Returns: The exit code.
    func run() throws(ClientError) -> Int32 {
        defer {
            for run in runs.values { run.end() }
            _ = host?.stop(isHasty: true)
        }
        Descriptors.setNonblocking(0)
        while true {
            if let code = write() { return code }
            if server.session.output.isEmpty {
                if let code = server.exitCode { return code }
                if inputEnded { return 1 }
            }
            let ready = try wait()
            if ready.contains(0) { read() }
            for descriptor in ready {
                guard let run = runs[descriptor], run.read() else { continue }
                runs[descriptor] = nil
            }
        }
    }

    // MARK: Editor

    /// Waits for the editor, the host and the commands.
    ///
    /// - Returns: The descriptors of the editor and of commands that can be read.
    private func wait() throws(ClientError) -> Set<Int32> {
        let inputs: [Int32] = (inputEnded || server.exitCode != nil ? [] : [0]) + runs.keys
        let outputs = server.session.output.isEmpty ? [] : [output?.descriptor ?? 1]
        guard let host else { return try signals.wait(for: inputs, writing: outputs, until: .max) }
        do throws(ClientError) {
            return try host.wait(for: inputs, writing: outputs, until: .max)
        } catch {
            if case .interrupted = error { throw error }
            console.writeError("the host ended; it starts again with the next change\n\(host.log)")
            stopHost()
            return []
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = buffer.withUnsafeMutableBytes { Platform.read(0, $0.baseAddress, $0.count) }
        if count > 0 {
            buffer[..<count].withUnsafeBytes { server.session.consume($0) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            inputEnded = true
            server.session.finish()
        }
    }

    /// Writes as much as the editor takes.
    ///
    /// - Returns: The exit code if nothing more can be written.
    private func write() -> Int32? {
        guard let output else { return 1 }
        var code: Int32?
        server.session.output.drain { bytes in
            var written = 0
            while written < bytes.count, code == nil {
                switch output.write(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
                case .wrote(0): return written
                case .wrote(let count): written += count
                case .gone: code = 1
                case .failed(let number):
                    console.writeError("stdout cannot be written: \(SystemError(number))")
                    code = EX_IOERR
                }
            }
            return written
        }
        return code
    }

    // MARK: Host

    private func call(_ method: String, _ params: JSON, _ completion: @escaping (JSON?) -> Void) {
        do throws(ClientError) {
            let host = if let host { host } else { try start() }
            waiting[host.send(method, params)] = completion
        } catch {
            console.writeError(error.text)
            completion(nil)
        }
    }

    /// The bundles that the user named, or those in the editor's folders.
    private var plugins: [String] {
        options.plugins.isEmpty ? Workspace.bundles(in: server.folders) : options.plugins
    }

    private func start() throws(ClientError) -> HostClient {
        var options = options
        options.plugins = plugins
        let host = try options.start(dataFolder: dataFolder, [], signals)
        host.onReply = { [unowned self] id, message in waiting.removeValue(forKey: id)?(message["result"]) }
        self.host = host
        return host
    }

    /// Forgets a host that ended, or that has other bundles than the editor; the next call starts another one.
    private func stopHost() {
        _ = host?.stop(isHasty: true)
        host = nil
        let completions = waiting.values
        waiting = [:]
        for completion in completions { completion(nil) }
    }

    // MARK: Commands

    private func run(_ run: ToolRun, _ completion: @escaping (ToolRun.End) -> Void) -> () -> Void {
        var arguments = run.arguments
        if run.usesBundles { arguments += plugins.flatMap { ["--plugins", $0] } }
        do throws(SystemError) {
            let started = try CommandRun(arguments, run, folder: dataFolder, completion)
            runs[started.descriptor] = started
            return { started.stop() }
        } catch {
            completion(ToolRun.End(code: nil, output: "", errors: "\(arguments[0]) cannot be started: \(error)"))
            return {}
        }
    }
}

/// A run of a command of this program, whose output is collected.
private final class CommandRun {
    /// Its stdout and, interleaved with it for a reader, nothing else.
    let descriptor: Int32
    private let isService: Bool
    private let process: StartedProcess
    private let errors: Int32
    private var output: [UInt8] = []
    private let completion: (ToolRun.End) -> Void
    /// Whether a service has written its first line.
    private var hasBegun = false

    /// More output is cut off.
    private static let outputLimit = 4 << 20

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - run: What is to run.
    ///   - folder: Where its input and its errors are kept while it runs.
    ///   - completion: Gets its output when it has ended, or the first line of a service.
    /// - Throws: Why it cannot be started.
    init(
        _ arguments: [String],
        _ run: ToolRun,
        folder: String,
        _ completion: @escaping (ToolRun.End) -> Void
    ) throws(SystemError) {
        let input = try Self.unnamedFile(in: folder)
        defer { close(input) }
        try Descriptors.writeAll(Array(run.input.utf8)[...], to: input)
        try Descriptors.rewind(input)
        errors = try Self.unnamedFile(in: folder)
        let pipe = try Descriptors.makePipe()
        defer { close(pipe.writing) }
        Descriptors.setNonblocking(pipe.reading)
        var environment = ProcessInfo.processInfo.environment
        // A reader of the output has no terminal.
        environment["CLICOLOR_FORCE"] = nil
        let program = Program(path: StandardFolders().program, arguments: arguments, environment: environment)
        do throws(SystemError) {
            process = try program.start(input: input, output: pipe.writing, error: errors)
        } catch {
            close(pipe.reading)
            close(errors)
            throw error
        }
        (descriptor, isService, self.completion) = (pipe.reading, run.isService, completion)
    }

    private static func unnamedFile(in folder: String) throws(SystemError) -> Int32 {
        let path = "\(folder)/run-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
        unlink(path)
        return descriptor
    }

    /// Reads what it has written.
    ///
    /// - Returns: Whether it has ended.
    func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = buffer.withUnsafeMutableBytes { Platform.read(descriptor, $0.baseAddress, $0.count) }
        guard count != 0 else {
            finish(process.reap())
            return true
        }
        if count > 0 { output += buffer[..<count].prefix(Self.outputLimit - output.count) }
        if isService, !hasBegun, output.contains(UInt8(ascii: "\n")) {
            hasBegun = true
            complete(nil)
        }
        return false
    }

    /// Asks it to end; what it has written until then is its output.
    func stop() { process.signal(SIGTERM) }

    /// Ends it and what it has started.
    func end() {
        process.signal(SIGTERM)
        finish(process.wait())
    }

    private func finish(_ status: ExitStatus) {
        var code: Int32?
        if case .code(let number) = status { code = number }
        // The first line of a service was its output.
        if hasBegun { output = [] }
        complete(code)
        close(descriptor)
        close(errors)
    }

    private func complete(_ code: Int32?) {
        try? Descriptors.rewind(errors)
        let errors = (try? Descriptors.readAll(errors, limit: 1 << 16)) ?? []
        completion(
            ToolRun.End(
                code: code,
                output: String(decoding: output, as: UTF8.self),
                errors: String(decoding: errors, as: UTF8.self)
            )
        )
    }
}
