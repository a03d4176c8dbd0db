import Contract
import JSON
import Platform

/// The pages of the contract that explain the codes of diagnostics, as files that an editor opens.
struct CodePages {
    private enum Page: String {
        case notifications = "notifications.md"
        case bundles = "bundles.md"

        var text: String {
            switch self {
            case .notifications: ContractDocuments.notificationsPage
            case .bundles: ContractDocuments.bundlesPage
            }
        }
    }

    /// The URI of each code by the name of its page; empty if the page cannot be written.
    private var known: [Page: [String: String]] = [:]

    /// Where a code is explained; the page is written on first use.
    ///
    /// - Parameters:
    ///   - code: The code of a diagnostic.
    ///   - kind: The kind of the document that has it.
    ///   - folder: The folder for the pages.
    /// - Returns: The URI with the line; nil if no page explains the code.
    mutating func uri(of code: String, _ kind: DocumentKind, in folder: String) -> String? {
        let page: Page
        switch kind {
        case .payload: page = .notifications
        case .infoPlist, .entitlements, .strings: page = .bundles
        case .session, .json, .program: return nil
        }
        if let codes = known[page] { return codes[code] }
        let path = "\(folder)/\(page.rawValue)"
        let isWritten = LanguageServer.write(Array(page.text.utf8), to: path, mode: 0o444) == nil
        let codes = isWritten ? Self.lines(of: page.text).mapValues { "\(LanguageServer.uri(path))#L\($0)" } : [:]
        known[page] = codes
        return codes[code]
    }

    /// The line of each code: that of the row of a table of reasons that has it in the first column.
    static func lines(of text: String) -> [String: Int] {
        var lines: [String: Int] = [:]
        var isReasons = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("|") else {
                isReasons = false
                continue
            }
            let column = line.dropFirst().prefix { $0 != "|" }
            if column == " reason " { isReasons = true }
            guard isReasons else { continue }
            for match in column.matches(of: /`(\w+)`/) where lines[String(match.1)] == nil {
                lines[String(match.1)] = index + 1
            }
        }
        return lines
    }
}
