package import Calls
package import Configuration
internal import Contract
package import Delivering
internal import JSON
internal import JSONRPC
package import Platform
package import Suites

/// Reads property lists of App Groups into suites, and writes them from suites.
package final class PropertyListService {
    private let configuration: HostConfiguration
    private let clock: Clock
    private let store: SuiteStore
    private let jobs: JobService
    private let flushes: FlushService
    private let disk: DiskWork

    package init(
        _ configuration: HostConfiguration,
        _ clock: Clock,
        _ store: SuiteStore,
        _ jobs: JobService,
        _ flushes: FlushService,
        _ disk: DiskWork
    ) {
        self.configuration = configuration
        self.clock = clock
        self.store = store
        self.jobs = jobs
        self.flushes = flushes
        self.disk = disk
    }

    package func importSuite(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let path = try invocation.arguments.filePath()
        let bytes: [UInt8]
        do throws(ClientFile.Failure) {
            bytes = try ClientFile.read(path, within: configuration.filesFolder)
        } catch {
            throw error.error(invocation, reading: path)
        }
        guard !bytes.isEmpty else {
            throw HostError.fileUnreadable(
                "\(path) is empty: there is nothing to import",
                path: invocation.arguments.path("path")
            )
        }
        let suite = invocation.knownSuite
        let work = SuiteImport(
            suite: suite,
            limits: configuration.recordLimits,
            time: invocation.time(clock),
            file: URL(fileURLWithPath: path).lastPathComponent
        )
        return jobs.begin(
            ImportJob(work, bytes: bytes) { [flushes] in flushes.policy.handleSave(in: suite.name) },
            invocation
        )
    }

    package func exportSuite(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let path = try arguments.filePath()
        let word = try arguments.optionalString("format") ?? SuiteExport.Format.xml.rawValue
        guard let format = SuiteExport.Format(rawValue: word) else {
            throw arguments.mistyped("format", "xml or binary")
        }
        let file: ClientFile
        do throws(ClientFile.Failure) {
            file = try ClientFile(toWrite: path, within: configuration.filesFolder)
        } catch {
            throw error.error(invocation, reading: nil)
        }
        try protectSuites(file, arguments)
        let missing = SuiteDiagnostics(store: store).missingSuite(invocation.knownSuite, arguments)
        let work = SuiteExport(suite: invocation.knownSuite, format: format, missing)
        let tooLarge = HostError.tooLarge(
            "the suite makes a property list of more than \(ClientFile.limit) bytes; flush some of its records first",
            details: ["suite": .string(invocation.knownSuite.name.text)]
        )
        do throws(SuiteError) {
            try work.checkSize(limit: Int64(ClientFile.limit))
        } catch {
            guard case .tooLarge = error else { throw error }
            throw tooLarge
        }
        let job = ExportJob(work, into: file, disk, tooLarge: tooLarge) { $0.error(invocation, reading: nil) }
        return jobs.begin(job, invocation)
    }

    /// Checks that a path is not that of a suite, which a property list must not replace.
    private func protectSuites(_ file: ClientFile, _ arguments: Arguments) throws(RPCError) {
        let folder = URL(fileURLWithPath: file.target).deletingLastPathComponent().path
        guard folder == URL(fileURLWithPath: store.folder).resolvingSymlinksInPath().path else { return }
        throw HostError.fileUnwritable(
            "\(file.path) lies in the folder of the suites; name another folder",
            path: arguments.path("path")
        )
    }
}

extension Arguments {
    /// A path of a file, without U+0000, at which system calls would cut it.
    fileprivate func filePath() throws(RPCError) -> String {
        let path = try name("path")
        guard !path.hasSuffix("/") else { throw mistyped("path", "the path of a file") }
        guard path.utf8.count < PATH_MAX else { throw mistyped("path", "a path of less than \(PATH_MAX) bytes") }
        return path
    }
}

extension ClientFile.Failure {
    /// The error for the caller.
    fileprivate func error(_ invocation: Invocation, reading path: String?) -> RPCError {
        let place = invocation.arguments.path("path")
        switch self {
        case .unusable(let text):
            let kind = path == nil ? HostError.fileUnwritable : HostError.fileUnreadable
            return kind(text, path: place)
        case .tooLarge:
            let text = "\(path ?? "the file") has more than \(ClientFile.limit) bytes, the most that is imported"
            return HostError.tooLarge(text, path: place)
        }
    }
}
