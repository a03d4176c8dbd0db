import Contract
import Foundation
import JSON
import JSONRPC
import TestSupport

/// A document of the contract, which tests compare with the program.
///
/// Each comparison returns one sentence for each difference.
struct ContractDocument {
    let json: JSON

    init(_ json: JSON) { self.json = json }

    init(file: String) throws {
        json = try JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(repositoryRoot)/protocol/\(file)"))))
    }

    func schema(_ name: String) -> JSON? { json["components"]?["schemas"]?[name] }

    // MARK: Methods

    /// The parameters of each method that a caller may call; a name that ends in `?` is optional for it.
    func parameters(for caller: String) -> [String: [String]] {
        var result: [String: [String]] = [:]
        for method in json["methods"].elements where method["x-callers"].words.contains(caller) {
            let required = method["x-required-from"]?[caller].words ?? []
            result[method["name"].text] = method["params"].elements
                .filter { $0["x-callers"] == nil || $0["x-callers"].words.contains(caller) }
                .map { parameter in
                    let name = parameter["name"].text
                    return parameter["required"]?.bool == true || required.contains(name) ? name : name + "?"
                }
        }
        return result
    }

    func differences(from signatures: [Signature], for caller: String) -> [String] {
        let documented = parameters(for: caller)
        let known = Dictionary(
            uniqueKeysWithValues: signatures.map { signature in
                (signature.name, signature.parameters.map { $0.isRequired ? $0.name : $0.name + "?" })
            }
        )
        return Set(documented.keys).union(known.keys).sorted().compactMap { name in
            guard documented[name] != known[name] else { return nil }
            let sides = [known[name], documented[name]].map { $0?.joined(separator: ", ") ?? "absent" }
            return "\(caller): \(name) is (\(sides[0])) in the table and (\(sides[1])) in the document"
        }
    }

    // MARK: Errors

    /// Every error with its code and its reason.
    var errors: [ErrorRow] {
        json["x-errors"].elements.flatMap { row in
            row["reasons"].words.map { ErrorRow(code: row["code"]?.integer ?? 0, reason: $0) }
        }
    }

    /// The errors that a method may return, with references resolved; an unresolved one has the code 0.
    func errors(of method: JSON) -> [ErrorRow] {
        method["errors"].elements.flatMap { error in
            let name = error["$ref"].text.split(separator: "/").last.map(String.init) ?? ""
            return Self.rows(json["components"]?["errors"]?[name] ?? [:])
        }
    }

    /// The rows of an error object, whose data has one reason or an array of reasons.
    static func rows(_ error: JSON) -> [ErrorRow] {
        let reason = error["data"]?["reason"]
        let reasons = reason?.string.map { [$0] } ?? reason.words
        let code = error["code"]?.integer ?? 0
        return reasons.isEmpty ? [ErrorRow(code: code, reason: "")] : reasons.map { ErrorRow(code: code, reason: $0) }
    }
}

/// An error code with one of its reasons.
struct ErrorRow: Hashable, Comparable, CustomStringConvertible {
    let code: Int64
    let reason: String

    var description: String { "\(code) \(reason)" }

    static func < (left: ErrorRow, right: ErrorRow) -> Bool {
        (left.code, left.reason) < (right.code, right.reason)
    }

    /// The rows of the tables in a markdown text that begin with a number: `| 110 | `reason`, … |`.
    static func rows(inMarkdown text: String) -> [ErrorRow] {
        text.split(separator: "\n").flatMap { line -> [ErrorRow] in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count > 3, cells[2].hasPrefix(" `"), let code = Int64(cells[1].filter { $0 != " " })
            else { return [] }
            return cells[2].matches(of: /`(\w+)`/).map { ErrorRow(code: code, reason: String($0.output.1)) }
        }
    }
}

extension JSON? {
    var elements: [JSON] { self?.array.map(Array.init) ?? [] }
    var words: [String] { elements.compactMap(\.string) }
    var text: String { self?.string ?? "" }
}

/// The source text of the program.
enum Source {
    static func text(_ folder: String) throws -> String {
        let root = "\(repositoryRoot)/Sources/\(folder)"
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        return try files.sorted().map { try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8) }
            .joined(separator: "\n")
    }

    /// The text of every target that may contain reasons of the contract.
    static func host() throws -> String {
        let rooms = [
            "Calls", "Configuration", "Presenting", "Delivering", "Records", "Relay", "ModelContext", "HostCore",
        ]
        return try (["Contract", "Delivery", "Notifications"] + rooms).map(text).joined(separator: "\n")
    }

    /// The string literals that a text passes as `reason`.
    static func reasons(in text: String) -> Set<String> {
        Set(text.matches(of: /reason: (?:String = )?"(\w+)"/).map { String($0.output.1) })
    }

    /// The reasons of the diagnostics that a text creates.
    static func diagnostics(in text: String) -> Set<String> {
        Set(text.matches(of: /Diagnostic\((?:[^()"]*\?\? )?"(\w+)"/).map { String($0.output.1) })
    }
}
