internal import JSON
internal import JSONRPC
internal import PropertyLists
internal import Suites

/// Imports a property list into a suite slice by slice; if it fails, nothing is imported.
final class ImportJob: Job {
    private enum Phase {
        /// The file is being read.
        case reading
        /// The file's records are being staged in the suite; they are not visible yet.
        case staging
        /// Everything is visible; the defaults, too many for one commit, are being moved to their table.
        case merging
        /// The import failed or was cancelled; the staged records are being removed.
        case removing(any Error)
    }

    private let suite: Suite
    private let onPublish: () -> Void
    private var suiteImport: SuiteImport
    private var staged: StagedImport
    private var bytes: [UInt8]
    private var reader: PropertyListReader?
    private var phase = Phase.reading

    var progress: JobProgress { suiteImport.progress }

    /// An import of a file's bytes; `onPublish` is called once everything is visible.
    init(_ suiteImport: SuiteImport, bytes: [UInt8], onPublish: @escaping () -> Void) {
        suite = suiteImport.suite
        self.suiteImport = suiteImport
        self.bytes = bytes
        self.onPublish = onPublish
        staged = StagedImport(suiteImport.suite)
    }

    deinit { staged.end() }

    var finalResult: JobResult? { if case .merging = phase { finish() } else { nil } }

    func cancel() {
        if case .merging = phase { return }
        phase = .removing(CancellationError())
    }

    func advance(_ slice: Slice) throws -> JobResult? {
        do {
            switch phase {
            case .reading: read(slice)
            case .staging: try stage(slice)
            case .merging: return try merge(slice)
            case .removing(let error):
                // A later sweep removes the records that cannot be removed now.
                do throws(SuiteError) {
                    if try slice.blocking({ () throws(SuiteError) in try staged.finish { slice.mayContinue } }) {
                        return nil
                    }
                } catch  where error.isPassing {
                    throw error
                } catch {}
                throw error
            }
            return isPublished ? finish() : nil
        } catch let error as SuiteError where !error.isPassing {
            if case .removing = phase { throw error }
            phase = .removing(error)
            return nil
        }
    }

    private func merge(_ slice: Slice) throws(SuiteError) -> JobResult? {
        do throws(SuiteError) {
            let isLeft = try slice.blocking { () throws(SuiteError) in try staged.finish { slice.mayContinue } }
            return isLeft ? nil : finish()
        } catch {
            guard !error.isPassing else { throw error }
            // Everything is imported; a later sweep moves the defaults that cannot be moved now.
            return finish()
        }
    }

    private func finish() -> JobResult {
        staged.end()
        return .value(suiteImport.json)
    }

    // MARK: Reading

    private func read(_ slice: Slice) {
        do throws(PropertyListError) {
            if reader == nil { reader = try PropertyListReader(bytes) }
            guard let root = try reader?.read(while: { slice.mayContinue }) else { return }
            do throws(PropertyListContentError) {
                try suiteImport.open(root)
            } catch {
                suiteImport.addDeadLetter(bytes, kind: nil, at: nil, error.text)
            }
        } catch {
            suiteImport.addDeadLetter(bytes, kind: nil, at: nil, error.message)
        }
        reader = nil
        bytes = []
        phase = .staging
    }

    // MARK: Staging

    private var isPublished = false

    private func stage(_ slice: Slice) throws {
        suiteImport.fillBatch { slice.mayContinue }
        let isLast = suiteImport.isDone
        do throws(SuiteError) {
            try slice.blocking { () throws(SuiteError) in
                try staged.add(suiteImport.batch.rows)
                // The defaults of the last batch are few enough for the commit that makes everything visible.
                let defaults = suiteImport.batch.defaults
                if isLast { try staged.publish(defaults) } else { try staged.add(defaults) }
                try suite.commit()
            }
        } catch {
            suite.rollback()
            staged.didRollBack()
            throw error
        }
        staged.didCommit()
        suiteImport.batch = ImportBatch()
        guard isLast else { return }
        onPublish()
        if staged.hasDefaults { phase = .merging } else { isPublished = true }
    }
}

/// The call was cancelled, so the result is not needed.
private struct CancellationError: Error {}

/// The rows that an import writes in one transaction, during which other writers wait.
struct ImportBatch {
    /// The maximum number of rows, and the size beyond which no row is added.
    private static let rowLimit = 400
    private static let byteLimit: Int64 = 256 << 10

    private(set) var rows: [StagedRow] = []
    private(set) var defaults: [StagedDefault] = []
    private var bytes: Int64 = 0

    /// Whether the batch must be written before anything is added.
    var isFull: Bool { rows.count + defaults.count >= Self.rowLimit || bytes >= Self.byteLimit }

    mutating func add(_ row: StagedRow) {
        rows.append(row)
        bytes += row.size
    }

    mutating func add(_ pair: StagedDefault, size: Int) {
        defaults.append(pair)
        bytes += Int64(size)
    }
}
