/// Names of a library that only one target may mention, in code and in comments.
struct MentionRules: Sendable {
    /// The folders that may mention them.
    let folders: [String]
    /// Identifiers of the library.
    let names: [String]
    /// Prefixes of the library's identifiers.
    let prefixes: [String]
    /// Identifiers with such a prefix that do not belong to the library.
    var exceptions: [String] = []
    /// Names on the wire that equal one of the library; only as a text in quotes.
    var wireNames: [String] = []

    /// Only JSON uses Jansson's values.
    static let jansson = MentionRules(
        folders: ["Sources/CJansson/", "Sources/JSON/"],
        names: ["CJansson", "jansson"],
        prefixes: ["json_", "JSON_", "cjansson_"],
        // A function of SQLite.
        exceptions: ["json_valid"],
        // The library's version in the result of `status`, and a filter of Liquid.
        wireNames: ["jansson", "json_escape"]
    )

    /// Only Suites uses SQLite.
    static let database = MentionRules(
        folders: ["Sources/CSuites/", "Sources/Suites/"],
        names: ["GRDB", "DatabaseQueue", "DatabasePool", "DatabaseError"],
        prefixes: ["sqlite3_", "SQLITE_"]
    )

    /// The forbidden names in a file at a path relative to the root, without duplicates, sorted.
    func violations(in text: String, at path: String) -> [String] {
        guard !folders.contains(where: path.hasPrefix) else { return [] }
        let text = wireNames.reduce(text) { $0.replacing("\"\($1)\"", with: "") }
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
        let found = words.filter { word in names.contains(String(word)) || prefixes.contains { word.hasPrefix($0) } }
            .filter { !exceptions.contains(String($0)) }
        return Set(found.map(String.init)).sorted()
    }
}
