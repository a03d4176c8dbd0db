internal import JSON
package import Suites

/// Returns every record of a kind in the flat form of the guide's recipe.
package final class RetrieveJob: Job {
    /// The greatest size in bytes of records that are returned without a job.
    package static let directByteLimit: Int64 = 128 << 10

    private let suite: Suite
    private let kind: RecordKind
    private var snapshot: SuiteSnapshot?
    private var text = Array(#"{"value":["#.utf8)
    private var last: Int64 = 0
    private var isCancelled = false
    package private(set) var progress = JobProgress()

    package init(_ suite: Suite, _ kind: RecordKind) {
        self.suite = suite
        self.kind = kind
    }

    package func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        guard let snapshot = try snapshot ?? SuiteSnapshot(suite) else { return .value(["value": .null]) }
        if self.snapshot == nil {
            self.snapshot = snapshot
            progress.total = try snapshot.total(kind)
        }
        repeat {
            var damaged: DamagedRecord?
            let records = try snapshot.records(kind, after: last, limit: 100) { damaged = $0 }
            // The flat form cannot report a missing record, so the job fails.
            if let damaged { throw SuiteError.unreadable("the record \(damaged.id) is damaged: \(damaged.problem)") }
            for record in records {
                if progress.done > 0 { text.append(UInt8(ascii: ",")) }
                record.flat.write(to: &text)
                progress.done += 1
                last = record.id
            }
            guard !records.isEmpty else {
                // Another process may have removed them before the snapshot.
                guard progress.done > 0 else { return .value(["value": .null]) }
                text += "]}".utf8
                return .text(text)
            }
        } while slice.mayContinue
        return nil
    }

    package func cancel() { isCancelled = true }
}
