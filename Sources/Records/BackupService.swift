package import Calls
package import Configuration
internal import Contract
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

/// Copies suites into other folders, which are their backups.
package final class BackupService {
    private let configuration: HostConfiguration
    private let jobs: JobService
    private let disk: DiskWork

    package init(_ configuration: HostConfiguration, _ jobs: JobService, _ disk: DiskWork) {
        (self.configuration, self.jobs, self.disk) = (configuration, jobs, disk)
    }

    package func backUpSuite(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        // Standardized, so that the folder that is checked is the one that is made.
        let folder = URL(filePath: Paths.absolute(try arguments.name("folder"))).standardized.path
        let suite = invocation.knownSuite
        do {
            try ClientFile.check(Self.resolved(folder), folder, within: configuration.filesFolder)
            try SuiteStore(folder: folder).requireAbsent(suite.name)
        } catch ClientFile.Failure.unusable(let text) {
            throw HostError.fileUnwritable(text, path: arguments.path("folder"))
        } catch let error as SuiteError {
            throw HostError.fileUnwritable(error.text, path: arguments.path("folder"))
        }
        guard try arguments.optionalBool("dryRun") != true else {
            return .done(["pending": .integer(try suite.pending.total(nil))])
        }
        return jobs.begin(BackupJob(suite, to: folder, arguments.path("folder"), disk), invocation)
    }

    /// A path with every link of the part that exists followed.
    private static func resolved(_ path: String) -> String {
        if let resolved = Paths.resolved(path) { return resolved }
        let parent = Paths.parent(of: path)
        return parent == path ? path : "\(resolved(parent))/\(URL(filePath: path).lastPathComponent)"
    }
}

/// Copies a suite beside the event loop.
private final class BackupJob: Job {
    private let suite: Suite
    private let folder: String
    /// The JSON Pointer of the param that names the folder.
    private let path: String
    private let disk: DiskWork
    private var copy: SuiteCopy?
    private var isCancelled = false
    /// Without numbers, because SQLite copies all records at once.
    let progress = JobProgress()

    init(_ suite: Suite, to folder: String, _ path: String, _ disk: DiskWork) {
        (self.suite, self.folder, self.path, self.disk) = (suite, folder, path, disk)
    }

    func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        let copy = try SuiteCopy(of: suite, to: folder)
        self.copy = copy
        return .later { [disk, self] completion in
            disk.run {
                Result { () throws(SuiteError) in try copy.make() }
            } completion: { made in
                completion(made.map { ["pending": .integer($0)] }.mapError { self.explained($0) })
            }
        }
    }

    /// Why there is no copy: another one may have come since the check.
    private func explained(_ failure: SuiteError) -> any Error {
        do throws(SuiteError) {
            try SuiteStore(folder: folder).requireAbsent(suite.name)
        } catch  where error == failure {
            return HostError.fileUnwritable(error.text, path: path)
        } catch {}
        return failure
    }

    func cancel() {
        isCancelled = true
        copy?.cancel()
    }
}
