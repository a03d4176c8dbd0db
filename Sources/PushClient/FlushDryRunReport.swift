package import JSON
internal import Platform

/// What a dry run of a flush says, for people.
package struct FlushDryRunReport {
    private let suite: String
    private let destination: String
    private let result: JSON

    /// The report about the result of `flushPending`.
    package init(suite: String, destination: String, result: JSON) {
        (self.suite, self.destination, self.result) = (suite, destination, result)
    }

    /// The report.
    package var text: String {
        let requests = result["requests"]?.array.map(Array.init) ?? []
        let records = count("records")
        var summary = "\(suite) to \(destination): would send \(Self.counted(records, "record"))"
        if !requests.isEmpty { summary += " in \(Self.counted(Int64(requests.count), "request"))" }
        for (member, word) in [("rejected", "reject"), ("held", "hold")] where count(member) > 0 {
            summary += ", would \(word) \(count(member))"
        }
        if count("omitted") > 0 { summary += "; \(count("omitted")) more are pending and not shown" }
        return ([summary] + requests.map(Self.text)).map { "\($0)\n" }.joined(separator: "\n")
    }

    private func count(_ member: String) -> Int64 { result[member]?.integer ?? 0 }

    private static func counted(_ count: Int64, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    private static func text(_ request: JSON) -> String {
        var lines = ["\(request["method"]?.string ?? "") \(request["url"]?.string ?? "")"]
        for (name, value) in request["headers"]?.object.map(Array.init) ?? [] {
            lines.append("\(name): \(value.string ?? "")")
        }
        if let body = request["body"], !body.isNull {
            if request["method"]?.string == "append", let records = body.array {
                lines += records.map(\.description)
            } else {
                lines += body.indented().split(separator: "\n").map(String.init)
            }
        }
        return lines.map(PlainText.escaped).joined(separator: "\n")
    }
}

extension JSON {
    /// The value as JSON for people: indented, with an object or array on one line if it is short.
    fileprivate func indented(by depth: Int = 0, width: Int = 100) -> String {
        let line = description
        guard line.count > width - 2 * depth else { return line }
        let (inner, outer) = (String(repeating: "  ", count: depth + 1), String(repeating: "  ", count: depth))
        if let object {
            let members = object.map { name, value in
                "\(inner)\(JSON.string(name)): \(value.indented(by: depth + 1, width: width))"
            }
            return members.isEmpty ? "{}" : "{\n\(members.joined(separator: ",\n"))\n\(outer)}"
        }
        if let array {
            let elements = array.map { inner + $0.indented(by: depth + 1, width: width) }
            return elements.isEmpty ? "[]" : "[\n\(elements.joined(separator: ",\n"))\n\(outer)]"
        }
        return line
    }
}
