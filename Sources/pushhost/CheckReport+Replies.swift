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
    ///   - diagnostics: The member of the reply, if it is there.
    ///   - place: What they are about.
    func add(remarks diagnostics: JSON?, _ place: String) {
        // The host told of an ignored key when it loaded the bundle.
        for diagnostic in diagnostics?.array.map({ Array($0) }) ?? [] where diagnostic["reason"] != "ignoredInfoKey" {
            let path = diagnostic["path"]?.string.map { " (\($0))" } ?? ""
            let isRefusal = Self.refusals.contains(diagnostic["reason"]?.string ?? "")
            add(isRefusal ? .error : .warning, place, (diagnostic["message"]?.string ?? "") + path)
        }
    }

    /// What the host says of a call that failed, with the place.
    static func message(of reply: JSON) -> String {
        let path = reply["error"]?["data"]?["path"]?.string.map { " (\($0))" } ?? ""
        return (reply["error"]?["message"]?.string ?? "the host gave no error") + path
    }
}
