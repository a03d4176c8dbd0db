internal import JSON
internal import JSONRPC
internal import Suites

/// Writes a suite as a property list, slice by slice.
final class ExportJob: Job {
    private var work: SuiteExport
    private let target: ClientFile
    /// The error for the caller.
    private let failure: (ClientFile.Failure) -> RPCError
    private let tooLarge: RPCError
    private var bytes: [UInt8]?
    private var file: ClientFile.Replacement?
    private var written = 0
    private var isCancelled = false

    var progress: JobProgress { work.progress }

    /// An export into a file.
    ///
    /// - Parameters:
    ///   - work: Makes the file's bytes.
    ///   - target: The file.
    ///   - tooLarge: The error for a suite that holds too much.
    ///   - failure: Makes the error for a file that cannot be written.
    init(
        _ work: SuiteExport,
        into target: ClientFile,
        tooLarge: RPCError,
        failure: @escaping (ClientFile.Failure) -> RPCError
    ) {
        self.work = work
        self.target = target
        self.tooLarge = tooLarge
        self.failure = failure
    }

    func cancel() { isCancelled = true }

    func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        guard let bytes else {
            do throws(SuiteError) {
                bytes = try work.go(limit: ClientFile.limit) { slice.mayGoOn }
            } catch {
                guard case .tooLarge = error else { throw error }
                throw tooLarge
            }
            return nil
        }
        do throws(ClientFile.Failure) {
            if file == nil { file = try ClientFile.Replacement(target) }
            guard let file else { return nil }
            written = try file.write(bytes, from: written)
            guard written == bytes.count else { return nil }
            try file.finish()
        } catch {
            throw failure(error)
        }
        return .value(work.json(bytes: bytes.count))
    }
}
