/// Which module a file may import: a target exists because it alone may touch
/// a dependency or has a reason of its own to change.
struct ImportRules {
    /// What each folder of `Sources` may import beside what all above JSON may.
    static let targets: [String: Set<String>] = [
        "JSON": ["CJansson"],
        "JSONRPC": ["JSON"],
        "Platform": ["CSystem"],
        "PropertyLists": ["Platform"],
        "Localization": ["Platform", "PropertyLists"],
        "Spelling": [],
        "BrazeRules": ["Platform", "Spelling"],
        "ExtensionKit": ["CSystem", "JSONRPC", "Localization"],
        "Suites": ["CSuites", "CSystem", "GRDB", "GRDBSQLite", "Platform"],
        "ExtensionHost": ["CSystem", "Contract", "JSONRPC", "Localization", "Platform", "PropertyLists"],
        "HTTPClient": ["CCurl"],
        "Contract": ["CContract", "JSONRPC"],
        "Delivery": ["BrazeRules", "Contract", "Platform", "Suites"],
        "Notifications": ["BrazeRules", "Contract", "JSONRPC", "Localization", "Platform", "Spelling"],
        "HostCore": [
            "BrazeRules", "CSystem", "Contract", "Delivery", "ExtensionHost", "JSONRPC", "Localization",
            "Notifications", "Platform",
            "PropertyLists",
            "Recording", "Spelling", "Suites",
        ],
        "Recording": ["CSystem", "Contract", "JSONRPC", "Platform"],
        "HostClient": ["CSystem", "JSONRPC", "Platform"],
        "pushhost": [
            "ArgumentParser", "BrazeRules", "CSystem", "Contract", "Delivery", "ExtensionHost", "HostClient",
            "HostCore", "JSONRPC", "Localization", "Platform", "PropertyLists", "Recording", "Spelling",
        ],
    ]

    /// What every target above JSON may import; Glibc and Darwin are the system itself.
    static let everywhere: Set<String> = [
        "Darwin", "Foundation", "FoundationEssentials", "Glibc", "JSON", "Logging", "Synchronization",
    ]

    /// What a bundle written in Swift may import beside that: HTTP is the business of bundles.
    static let bundles: Set<String> = ["ExtensionKit", "HTTPClient"]

    /// What the file at a path from the root may import; nothing where no rule knows its folder.
    static func allowed(in path: String) -> Set<String>? {
        let folders = path.split(separator: "/").map(String.init)
        guard folders.count > 2 else { return nil }
        switch folders[0] {
        case "Sources": return targets[folders[1]].map { folders[1] == "JSON" ? $0 : $0.union(everywhere) }
        case "plugins": return bundles.union(everywhere).union(folders[1] == "braze" ? ["BrazeRules"] : [])
        default: return nil
        }
    }

    /// Every import of a Swift file at a path from the root that the rules do not allow, each in a sentence.
    static func violations(in text: String, at path: String) -> [String] {
        guard let allowed = allowed(in: path) else { return ["\(path) belongs to no target of the table"] }
        return imports(in: text).filter { !allowed.contains($0) }.map { "\(path) must not import \($0)" }
    }

    /// The modules that a Swift text imports, in whatever form.
    static func imports(in text: String) -> [String] {
        let statement =
            #/
            ^ \s* (?: @ \w+ (?: \( [^)]* \) )? \s+ )*                          # attributes
            (?: (?: public | package | internal | fileprivate | private ) \s+ )?  # access
            import \s+
            (?: (?: struct | class | enum | protocol | typealias | func | let | var | actor ) \s+ )?
            `? (?<module> \w+ )
            /#
        return text.split(whereSeparator: { $0.isNewline || $0 == ";" })
            .compactMap { line in line.prefixMatch(of: statement).map { String($0.output.module) } }
    }
}
