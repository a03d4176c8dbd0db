internal import Contract
internal import JSON
internal import JSONRPC
package import Suites

extension RPCError {
    /// The error for a failed operation of a suite; its data name the suite.
    package init(_ error: SuiteError, suite: SuiteName) {
        let name: KeyValuePairs<String, JSON> = ["suite": .string(suite.text)]
        self =
            switch error {
            case .busy:
                HostError.suiteBusy("another process holds the suite \(suite); try again", details: name)
            case .beingFlushed:
                HostError.flushBusy("another process flushes the suite \(suite); try again", details: name)
            case .notStored(let text), .transactionLost(let text):
                HostError.notStored("nothing of this request is stored in \(suite): \(text)", details: name)
            case .full(let records, let bytes):
                HostError.suiteFull(
                    "the suite \(suite) is full with \(records) records and \(bytes) bytes; flush it, or remove keys",
                    details: name
                )
            case .recordTooLarge(let bytes, let limit):
                HostError.invalidRecord(
                    "not saved: a value has at most \(limit) bytes, this one \(bytes)",
                    details: name
                )
            case .unreadable(let text):
                HostError.suiteUnreadable("the suite \(suite) cannot be used: \(text)", details: name)
            case .tooManyFiles(let limit):
                HostError.suiteUnreadable(
                    "the suite \(suite) cannot be opened now: the host has as many files open as it may, \(limit); "
                        + "raise the limit (ulimit -n)",
                    details: name
                )
            case .nameTaken(let other):
                HostError.suiteNameTaken(
                    "the suite \(other) exists and differs from \(suite) only in case; use its name",
                    details: name
                )
            case .tooLarge(let bytes):
                HostError.tooLarge(
                    "the records have more than \(bytes) bytes together; read them in pages with pending",
                    details: name
                )
            case .keyReused(let id): RPCError(keyReusedFor: id, suite: suite)
            case .leaseExpired:
                HostError.leaseExpired("no such lease is live; nothing was deleted", details: name)
            }
    }

    /// The error for a save with the idempotency key of another save.
    package init(keyReusedFor id: Int64, suite: SuiteName, path: String? = nil) {
        self = HostError.idempotencyKeyReused(
            "not saved: this idempotency key stands for the record \(id) of \(suite), whose content is different; "
                + "give each record a key of its own",
            path: path,
            details: ["suite": .string(suite.text), "id": .integer(id)]
        )
    }
}
