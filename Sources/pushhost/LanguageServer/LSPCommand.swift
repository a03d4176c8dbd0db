internal import ArgumentParser
internal import HostClient
internal import JSON
internal import JSONRPC
internal import LanguageServer
internal import Platform

/// Serves an editor in the Language Server Protocol.
struct LSPCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Serve an editor: mistakes, completion and documentation in payloads as you type.",
        prose: """
            It speaks the Language Server Protocol 3.17 on stdin and stdout. An editor starts it for payloads (.apns \
            files), and for JSON documents with a member aps.

            Without --plugins, it uses the bundles in the folders that the editor has open, and reads them again when a \
            document is saved.
            """,
        examples: ["pushhost lsp", "pushhost lsp --plugins plugins"],
        exitCodes: """
            0 after the editor's shutdown and exit, 1 if the editor ends without them, 64 for a wrong command line, \
            74 if stdout cannot be written, 128+n after signal n.
            """
    )

    @OptionGroup var host: HostOptions

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let root = try TemporaryFolder.create(prefix: "pushhost-lsp")
        defer { root.remove() }
        return try EditorLoop(host, dataFolder: root.path, signals).run()
    }
}

/// Passes the bytes of an editor to the language server, and its calls to a host, without waiting for either.
private final class EditorLoop {
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

    init(_ options: HostOptions, dataFolder: String, _ signals: SignalSource) {
        (self.options, self.dataFolder, self.signals) = (options, dataFolder, signals)
        server = LanguageServer(version: Version.program) { [unowned self] in call($0, $1, $2) }
    }

    /// Serves until the editor ends.
    ///
    /// - Returns: The exit code.
    func run() throws(ClientError) -> Int32 {
        defer { _ = host?.stop(isHasty: true) }
        Descriptors.setNonblocking(0)
        while true {
            if let code = write() { return code }
            if server.session.output.isEmpty {
                if let code = server.exitCode { return code }
                if inputEnded { return 1 }
            }
            if try wait() { read() }
        }
    }

    // MARK: Editor

    /// Waits for the editor and the host.
    ///
    /// - Returns: Whether the editor has written something.
    private func wait() throws(ClientError) -> Bool {
        let inputs: [Int32] = inputEnded || server.exitCode != nil ? [] : [0]
        let outputs = server.session.output.isEmpty ? [] : [output?.descriptor ?? 1]
        guard let host else { return try signals.wait(for: inputs, writing: outputs, until: .max).contains(0) }
        do throws(ClientError) {
            return try host.wait(for: inputs, writing: outputs, until: .max).contains(0)
        } catch {
            if case .interrupted = error { throw error }
            hostEnded()
            return false
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

    private func start() throws(ClientError) -> HostClient {
        var options = options
        if options.plugins.isEmpty { options.plugins = server.folders.flatMap { Self.bundles(in: $0) } }
        let host = try options.start(dataFolder: dataFolder, [], signals)
        host.onReply = { [unowned self] id, message in waiting.removeValue(forKey: id)?(message["result"]) }
        self.host = host
        return host
    }

    /// A host that ended is started again with the next call.
    private func hostEnded() {
        if let host { console.writeError("the host ended; it starts again with the next change\n\(host.log)") }
        host = nil
        let completions = waiting.values
        waiting = [:]
        for completion in completions { completion(nil) }
    }

    /// The bundles in a folder and its folders, down to a depth.
    private static func bundles(in folder: String, depth: Int = 4) -> [String] {
        let names = (try? Folders.names(in: folder)) ?? []
        guard !names.contains("Info.plist") else { return [folder] }
        guard depth > 0 else { return [] }
        return names.filter { !$0.hasPrefix(".") && !skipped.contains($0) }.map { "\(folder)/\($0)" }
            .filter { FileStamp(of: $0)?.kind == .folder && Paths.target(ofLink: $0) == nil }
            .flatMap { bundles(in: $0, depth: depth - 1) }
    }

    /// Folders in which nobody keeps a bundle of their own.
    private static let skipped: Set<String> = ["node_modules", "DerivedData", "Pods", "Carthage"]
}
