internal import Foundation

/// The build settings of a target: layers of names and values, of which a higher one hides or extends a lower one.
package struct BuildSettings {
    /// From the lowest layer, Xcode's defaults, to the highest, the target's own.
    private var layers: [[String: String]]

    /// Settings without a layer but the given ones, the lowest first.
    package init(layers: [[String: String]]) { self.layers = layers }

    /// Adds a layer above the others.
    ///
    /// - Parameters:
    ///   - layer: The names, with or without conditions such as `[sdk=iphoneos*]`.
    ///   - configuration: The name of the configuration that is built.
    mutating func add(_ layer: [String: String], configuration: String) {
        layers.append(Self.unconditional(layer, configuration: configuration))
    }

    /// The value of a setting with all variables expanded; nil if no layer has it, or if it is empty.
    package subscript(name: String) -> String? {
        let value = value(of: name, below: layers.count, depth: 0)?.trimmingCharacters(in: .whitespaces)
        return value?.isEmpty == false ? value : nil
    }

    /// Whether a setting is `YES`.
    package func isOn(_ name: String) -> Bool { ["YES", "TRUE", "1"].contains(self[name]?.uppercased()) }

    /// The words of a setting; those in quotes may have blanks.
    package func words(_ name: String) -> [String] { self[name].map(Self.words) ?? [] }

    /// The names of all settings that begin with a prefix.
    package func names(prefix: String) -> [String] {
        Set(layers.joined().map(\.key)).filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// A text with its variables `$(NAME)` and `${NAME}` replaced.
    package func expanded(_ text: String) -> String { expanded(text, inherited: nil, below: layers.count, depth: 0) }

    // MARK: Values

    /// The deepest nesting of variables; a deeper one refers to itself.
    private static let depthLimit = 32

    private func value(of name: String, below level: Int, depth: Int) -> String? {
        guard depth < Self.depthLimit, let found = layers[..<level].lastIndex(where: { $0[name] != nil }),
            let text = layers[found][name]
        else { return nil }
        return expanded(text, inherited: name, below: found, depth: depth)
    }

    // `name` is the setting whose value the text is, for `$(inherited)`; what it inherits is below `level`.
    private func expanded(_ text: String, inherited name: String?, below level: Int, depth: Int) -> String {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            guard let variable = Self.variable(rest) else {
                result += "$"
                rest = rest.dropFirst()
                continue
            }
            rest = rest[variable.end...]
            let inner = expanded(String(variable.text), inherited: name, below: level, depth: depth + 1)
            var parts = inner.split(separator: ":", omittingEmptySubsequences: false).map(String.init)[...]
            let variableName = parts.removeFirst()
            let value: String?
            if variableName == "inherited" || variableName == name {
                value = name.flatMap { self.value(of: $0, below: level, depth: depth + 1) }
            } else {
                value = self.value(of: variableName, below: layers.count, depth: depth + 1)
            }
            result += parts.reduce(value ?? "") { Self.applied($1, to: $0) }
        }
        return result + rest
    }

    /// The text between the parentheses of a variable at the beginning of a text, with their nesting.
    private static func variable(_ text: Substring) -> (text: Substring, end: Substring.Index)? {
        let body = text.dropFirst()
        guard let opening = body.first, opening == "(" || opening == "{" else { return nil }
        let closing: Character = opening == "(" ? ")" : "}"
        var depth = 0
        for index in body.indices {
            if body[index] == opening { depth += 1 }
            if body[index] == closing { depth -= 1 }
            guard depth == 0 else { continue }
            return (body[body.index(after: body.startIndex)..<index], body.index(after: index))
        }
        return nil
    }

    /// What an operator of a variable makes of its value.
    private static func applied(_ operation: String, to value: String) -> String {
        let url = URL(fileURLWithPath: value)
        switch operation {
        case "rfc1034identifier": return String(value.map { isASCIIWord($0) || "-.".contains($0) ? $0 : "-" })
        case "c99extidentifier", "identifier":
            let name = String(value.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
            return name.first?.isNumber == true ? "_\(name)" : name
        case "lower": return value.lowercased()
        case "upper": return value.uppercased()
        case "base": return url.deletingPathExtension().lastPathComponent
        case "file": return url.lastPathComponent
        case "dir": return url.deletingLastPathComponent().path + "/"
        case "suffix": return url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        case _ where operation.hasPrefix("default="):
            return value.isEmpty ? String(operation.dropFirst("default=".count)) : value
        default: return value
        }
    }

    private static func isASCIIWord(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }

    // MARK: Layers

    /// A layer of a project file, whose values are texts or lists of them.
    static func layer(_ settings: [String: Any]) -> [String: String] {
        settings.compactMapValues { value in
            if let list = value as? [String] { return list.map(quoted).joined(separator: " ") }
            return value as? String
        }
    }

    /// A layer without conditions: a value whose conditions are met takes the place of the general one.
    private static func unconditional(_ layer: [String: String], configuration: String) -> [String: String] {
        var result = layer.filter { !$0.key.contains("[") }
        // The more conditions, the stronger; among equals the order does not matter to an extension.
        let conditional = layer.filter { $0.key.contains("[") }
            .sorted { ($0.key.filter { $0 == "=" }.count, $0.key) < ($1.key.filter { $0 == "=" }.count, $1.key) }
        for (key, value) in conditional {
            let parts = key.split { "[]".contains($0) }.map(String.init)
            let conditions = parts.dropFirst().flatMap { $0.split(separator: ",") }
            guard let name = parts.first, conditions.allSatisfy({ isMet($0, configuration: configuration) }) else {
                continue
            }
            result[name] = value
        }
        return result
    }

    /// Whether a condition such as `sdk=iphoneos*` holds for a phone or its simulator.
    private static func isMet(_ condition: Substring, configuration: String) -> Bool {
        let parts = condition.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2 else { return false }
        switch parts[0] {
        case "sdk": return ["iphoneos", "iphonesimulator"].contains { matches($0, parts[1]) }
        case "config": return matches(configuration, parts[1])
        case "arch": return matches("arm64", parts[1])
        default: return false
        }
    }

    /// Whether a text matches a pattern whose last character may be `*`; a version after the name is ignored.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard pattern.hasSuffix("*") else { return text == pattern }
        let prefix = pattern.dropLast()
        return text.hasPrefix(prefix) || prefix.dropLast(while: { $0.isNumber || $0 == "." }) == text
    }

    // MARK: Words

    private static func quoted(_ word: String) -> String { word.contains(" ") ? "\"\(word)\"" : word }

    /// The words of a text, as a shell would split it.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            switch character {
            case quote: quote = nil
            case _ where quote == nil && (character == "\"" || character == "'"):
                quote = character
                word = word ?? ""
            case " ", "\t", "\n":
                guard quote == nil else {
                    word?.append(character)
                    continue
                }
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}

extension Substring {
    /// The text without the characters at its end that meet a condition.
    fileprivate func dropLast(while condition: (Character) -> Bool) -> Substring {
        self[..<(lastIndex { !condition($0) }.map(index(after:)) ?? startIndex)]
    }
}
