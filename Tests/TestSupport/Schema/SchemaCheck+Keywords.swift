import JSON

/// The keywords that apply to one type of value; a keyword for another type has no effect.
extension SchemaCheck {
    mutating func checkText(_ text: String, _ keyword: SchemaKeyword, _ rule: SchemaRule) {
        switch keyword {
        case .length(let range):
            let length = text.unicodeScalars.count
            if length < range.lowerBound {
                addFinding("has \(length) characters, fewer than \(range.lowerBound)", rule, "minLength")
            }
            if length > range.upperBound {
                addFinding("has more than \(range.upperBound) characters", rule, "maxLength")
            }
        case .pattern(let pattern):
            if !pattern.matches(text) { addFinding("does not match \(pattern)", rule, "pattern") }
        case .format(let format):
            if !format.matches(text) { addFinding("is not a valid \(format.rawValue)", rule, "format") }
        default: break
        }
    }

    mutating func checkNumber(_ value: JSON, _ keyword: SchemaKeyword, _ rule: SchemaRule) {
        guard let number = SchemaNumber(value) else { return }
        switch keyword {
        case .minimum(let bound, let isExclusive):
            if number < bound || (isExclusive && number == bound) {
                let name = isExclusive ? "exclusiveMinimum" : "minimum"
                addFinding("is \(number), below the minimum \(bound)", rule, name)
            }
        case .maximum(let bound, let isExclusive):
            if number > bound || (isExclusive && number == bound) {
                let name = isExclusive ? "exclusiveMaximum" : "maximum"
                addFinding("is \(number), above the maximum \(bound)", rule, name)
            }
        case .multipleOf(let divisor):
            if !number.isMultiple(of: divisor) {
                addFinding("is \(number), not a multiple of \(divisor)", rule, "multipleOf")
            }
        default: break
        }
    }

    mutating func checkArray(_ array: JSON.Array, _ keyword: SchemaKeyword, _ rule: SchemaRule) {
        switch keyword {
        case .count(let range):
            if array.count < range.lowerBound {
                addFinding("has \(array.count) elements, fewer than \(range.lowerBound)", rule, "minItems")
            }
            if array.count > range.upperBound {
                addFinding("has more than \(range.upperBound) elements", rule, "maxItems")
            }
        case .items(let first, let rest):
            for (index, element) in array.enumerated() {
                if let own = first.indices.contains(index) ? first[index] : rest { check(element, at: index, own) }
            }
        case .contains(let wanted):
            let hasMatch = array.contains { trial(wanted, $0, isClosed: false).findings.isEmpty }
            if !hasMatch { addFinding("has no element that matches", rule, "contains") }
        case .uniqueItems:
            for (index, element) in array.enumerated() where array.prefix(index).contains(where: element.isSameValue) {
                addFinding("has the element at \(index) more than once", rule, "uniqueItems")
            }
        default: break
        }
    }

    mutating func checkObject(
        _ object: JSON.Object,
        _ value: JSON,
        _ keyword: SchemaKeyword,
        _ rule: SchemaRule,
        _ marks: inout Marks
    ) {
        switch keyword {
        case .memberCount(let range):
            if object.count < range.lowerBound {
                addFinding("has \(object.count) members, fewer than \(range.lowerBound)", rule, "minProperties")
            }
            if object.count > range.upperBound {
                addFinding("has more than \(range.upperBound) members", rule, "maxProperties")
            }
        case .required(let names):
            for name in names where object[name] == nil { addFinding("lacks \(name)", rule, "required") }
        case .members(let members): checkMembers(object, members, &marks)
        case .propertyNames(let names):
            for (name, _) in object { check(.string(name), named: name, names) }
        case .dependencies(let dependencies):
            for (name, others, further) in dependencies where object[name] != nil {
                for other in others where object[other] == nil {
                    addFinding("has \(name), but lacks \(other)", rule, "dependencies")
                }
                if let further { apply(further, to: value, &marks) }
            }
        default: break
        }
    }

    private mutating func checkMembers(_ object: JSON.Object, _ members: SchemaMembers, _ marks: inout Marks) {
        if members.isDeclaring && members.additional == nil { marks.isDeclared = true }
        let count = object.count
        for (index, (name, value)) in object.enumerated() {
            var isKnown = false
            if let own = members.rule(of: name) {
                check(value, named: name, own)
                isKnown = true
            }
            for (pattern, own) in members.patterns where pattern.matches(name) {
                check(value, named: name, own)
                isKnown = true
            }
            if !isKnown, let additional = members.additional {
                check(value, named: name, additional)
                isKnown = true
            }
            if isKnown { marks.mark(index, of: count) }
        }
    }

    // MARK: Combinations

    mutating func combine(_ keyword: SchemaKeyword, _ rule: SchemaRule, _ value: JSON, _ marks: inout Marks) {
        switch keyword {
        case .allOf(let all):
            for one in all { apply(one, to: value, &marks) }
        case .anyOf(let any): choose(any, "anyOf", rule, value, &marks)
        case .oneOf(let all): choose(all, "oneOf", rule, value, &marks)
        case .not(let not):
            if trial(not, value, isClosed: false).findings.isEmpty {
                addFinding("matches the schema that it must not match", rule, "not")
            }
        case .condition(let condition, let then, let otherwise):
            let trial = trial(condition, value, isClosed: false)
            if trial.findings.isEmpty {
                // A condition makes members known, but does not declare any.
                marks.merge(Marks(known: trial.marks.known))
                if let then { apply(then, to: value, &marks) }
            } else if let otherwise {
                apply(otherwise, to: value, &marks)
            }
        default: break
        }
    }

    /// Applies the schemas that match; at least one must match, and with `oneOf` exactly one.
    private mutating func choose(
        _ all: [SchemaRule],
        _ keyword: String,
        _ rule: SchemaRule,
        _ value: JSON,
        _ marks: inout Marks
    ) {
        let trials = all.map { trial($0, value, isClosed: isClosed) }
        let matching = trials.filter { $0.findings.isEmpty }
        for one in matching { marks.merge(one.marks) }
        if matching.isEmpty {
            // The schema with the fewest findings is probably the intended one.
            let nearest = trials.min { $0.findings.count < $1.findings.count }?.findings.first
            addFinding("matches none of \(keyword); nearest: \(nearest?.description ?? "none")", rule, keyword)
        } else if keyword == "oneOf" && matching.count > 1 {
            addFinding("matches \(matching.count) schemas of oneOf instead of one", rule, keyword)
        }
    }
}
