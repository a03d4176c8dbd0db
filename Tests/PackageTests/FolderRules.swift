import Foundation
import TestSupport

/// Which folder of `HostCore` may name a type of which other folder.
///
/// The compiler checks the dependencies between targets; this table is the only check within a target.
struct FolderRules {
    /// The folders that each folder may use; no two folders may use each other.
    static let folders: [String: Set<String>] = [
        "Configuration": [],
        "Log": [],
        "Monitoring": ["Relay"],
        "Calls": ["Configuration"],
        "Jobs": ["Calls", "Configuration"],
        "PropertyLists": ["Jobs"],
        "Extensions": ["Calls", "Configuration", "Recording"],
        "Recording": ["Configuration"],
        "Delivery": ["Calls", "Configuration", "Extensions"],
        "Notifications": ["Calls", "Configuration", "Delivery", "Extensions"],
        "Relay": ["Configuration", "Delivery"],
        "Suites": ["Calls", "Configuration", "Delivery", "Jobs", "Notifications", "PropertyLists"],
        "MCP": ["Calls"],
        "Control": ["Calls", "Configuration", "Delivery", "Extensions", "Log", "Notifications"],
        "Methods": ["Calls", "Configuration", "Control", "Delivery", "Extensions", "Jobs", "Notifications", "Suites"],
        "Engine": [
            "Calls", "Configuration", "Control", "Delivery", "Extensions", "Jobs", "Log", "MCP", "Methods",
            "Notifications", "Recording", "Relay", "Suites",
        ],
        "Loop": ["Calls", "Configuration", "Engine", "Log", "Monitoring"],
    ]

    /// Each file's folder and its text without comments and strings.
    private let files: [(path: String, folder: String, text: String)]
    /// The folder that declares a type.
    private let declared: [String: String]

    /// Reads the texts of files by their paths, such as `Sources/HostCore/Calls/Peer.swift`.
    init(_ texts: [String: String]) {
        files = texts.sorted { $0.key < $1.key }.map { path, text in
            let code = text.replacing(#///[^\n]*/#, with: "").replacing(#/"(?:\\.|[^"\\\n])*"/#, with: "")
            return (path, String(path.split(separator: "/").dropLast().last ?? ""), code)
        }
        var declared: [String: String] = [:]
        for file in files {
            let declaration =
                #/(?m)^(?:(?:package|public|internal|final)\s+)*(?:class|struct|enum|protocol|typealias)\s+(\w+)/#
            for match in file.text.matches(of: declaration) { declared[String(match.output.1)] = file.folder }
        }
        self.declared = declared
    }

    /// Every use of a type that the table does not allow, each in a sentence.
    var violations: [String] {
        files.flatMap { file in
            guard let allowed = Self.folders[file.folder] else {
                return ["\(file.path) is in no folder of the table"]
            }
            let words = Set(file.text.matches(of: #/\b[A-Z]\w+/#).map { String($0.output) })
            return words.sorted().compactMap { word in
                guard let owner = declared[word], owner != file.folder, !allowed.contains(owner) else { return nil }
                return "\(file.path) must not use \(word) of \(owner)"
            }
        }
    }

    /// The pairs of folders of the table that may use each other in both directions.
    static var twoWayPairs: [String] {
        folders.flatMap { folder, used in
            used.filter { folder < $0 && folders[$0]?.contains(folder) == true }.map { "\(folder) and \($0)" }
        }
    }
}
