internal import JSON
internal import JSONRPC
internal import Suites

/// Exports a suite as a property list, slice by slice.
final class ExportJob: Job {
    private var export: SuiteExport
    private let target: ClientFile
    /// Makes the error for a file that cannot be written.
    private let failure: (ClientFile.Failure) -> RPCError
    private let tooLarge: RPCError
    private var bytes: [UInt8]?
    private var file: ClientFile.Replacement?
    private var written = 0
    private var isCancelled = false

    var progress: JobProgress { export.progress }

    /// An export into a file.
    ///
    /// - Parameters:
    ///   - export: Makes the bytes of the file.
    ///   - target: The file.
    ///   - tooLarge: The error for a suite that holds too much.
    ///   - failure: Makes the error for a file that cannot be written.
    init(
        _ export: SuiteExport,
        into target: ClientFile,
        tooLarge: RPCError,
        failure: @escaping (ClientFile.Failure) -> RPCError
    ) {
        self.export = export
        self.target = target
        self.tooLarge = tooLarge
        self.failure = failure
    }

    func cancel() { isCancelled = true }

    func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        guard let bytes else {
            do throws(SuiteError) {
                bytes = try export.advance(limit: ClientFile.limit) { slice.mayContinue }
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
        return .value(export.json(bytes: bytes.count))
    }
}
