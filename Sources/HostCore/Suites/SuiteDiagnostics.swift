internal import Contract
internal import JSON
internal import JSONRPC
internal import Spelling
internal import Suites

/// What a reply says of a suite that does not exist.
struct SuiteDiagnostics {
    let store: SuiteStore

    /// How many other suites are looked into, and how many of them are named.
    private static let (lookedAt, named) = (32, 5)

    /// Says that a suite does not exist although others hold records: its name may be misspelt, or missing.
    ///
    /// - Parameters:
    ///   - suite: The suite that a call is about.
    ///   - arguments: The arguments of the call.
    /// - Returns: Nothing if the suite exists or no other suite holds records.
    func missingSuite(_ suite: Suite, _ arguments: Arguments) -> Diagnostic? {
        guard let exists = try? suite.exists(), !exists, let names = try? store.names() else { return nil }
        let counts = names.prefix(Self.lookedAt).compactMap { name in
            (try? store.suite(name).total(nil)).map { (name: name.text, records: $0) }
        }
        let holders = counts.filter { $0.records > 0 }
        guard !holders.isEmpty else { return nil }
        let advice: String
        if let near = EditDistance.nearest(suite.name.text, in: names.map(\.text)) {
            advice = "did you mean \(near)?"
        } else {
            let list = holders.prefix(Self.named).map { "\($0.name) (\($0.records))" }.joined(separator: ", ")
            advice = "suites with pending records: \(list)" + (holders.count > Self.named ? ", …" : "")
        }
        let isNamed = arguments["suite"] != nil
        let text =
            "there is no suite \(suite.name)\(isNamed ? "" : ", the default"), so nothing is pending in it; \(advice)"
        return Diagnostic("noSuite", text, path: isNamed ? arguments.path("suite") : nil)
    }

    /// The member `diagnostics` of a reply about a suite that does not exist; no member if it exists.
    func missingSuiteMembers(_ suite: Suite, _ arguments: Arguments) -> [(String, JSON)] {
        missingSuite(suite, arguments).map { [("diagnostics", [$0.json])] } ?? []
    }
}
