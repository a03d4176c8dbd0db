import Foundation
import TestSupport
import Testing

@testable import Calls
@testable import HostCore
@testable import JSONRPC

/// The table of `protocol/reference/order.md`, which is generated from the declarations of the methods.
@Suite struct OrderPageTests {
    private static let page = "\(repositoryRoot)/protocol/reference/order.md"
    private static let (start, end) = ("<!-- order:begin -->\n", "<!-- order:end -->")

    private static func words(_ kind: AccessRule.Kind) -> String {
        switch kind {
        case .pending: "records of the suite"
        case .everyPending: "records of every suite"
        case .defaults: "keys of the suite"
        case .key: "the key"
        case .flush: "flush of the suite"
        case .presentation: "the presentation"
        case .newPresentation: "a new presentation"
        case .everyPresentation: "every presentation"
        case .shown: "what the extension shows"
        case .everyShown: "what every extension shows"
        case .queue: "queue of the extension"
        case .bundles: "bundles"
        }
    }

    private static func word(_ mode: Mode) -> String { mode == .append ? "append to" : mode.rawValue }

    private static func needs(_ rules: AccessRules) -> String {
        let all = rules.compactMap { rule in rule.needs.map { "\(word($0)) \(words(rule.kind))" } }
        return unique(all)
    }

    private static func holds(_ rules: AccessRules) -> String {
        unique(
            rules.map { rule in
                "\(word(rule.holds)) \(words(rule.kind))"
                    + (rule.duration == .untilStarted ? ", until it starts" : "")
            }
        )
    }

    private static func unique(_ words: [String]) -> String {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }.joined(separator: "; ")
    }

    private static var table: String {
        let table = TestedEngine.methods.client
        var rows: [(methods: [String], needs: String, holds: String)] = []
        var free: [String] = []
        func add(_ name: String, _ rules: AccessRules) {
            let (needs, holds) = (needs(rules), holds(rules))
            if let index = rows.firstIndex(where: { $0.needs == needs && $0.holds == holds }) {
                rows[index].methods.append(name)
            } else {
                rows.append(([name], needs, holds))
            }
        }
        for signature in table.signatures {
            switch table[signature.name]?.handler {
            case .ordered(let method): add("`\(signature.name)`", method.rules)
            case .free: free.append("`\(signature.name)`")
            case nil: break
            }
        }
        add("`didReceive`, if a presentation of its thread may exist", .joinPresentation)
        add("`didReceive`, while another extension may change it", .changeNotification)
        let lines = rows.map { "| \($0.methods.joined(separator: ", ")) | \($0.needs) | \($0.holds) |\n" }
        return "| request | needs | holds |\n|---|---|---|\n" + lines.joined()
            + "| \(free.joined(separator: ", ")) | nothing | nothing |\n"
    }

    @Test("The table of the page matches the declarations of the methods (PUSHHOST_UPDATE_PAGES=1 writes it)")
    func table() throws {
        let text = try String(contentsOfFile: Self.page, encoding: .utf8)
        let before = try #require(text.firstRange(of: Self.start))
        let after = try #require(text.firstRange(of: Self.end))
        let generated = Self.table
        if ProcessInfo.processInfo.environment["PUSHHOST_UPDATE_PAGES"] != nil {
            let new = text[..<before.upperBound] + generated + text[after.lowerBound...]
            try String(new).write(toFile: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(String(text[before.upperBound..<after.lowerBound]) == generated)
        }
    }
}
