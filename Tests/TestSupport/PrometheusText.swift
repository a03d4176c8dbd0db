/// Metrics in Prometheus' text format, version 0.0.4, read strictly.
///
/// See "Exposition formats" in Prometheus' documentation.
public struct PrometheusText {
    /// A metric with its lines.
    public struct Metric {
        /// The type: counter, gauge, and so on.
        public var type: String?
        /// The help, unescaped.
        public var help: String?
        /// The values by their labels, such as `destination=braze`.
        public var samples: [[String: String]: Double] = [:]
    }

    /// The metrics by name.
    public private(set) var metrics: [String: Metric] = [:]

    /// Reads a text.
    ///
    /// - Throws: What violates the format, with the line.
    public init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw TestFailure("the last line has no line feed") }
        var current: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            do {
                let name = try read(line)
                if let name, name != current {
                    guard metrics[name]?.samples.isEmpty ?? true else { throw TestFailure("its lines are apart") }
                    current = name
                }
            } catch {
                throw TestFailure("\(error): \(line)")
            }
        }
        for (name, metric) in metrics where metric.samples.isEmpty { throw TestFailure("\(name) has no value") }
    }

    /// The only value of a metric without labels; nil if there is none.
    public subscript(name: String) -> Double? { metrics[name]?.samples[[:]] }

    /// Reads a line and returns the name of its metric.
    private mutating func read(_ line: Substring) throws -> String? {
        if line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            guard words.count > 2, words[0] == "#", words[1] == "HELP" || words[1] == "TYPE" else { return nil }
            let name = words[2]
            try require(Self.isName(name, allowsColon: true), "\(name) is no name")
            try require(metrics[name]?.samples.isEmpty ?? true, "it comes after values of \(name)")
            if words[1] == "HELP" {
                try require(metrics[name]?.help == nil, "a second help")
                metrics[name, default: Metric()].help = try Self.unescaped(
                    words.count > 3 ? words[3] : "",
                    quotes: false
                )
            } else {
                let types = ["counter", "gauge", "histogram", "summary", "untyped"]
                try require(words.count == 4 && types.contains(words[3]), "no known type")
                try require(metrics[name]?.type == nil, "a second type")
                metrics[name, default: Metric()].type = words[3]
            }
            return name
        }
        var rest = line
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        rest = rest.dropFirst(name.count)
        try require(Self.isName(name, allowsColon: true), "\(name) is no name")
        let labels = rest.first == "{" ? try Self.labels(&rest) : [:]
        let words = rest.split(separator: " ")
        try require(words.count == 1, "one value is needed")
        let special = ["+Inf": Double.infinity, "-Inf": -.infinity, "NaN": .nan]
        guard let value = special[String(words[0])] ?? Double(words[0]) else { throw TestFailure("no number") }
        try require(metrics[name]?.samples[labels] == nil, "a second value")
        metrics[name, default: Metric()].samples[labels] = value
        return name
    }

    private static func labels(_ rest: inout Substring) throws -> [String: String] {
        rest.removeFirst()
        var labels: [String: String] = [:]
        while rest.first != "}" {
            let name = String(rest.prefix { $0 != "=" })
            rest = rest.dropFirst(name.count)
            guard isName(name, allowsColon: false), rest.hasPrefix("=\"") else { throw TestFailure("no label") }
            rest = rest.dropFirst(2)
            var raw = ""
            while let character = rest.popFirst(), character != "\"" {
                raw.append(character)
                if character == "\\", let next = rest.popFirst() { raw.append(next) }
            }
            guard labels.updateValue(try unescaped(raw, quotes: true), forKey: name) == nil else {
                throw TestFailure("the label \(name) appears twice")
            }
            if rest.first == "," {
                rest.removeFirst()
            } else if rest.first != "}" {
                throw TestFailure("no end of labels")
            }
        }
        rest.removeFirst()
        return labels
    }

    private static func unescaped(_ text: String, quotes: Bool) throws -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\" else {
                result.append(character)
                continue
            }
            switch rest.popFirst() {
            case "\\": result.append("\\")
            case "n": result.append("\n")
            case "\"" where quotes: result.append("\"")
            default: throw TestFailure("an unknown escape")
            }
        }
        return result
    }

    private static func isName(_ name: String, allowsColon: Bool) -> Bool {
        guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || scalar == "_" || (scalar == ":" && allowsColon)
        }
    }

    private func require(_ condition: Bool, _ problem: String) throws {
        if !condition { throw TestFailure(problem) }
    }
}
