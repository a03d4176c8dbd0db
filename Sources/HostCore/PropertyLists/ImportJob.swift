internal import JSON
internal import JSONRPC
internal import PropertyLists
internal import Suites

/// Takes a property list into a suite, slice by slice, all of it or nothing.
final class ImportJob: Job {
    private enum Phase {
        /// The file is being read.
        case reading
        /// Its records are staged in the suite, not visible yet.
        case taking
        /// All of it is visible; defaults past the first ones are being moved.
        case merging
        /// It failed or was cancelled; the staged records are being removed.
        case removing(any Error)
    }

    private let suite: Suite
    private let done: () -> Void
    private var work: SuiteImport
    private var staged: StagedImport
    private var bytes: [UInt8]
    private var reader: PropertyListReader?
    private var phase = Phase.reading

    var progress: JobProgress { work.progress }

    /// An import of a file's bytes.
    ///
    /// - Parameters:
    ///   - work: Goes through what the file holds.
    ///   - bytes: The file.
    ///   - done: Called once all of it is visible.
    init(_ work: SuiteImport, bytes: [UInt8], done: @escaping () -> Void) {
        suite = work.suite
        self.work = work
        self.bytes = bytes
        self.done = done
        staged = StagedImport(work.suite)
    }

    deinit { staged.end() }

    func cancel() {
        if case .merging = phase { return }
        phase = .removing(CancellationError())
    }

    func advance(_ slice: Slice) throws -> JobResult? {
        do {
            switch phase {
            case .reading: read(slice)
            case .taking: try take(slice)
            case .merging:
                guard try slice.hold({ try staged.finish { slice.mayGoOn } }) else { return end() }
            case .removing(let error):
                // A later sweep removes what cannot be removed now.
                do throws(SuiteError) {
                    if try slice.hold({ () throws(SuiteError) in try staged.finish { slice.mayGoOn } }) { return nil }
                } catch  where error.isPassing {
                    throw error
                } catch {}
                throw error
            }
            return isPublished ? end() : nil
        } catch let error as SuiteError where !error.isPassing {
            if case .removing = phase { throw error }
            phase = .removing(error)
            return nil
        }
    }

    private func end() -> JobResult {
        staged.end()
        return .value(work.json)
    }

    // MARK: Reading

    private func read(_ slice: Slice) {
        do throws(PropertyListError) {
            if reader == nil { reader = try PropertyListReader(bytes) }
            guard let root = try reader?.read(while: { slice.mayGoOn }) else { return }
            do throws(PropertyListProblem) {
                try work.open(root)
            } catch {
                work.addDeadLetter(bytes, kind: nil, at: nil, error.text)
            }
        } catch {
            work.addDeadLetter(bytes, kind: nil, at: nil, error.message)
        }
        reader = nil
        bytes = []
        phase = .taking
    }

    // MARK: Into the suite

    private var isPublished = false

    private func take(_ slice: Slice) throws {
        work.go { slice.mayGoOn }
        let isLast = work.isDone
        do throws(SuiteError) {
            try slice.hold { () throws(SuiteError) in
                try staged.add(work.batch.rows)
                // The last defaults are few enough for the commit that makes all visible.
                if isLast { try staged.publish(work.batch.defaults) } else { try staged.add(work.batch.defaults) }
                try suite.commit()
            }
        } catch {
            suite.rollback()
            staged.didRollBack()
            throw error
        }
        staged.didCommit()
        work.batch = ImportBatch()
        guard isLast else { return }
        done()
        if staged.hasDefaults { phase = .merging } else { isPublished = true }
    }
}

/// Nobody waits for what was asked for.
private struct CancellationError: Error {}
