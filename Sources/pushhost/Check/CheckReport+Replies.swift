internal import JSON

extension CheckReport {
    /// The reasons for which the host refuses a call of the extension.
    static let refusals = [
        "invalidParams", "invalidRecord", "invalidSuiteName", "methodNotFound", "missingParam", "mistypedParam",
        "notEntitled", "reservedKey", "unknownParam",
    ]

    /// Adds the diagnostics of a reply.
    ///
    /// - Parameters:
    ///   - diagnostics: The member of the reply; nil if it is absent.
    ///   - place: The place of the findings.
    func add(diagnostics: JSON?, _ place: String) {
        // An ignored key was reported when the host loaded the bundle.
        for diagnostic in diagnostics?.array.map({ Array($0) }) ?? [] where diagnostic["reason"] != "ignoredInfoKey" {
            let path = diagnostic["path"]?.string.map { " (\($0))" } ?? ""
            let isRefusal = Self.refusals.contains(diagnostic["reason"]?.string ?? "")
            addFinding(isRefusal ? .error : .warning, place, (diagnostic["message"]?.string ?? "") + path)
        }
    }
}
