internal import JSON

extension CheckReport {
    /// Reasons of a call of the extension that the host refused: what it wanted was not done.
    private static let refusals = [
        "invalidParams", "invalidRecord", "invalidSuiteName", "methodNotFound", "missingParam", "mistypedParam",
        "notEntitled", "reservedKey", "unknownParam",
    ]

    /// Adds the diagnostics of a reply.
    ///
    /// - Parameters:
    ///   - diagnostics: The member of the reply, if it is present.
    ///   - place: What they are about.
    func add(diagnostics: JSON?, _ place: String) {
        // The host reported an ignored key when it loaded the bundle.
        for diagnostic in diagnostics?.array.map({ Array($0) }) ?? [] where diagnostic["reason"] != "ignoredInfoKey" {
            let path = diagnostic["path"]?.string.map { " (\($0))" } ?? ""
            let isRefusal = Self.refusals.contains(diagnostic["reason"]?.string ?? "")
            add(isRefusal ? .error : .warning, place, (diagnostic["message"]?.string ?? "") + path)
        }
    }
}
