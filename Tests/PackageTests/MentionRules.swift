/// Names of a library that only one target may speak of, in code and comments alike.
struct MentionRules: Sendable {
    /// The folders that may.
    let folders: [String]
    /// What belongs to the library.
    let names: [String]
    /// Beginnings of identifiers that belong to the library.
    let prefixes: [String]
    /// Names that begin so and belong to something else.
    var exceptions: [String] = []

    /// Jansson's trees are JSON's alone.
    static let jansson = MentionRules(
        folders: ["Sources/CJansson/", "Sources/JSON/"],
        names: ["CJansson", "jansson"],
        prefixes: ["json_", "JSON_", "cjansson_"],
        // A function of SQLite's.
        exceptions: ["json_valid"]
    )

    /// SQLite is Suites' alone.
    static let database = MentionRules(
        folders: ["Sources/CSuites/", "Sources/Suites/"],
        names: ["GRDB", "DatabaseQueue", "DatabasePool", "DatabaseError"],
        prefixes: ["sqlite3_", "SQLITE_"]
    )

    /// The names that a file at a path from the root mentions where it must not, each once, sorted.
    func violations(in text: String, at path: String) -> [String] {
        guard !folders.contains(where: path.hasPrefix) else { return [] }
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
        let found = words.filter { word in names.contains(String(word)) || prefixes.contains { word.hasPrefix($0) } }
            .filter { !exceptions.contains(String($0)) }
        return Set(found.map(String.init)).sorted()
    }
}
