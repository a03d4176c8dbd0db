import JSON

/// One validation of a value: the current location in the value, and the findings.
struct SchemaCheck {
    /// The members of an object that are known to the schemas that apply to it.
    struct Marks {
        var known: [Bool] = []
        /// Whether one of the schemas declares members, so that undeclared ones are unknown.
        var isDeclared = false

        mutating func mark(_ index: Int, of count: Int) {
            if known.isEmpty { known = Array(repeating: false, count: count) }
            known[index] = true
        }

        mutating func merge(_ other: Self) {
            isDeclared = isDeclared || other.isDeclared
            for (index, isKnown) in other.known.enumerated() where isKnown { mark(index, of: other.known.count) }
        }
    }

    private enum Step {
        case name(String)
        case index(Int)
    }

    private(set) var isClosed: Bool
    private(set) var findings: [SchemaFinding] = []
    private var path: [Step] = []

    init(isClosed: Bool) { self.isClosed = isClosed }

    /// Checks a value to which a schema applies, and members that no schema names.
    mutating func check(_ value: JSON, _ rule: SchemaRule) {
        var marks = Marks()
        apply(rule, to: value, &marks)
        guard isClosed, marks.isDeclared, let object = value.object else { return }
        for (index, member) in object.enumerated() where marks.known.isEmpty || !marks.known[index] {
            path.append(.name(member.name))
            add("is a member that the schema does not name", rule, "properties")
            path.removeLast()
        }
    }

    /// Checks a value with one of the schemas that apply to it.
    private mutating func apply(_ rule: SchemaRule, to value: JSON, _ marks: inout Marks) {
        for keyword in rule.keywords {
            switch keyword {
            case .nothing: add("is not allowed", rule, "")
            case .type(let types):
                if types.isDisjoint(with: SchemaTypes(of: value)) {
                    add("is of type \(value.typeName), not \(types.words)", rule, "type")
                }
            case .oneValue(let values, let keyword):
                if !values.contains(where: value.isSameValue) {
                    add("is \(value.short), not \(values.map(\.short).joined(separator: " or "))", rule, keyword)
                }
            case .reference(let target): apply(target, to: value, &marks)
            case .allOf, .anyOf, .oneOf, .not, .condition: combine(keyword, rule, value, &marks)
            default:
                switch value {
                case .string(let text): checkText(text, keyword, rule)
                case .integer, .real: checkNumber(value, keyword, rule)
                case .array(let array): checkArray(array, keyword, rule)
                case .object(let object): checkObject(object, value, keyword, rule, &marks)
                default: break
                }
            }
        }
    }

    // MARK: Findings

    mutating func add(_ sentence: String, _ rule: SchemaRule, _ keyword: String) {
        let place = keyword.isEmpty ? rule.location : "\(rule.location)/\(keyword)"
        findings.append(SchemaFinding(instance: pointer, schema: place, sentence: sentence))
    }

    private var pointer: String {
        path.map { step in
            switch step {
            case .name(let name): "/\(JSONPointer.escape(name))"
            case .index(let index): "/\(index)"
            }
        }
        .joined()
    }

    mutating func check(_ value: JSON, named name: String, _ rule: SchemaRule) {
        path.append(.name(name))
        check(value, rule)
        path.removeLast()
    }

    mutating func check(_ value: JSON, at index: Int, _ rule: SchemaRule) {
        path.append(.index(index))
        check(value, rule)
        path.removeLast()
    }

    /// The findings of a schema, without recording them.
    mutating func trial(_ rule: SchemaRule, _ value: JSON, isClosed: Bool) -> (marks: Marks, findings: [SchemaFinding])
    {
        let before = (findings, self.isClosed)
        findings = []
        self.isClosed = isClosed
        defer { (findings, self.isClosed) = before }
        var marks = Marks()
        apply(rule, to: value, &marks)
        return (marks, findings)
    }

    /// Checks a value at the same location with an additional schema.
    mutating func join(_ rule: SchemaRule, _ value: JSON, _ marks: inout Marks) { apply(rule, to: value, &marks) }
}

extension JSON {
    /// The value, for a sentence.
    fileprivate var short: String {
        let text = description
        return text.count > 60 ? "\(text.prefix(60))…" : text
    }
}
