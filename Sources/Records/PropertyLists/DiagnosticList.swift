internal import Contract
internal import JSON

/// The diagnostics of a reply; only the first hundred of a large file are listed.
struct DiagnosticList {
    private static let limit = 100
    private var diagnostics: [Diagnostic] = []
    private var count = 0

    mutating func add(_ diagnostic: Diagnostic) {
        count += 1
        if count <= Self.limit { diagnostics.append(diagnostic) }
    }

    var json: JSON {
        let rest = count - diagnostics.count
        let last = rest > 0 ? [Diagnostic("moreDiagnostics", "there are \(rest) more, which are not listed")] : []
        return JSON((diagnostics + last).map(\.json))
    }
}
