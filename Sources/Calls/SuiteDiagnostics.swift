package import Contract
internal import JSON
package import JSONRPC
internal import Spelling
package import Suites

/// The diagnostics of a reply about a suite that does not exist or has no records.
package struct SuiteDiagnostics {
    private let store: SuiteStore

    /// Diagnostics that look into the suites of a store.
    package init(store: SuiteStore) { self.store = store }

    /// The maximum number of other suites to open, and to name.
    private static let (openLimit, nameLimit) = (32, 5)

    /// A diagnostic if a suite does not exist but others have records or have a similar name: its own name may be
    /// misspelt or missing.
    package func missingSuite(_ suite: Suite, _ arguments: Arguments) -> Diagnostic? {
        guard let exists = try? suite.exists(), !exists, let names = try? store.names() else { return nil }
        let advice: String
        if let near = EditDistance.nearest(suite.name.text, in: names.map(\.text)) {
            advice = "did you mean \(near)?"
        } else if let list = filledSuites(names) {
            advice = list
        } else {
            return nil
        }
        let isNamed = arguments["suite"] != nil
        let text =
            "there is no suite \(suite.name)\(isNamed ? "" : ", the default"), so nothing is pending in it; \(advice)"
        return Diagnostic("noSuite", text, path: isNamed ? arguments.path("suite") : nil)
    }

    /// A diagnostic if the default suite, which a call did not name, has no pending records but others do.
    package func emptyDefault(_ suite: Suite, _ arguments: Arguments) -> Diagnostic? {
        guard arguments["suite"] == nil, (try? suite.pending.total(nil)) == 0, let names = try? store.names(),
            let list = filledSuites(names)
        else { return nil }
        return Diagnostic("otherSuites", "nothing is pending in \(suite.name), the default; \(list)")
    }

    /// The suites with pending records, for people; nil if every suite is empty.
    private func filledSuites(_ names: [SuiteName]) -> String? {
        let counts = names.prefix(Self.openLimit).compactMap { name in
            (try? store.summary(of: name)).map { (name: name.text, records: $0.pending) }
        }
        let filled = counts.filter { $0.records > 0 }
        guard !filled.isEmpty else { return nil }
        let list = filled.prefix(Self.nameLimit).map { "\($0.name) (\($0.records))" }.joined(separator: ", ")
        return "suites with pending records: \(list)" + (filled.count > Self.nameLimit ? ", …" : "")
    }
}

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
                HostError.leaseExpired("there is no such lease, or it has expired; nothing was deleted", details: name)
            }
    }

    /// The error for a save with the idempotency key of another save.
    package init(keyReusedFor id: Int64, suite: SuiteName, path: String? = nil) {
        self = HostError.idempotencyKeyReused(
            "not saved: this idempotency key belongs to record \(id) of \(suite), which has other content; "
                + "give each record a key of its own",
            path: path,
            details: ["suite": .string(suite.text), "id": .integer(id)]
        )
    }
}
