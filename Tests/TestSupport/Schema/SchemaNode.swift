import JSON

/// One schema while it is parsed: typed access to its members, and the rules of its subschemas.
struct SchemaNode {
    /// Every keyword that constrains a value.
    static let keywords: Set<String> = [
        "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "contains", "dependencies",
        "else", "enum", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxItems", "maxLength",
        "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf",
        "pattern", "patternProperties", "properties", "propertyNames", "required", "then", "type", "uniqueItems",
    ]

    let schema: JSON
    let location: String
    /// The rule at a relative JSON Pointer.
    let child: (String) throws -> SchemaRule
    /// The rule to which a reference refers.
    let target: (String) throws -> SchemaRule

    func error(_ sentence: String) -> SchemaError { SchemaError(location: location, sentence: sentence) }

    /// The constraints on a value, except references.
    func keywords() throws -> [SchemaKeyword] {
        try general() + texts() + numbers() + arrays() + objects() + combinations()
    }

    // MARK: Keywords

    private func general() throws -> [SchemaKeyword] {
        var keywords: [SchemaKeyword] = []
        if let type = schema["type"] {
            let names = try type.string.map { [$0] } ?? texts("type")
            let types = names.map(SchemaTypes.init(named:))
            guard !types.contains([]), !types.isEmpty else { throw error("has the unknown type \(type)") }
            keywords.append(.type(types.reduce([]) { $0.union($1) }))
        }
        if let values = try list("enum") { keywords.append(.oneValue(of: values, keyword: "enum")) }
        if let value = schema["const"] { keywords.append(.oneValue(of: [value], keyword: "const")) }
        return keywords
    }

    private func texts() throws -> [SchemaKeyword] {
        var keywords: [SchemaKeyword] = []
        if let range = try range("minLength", "maxLength") { keywords.append(.length(range)) }
        if let text = try text("pattern") { keywords.append(.pattern(try pattern(text))) }
        if let name = try text("format") {
            guard let format = SchemaFormat(rawValue: name) else { throw error("has the unknown format \(name)") }
            keywords.append(.format(format))
        }
        return keywords
    }

    private func numbers() throws -> [SchemaKeyword] {
        var keywords: [SchemaKeyword] = []
        if let bound = try number("minimum") { keywords.append(.minimum(bound, isExclusive: false)) }
        if let bound = try number("exclusiveMinimum") { keywords.append(.minimum(bound, isExclusive: true)) }
        if let bound = try number("maximum") { keywords.append(.maximum(bound, isExclusive: false)) }
        if let bound = try number("exclusiveMaximum") { keywords.append(.maximum(bound, isExclusive: true)) }
        if let divisor = try number("multipleOf") {
            guard divisor.value.number ?? 0 > 0 else { throw error("has a multipleOf that is not positive") }
            keywords.append(.multipleOf(divisor))
        }
        return keywords
    }

    private func arrays() throws -> [SchemaKeyword] {
        var keywords: [SchemaKeyword] = []
        if let range = try range("minItems", "maxItems") { keywords.append(.count(range)) }
        let additional = try rule("additionalItems")
        if let first = schema["items"]?.array {
            let rules = try first.indices.map { try child("items/\($0)") }
            keywords.append(.items(first: rules, rest: additional))
        } else if let rest = try rule("items") {
            keywords.append(.items(first: [], rest: rest))
        }
        if let element = try rule("contains") { keywords.append(.contains(element)) }
        if try flag("uniqueItems") { keywords.append(.uniqueItems) }
        return keywords
    }

    private func objects() throws -> [SchemaKeyword] {
        var keywords: [SchemaKeyword] = []
        if let range = try range("minProperties", "maxProperties") { keywords.append(.memberCount(range)) }
        if schema["required"] != nil { keywords.append(.required(try texts("required"))) }
        var members = SchemaMembers(additional: try rule("additionalProperties"))
        members.isDeclaring = schema["properties"] != nil
        for (name, rule) in try rules(in: "properties") { members.properties[name] = (name, rule) }
        members.patterns = try rules(in: "patternProperties").map { (try pattern($0.name), $0.rule) }
        if members.isDeclaring || !members.patterns.isEmpty || members.additional != nil {
            keywords.append(.members(members))
        }
        if let names = try rule("propertyNames") { keywords.append(.propertyNames(names)) }
        if let dependencies = try object("dependencies") {
            keywords.append(
                .dependencies(
                    try dependencies.map { name, value in
                        if value.array != nil { return (name, try texts(value, of: "dependencies"), nil) }
                        return (name, [], try child("dependencies/\(JSONPointer.escape(name))"))
                    }
                )
            )
        }
        return keywords
    }

    private func combinations() throws -> [SchemaKeyword] {
        var keywords: [SchemaKeyword] = []
        if let all = try ruleList("allOf") { keywords.append(.allOf(all)) }
        if let any = try ruleList("anyOf") { keywords.append(.anyOf(any)) }
        if let one = try ruleList("oneOf") { keywords.append(.oneOf(one)) }
        if let not = try rule("not") { keywords.append(.not(not)) }
        let branches = (try rule("then"), try rule("else"))
        if let condition = try rule("if") {
            keywords.append(.condition(condition, then: branches.0, otherwise: branches.1))
        }
        return keywords
    }

    // MARK: Members

    func text(_ keyword: String) throws -> String? {
        guard let value = schema[keyword] else { return nil }
        guard let text = value.string else { throw error("has a \(keyword) that is not a string") }
        return text
    }

    /// The schemas in an object of schemas, by name.
    func rules(in keyword: String) throws -> [(name: String, rule: SchemaRule)] {
        try object(keyword).map { members in
            try members.map { ($0.name, try child("\(keyword)/\(JSONPointer.escape($0.name))")) }
        } ?? []
    }

    private func rule(_ keyword: String) throws -> SchemaRule? { try schema[keyword].map { _ in try child(keyword) } }

    private func ruleList(_ keyword: String) throws -> [SchemaRule]? {
        guard let schemas = try list(keyword) else { return nil }
        guard !schemas.isEmpty else { throw error("has an empty \(keyword)") }
        return try schemas.indices.map { try child("\(keyword)/\($0)") }
    }

    private func list(_ keyword: String) throws -> [JSON]? {
        guard let value = schema[keyword] else { return nil }
        guard let list = value.array else { throw error("has a \(keyword) that is not an array") }
        return Array(list)
    }

    private func object(_ keyword: String) throws -> JSON.Object? {
        guard let value = schema[keyword] else { return nil }
        guard let object = value.object else { throw error("has a \(keyword) that is not an object") }
        return object
    }

    private func texts(_ keyword: String) throws -> [String] { try texts(schema[keyword] ?? .null, of: keyword) }

    private func texts(_ value: JSON, of keyword: String) throws -> [String] {
        guard let list = value.array, list.allSatisfy({ $0.string != nil }) else {
            throw error("has a \(keyword) that is not an array of strings")
        }
        return list.compactMap(\.string)
    }

    private func flag(_ keyword: String) throws -> Bool {
        guard let value = schema[keyword] else { return false }
        guard let flag = value.bool else { throw error("has a \(keyword) that is not a boolean") }
        return flag
    }

    private func number(_ keyword: String) throws -> SchemaNumber? {
        guard let value = schema[keyword] else { return nil }
        guard let number = SchemaNumber(value) else { throw error("has a \(keyword) that is not a number") }
        return number
    }

    private func pattern(_ text: String) throws -> SchemaPattern {
        guard let pattern = SchemaPattern(text) else { throw error("has a pattern that cannot be checked: \(text)") }
        return pattern
    }

    private func range(_ lower: String, _ upper: String) throws -> ClosedRange<Int>? {
        guard schema[lower] != nil || schema[upper] != nil else { return nil }
        let bounds = (try count(lower) ?? 0, try count(upper) ?? Int.max)
        guard bounds.0 <= bounds.1 else { throw error("has a \(lower) above its \(upper)") }
        return bounds.0...bounds.1
    }

    private func count(_ keyword: String) throws -> Int? {
        guard let value = schema[keyword] else { return nil }
        guard let number = value.number, number >= 0, let count = Int(exactly: number) else {
            throw error("has a \(keyword) that is not a natural number")
        }
        return count
    }
}
