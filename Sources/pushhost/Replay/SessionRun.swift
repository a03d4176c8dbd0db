internal import Foundation
internal import HostClient
internal import HostCore
internal import Platform
internal import Recording

/// Runs a session again in a host that is a child process with folders of its own.
///
/// That host records the session too, so two recordings are compared.
struct SessionRun {
    /// If fewer bytes than this are free, the folder of the run counts as full.
    private static let neededRoom: UInt64 = 256 << 10

    private let session: RecordedSession
    private let folders: StandardFolders
    private let signals: SignalSource
    private let mayUseFiles: Bool

    /// - Parameters:
    ///   - session: The session.
    ///   - folders: The standard folders.
    ///   - signals: The signals to this process.
    ///   - mayUseFiles: Whether the session may import and export files outside the folder of the run.
    init(_ session: RecordedSession, folders: StandardFolders, signals: SignalSource, mayUseFiles: Bool) {
        self.session = session
        self.folders = folders
        self.signals = signals
        self.mayUseFiles = mayUseFiles
    }

    /// Runs the session to its end.
    ///
    /// - Parameters:
    ///   - plugins: The folders of bundles in place of the recorded ones; empty to use those.
    ///   - extensionsAreRecorded: Whether the recorded extensions are played.
    /// - Returns: The replayed session and the text of its recording.
    /// - Throws: Why the session could not be run.
    func run(plugins: [String], extensionsAreRecorded: Bool) throws(ClientError) -> (
        session: RecordedSession, text: Data
    ) {
        let folder = try TemporaryFolder.create(prefix: "pushhost-replay")
        defer { folder.remove() }
        let root = folder.path
        let result: Result<(session: RecordedSession, text: Data), ClientError>
        do {
            result = .success(try run(in: root, plugins: plugins, extensionsAreRecorded: extensionsAreRecorded))
        } catch let failure as ClientError {
            if case .interrupted = failure { throw failure }
            result = .failure(failure)
        } catch {
            result = .failure(.failed("it could not be run: \(SystemError.text(of: error))"))
        }
        // A full folder makes saves fail too, which would look like a difference of the session.
        guard Self.hasRoom(root) else {
            throw .failed("the temporary folder \(NSTemporaryDirectory()) is full; name another one with TMPDIR")
        }
        return try result.get()
    }

    private func run(
        in root: String,
        plugins: [String],
        extensionsAreRecorded: Bool
    ) throws -> (session: RecordedSession, text: Data) {
        var plugins = plugins
        if extensionsAreRecorded { plugins = try RecordedExtensions(session, root: root, folders).write() }
        try FileManager.default.createDirectory(atPath: "\(root)/work", withIntermediateDirectories: false)
        try runHost(root: root, plugins: plugins)
        guard let text = FileManager.default.contents(atPath: "\(root)/session") else {
            throw ClientError.failed("the host recorded nothing; check the arguments in the header")
        }
        let replayed = try RecordedSession(path: "\(root)/session")
        guard replayed.exitCode != nil else {
            let log = Self.log(in: root)
            throw ClientError.failed("the host's own recording has no end\(log.isEmpty ? "" : ": \(log)")")
        }
        return (replayed, text)
    }

    /// The end of the host's log.
    private static func log(in root: String) -> String {
        let log = FileManager.default.contents(atPath: "\(root)/log") ?? Data()
        return String(decoding: log.suffix(2_000), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether the file system of a folder has enough free space.
    private static func hasRoom(_ folder: String) -> Bool {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return true }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) >= neededRoom
    }

    private func runHost(root: String, plugins: [String]) throws {
        let settings = session.settings
        var options = RecordedArguments(settings.arguments, folders: folders).absolute(fromFolderOf: session.path)
        if !plugins.isEmpty {
            options = options.filter { !RecordedArguments.namesBundles($0) } + plugins.map { "--plugins=\($0)" }
        }
        options += [
            "--data=\(root)/data", "--clock=\(Timestamp.format(settings.start))", "--seed=\(settings.seed)",
            "--record=\(root)/session",
        ]
        if !mayUseFiles { options.append("--files-within=\(root)/work") }
        let launch = Program(path: folders.program, arguments: options, directory: "\(root)/work")
        let end = try ClientInput(session, signals).run(launch, in: root)
        guard end != .code(0) else { return }
        throw ClientError.failed("the host ended \(end.explanation): \(Self.log(in: root))")
    }
}
