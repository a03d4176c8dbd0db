import JSON

/// The keywords that apply to one type of value; a keyword for another type has no effect.
extension SchemaCheck {
    mutating func checkText(_ text: String, _ keyword: SchemaKeyword, _ rule: SchemaRule) {
        switch keyword {
        case .length(let range):
            let length = text.unicodeScalars.count
            if length < range.lowerBound { add("has \(length) characters, not \(range.lowerBound)", rule, "minLength") }
            if length > range.upperBound { add("has more than \(range.upperBound) characters", rule, "maxLength") }
        case .pattern(let pattern):
            if !pattern.matches(text) { add("does not match \(pattern)", rule, "pattern") }
        case .format(let format):
            if !format.fits(text) { add("is no \(format.rawValue)", rule, "format") }
        default: break
        }
    }

    mutating func checkNumber(_ value: JSON, _ keyword: SchemaKeyword, _ rule: SchemaRule) {
        guard let number = SchemaNumber(value) else { return }
        switch keyword {
        case .minimum(let bound, let isExclusive):
            if number < bound || (isExclusive && number == bound) {
                let name = isExclusive ? "exclusiveMinimum" : "minimum"
                add("is \(number), too little beside \(bound)", rule, name)
            }
        case .maximum(let bound, let isExclusive):
            if number > bound || (isExclusive && number == bound) {
                let name = isExclusive ? "exclusiveMaximum" : "maximum"
                add("is \(number), too much beside \(bound)", rule, name)
            }
        case .multipleOf(let divisor):
            if !number.isMultiple(of: divisor) { add("is \(number), no multiple of \(divisor)", rule, "multipleOf") }
        default: break
        }
    }

    mutating func checkArray(_ array: JSON.Array, _ keyword: SchemaKeyword, _ rule: SchemaRule) {
        switch keyword {
        case .count(let range):
            if array.count < range.lowerBound {
                add("has \(array.count) elements, not \(range.lowerBound)", rule, "minItems")
            }
            if array.count > range.upperBound { add("has more than \(range.upperBound) elements", rule, "maxItems") }
        case .items(let first, let rest):
            for (index, element) in array.enumerated() {
                if let own = first.indices.contains(index) ? first[index] : rest { check(element, at: index, own) }
            }
        case .contains(let wanted):
            let isThere = array.contains { trial(wanted, $0, isClosed: false).findings.isEmpty }
            if !isThere { add("has no element that fits", rule, "contains") }
        case .uniqueItems:
            for (index, element) in array.enumerated() where array.prefix(index).contains(where: element.isSameValue) {
                add("has the element at \(index) twice", rule, "uniqueItems")
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
                add("has \(object.count) members, not \(range.lowerBound)", rule, "minProperties")
            }
            if object.count > range.upperBound {
                add("has more than \(range.upperBound) members", rule, "maxProperties")
            }
        case .required(let names):
            for name in names where object[name] == nil { add("lacks \(name)", rule, "required") }
        case .members(let members): checkMembers(object, members, &marks)
        case .propertyNames(let names):
            for (name, _) in object { check(.string(name), named: name, names) }
        case .dependencies(let dependencies):
            for (name, others, further) in dependencies where object[name] != nil {
                for other in others where object[other] == nil {
                    add("has \(name), but lacks \(other)", rule, "dependencies")
                }
                if let further { join(further, value, &marks) }
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
            for one in all { join(one, value, &marks) }
        case .anyOf(let any): choose(any, "anyOf", rule, value, &marks)
        case .oneOf(let all): choose(all, "oneOf", rule, value, &marks)
        case .not(let not):
            if trial(not, value, isClosed: false).findings.isEmpty { add("fits what it must not", rule, "not") }
        case .condition(let condition, let then, let otherwise):
            let holds = trial(condition, value, isClosed: false)
            if holds.findings.isEmpty {
                // The members that a condition evaluated are known, but it declares none.
                marks.merge(Marks(known: holds.marks.known))
                if let then { join(then, value, &marks) }
            } else if let otherwise {
                join(otherwise, value, &marks)
            }
        default: break
        }
    }

    /// Finds the schemas that match; one is required, and with `oneOf` exactly one.
    private mutating func choose(
        _ all: [SchemaRule],
        _ keyword: String,
        _ rule: SchemaRule,
        _ value: JSON,
        _ marks: inout Marks
    ) {
        let trials = all.map { trial($0, value, isClosed: isClosed) }
        let holding = trials.filter { $0.findings.isEmpty }
        for one in holding { marks.merge(one.marks) }
        if holding.isEmpty {
            // The one with the fewest findings is probably the one that was meant.
            let nearest = trials.min { $0.findings.count < $1.findings.count }?.findings.first
            add("fits none of \(keyword); nearest: \(nearest?.description ?? "none")", rule, keyword)
        } else if keyword == "oneOf" && holding.count > 1 {
            add("fits \(holding.count) of oneOf", rule, keyword)
        }
    }
}
