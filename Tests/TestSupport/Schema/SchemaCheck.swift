import JSON

/// One validation of a value: the current location in the value, and the findings.
struct SchemaCheck {
    /// Which members of an object are known to the schemas that apply to it.
    struct Marks {
        /// Whether each member is known, in the order of the object; empty if none is.
        var known: [Bool] = []
        /// Whether one of the schemas declares members, so that a closed check rejects the others.
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

    /// Checks a value; in a closed check, members that none of the schemas for it names are findings.
    mutating func check(_ value: JSON, _ rule: SchemaRule) {
        var marks = Marks()
        apply(rule, to: value, &marks)
        guard isClosed, marks.isDeclared, let object = value.object else { return }
        for (index, member) in object.enumerated() where marks.known.isEmpty || !marks.known[index] {
            path.append(.name(member.name))
            addFinding("is a member that the schema does not name", rule, "properties")
            path.removeLast()
        }
    }

    /// Checks a value with one of the schemas that apply to it, and marks the members that the schema knows.
    mutating func apply(_ rule: SchemaRule, to value: JSON, _ marks: inout Marks) {
        for keyword in rule.keywords {
            switch keyword {
            case .nothing: addFinding("is not allowed", rule, "")
            case .type(let types):
                if types.isDisjoint(with: SchemaTypes(of: value)) {
                    addFinding("is of type \(value.typeName), not \(types.words)", rule, "type")
                }
            case .oneValue(let values, let keyword):
                if !values.contains(where: value.isSameValue) {
                    addFinding(
                        "is \(value.excerpt), not \(values.map(\.excerpt).joined(separator: " or "))",
                        rule,
                        keyword
                    )
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

    mutating func addFinding(_ sentence: String, _ rule: SchemaRule, _ keyword: String) {
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

    /// The result of checking a value with a schema, without adding its findings to this check.
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

}

extension JSON {
    /// The value as JSON, shortened for a sentence.
    fileprivate var excerpt: String {
        let text = description
        return text.count > 60 ? "\(text.prefix(60))…" : text
    }
}
