internal import JSON

extension RecordLimits {
    private static let place = RecordPlace("value")
    private static let tree = Tree.attribute("value")

    /// What stands beside attributes in Braze's object, so that an attribute of that name would change whose it is.
    static let controlMembers: Set<String> = [
        "external_id", "user_alias", "braze_id", "_update_existing_only", "_merge_objects", "push_token_import",
    ]
    private static let reserved = ReservedNames(StandardField.names.union(controlMembers))

    func checkAttribute(key: String, value: JSON) throws(RecordProblem) {
        try check(attributeKey: key)
        switch value {
        case .null, .bool, .integer, .real: return
        case .string(let text): try check(text: text, "a text", "value")
        case .array(let array):
            try check(count: array.count, of: "an array attribute")
            try check(value, in: Self.tree, depth: depth)
        case .object(let object): try check(attribute: object)
        }
    }

    private func check(attributeKey key: String) throws(RecordProblem) {
        let place = RecordPlace("key")
        guard !key.isEmpty else { throw RecordProblem("a key must not be empty", place) }
        guard key.utf8.first != UInt8(ascii: "$") else { throw RecordProblem("a key must not begin with $", place) }
        try check(text: key, "a key", "key")
        guard Self.reserved.contains(key) else { return }
        guard !StandardField.names.contains(key) else {
            let text = "Braze takes the key \(key) as the standard field; save it with saveUserAttribute"
            throw RecordProblem(text, place)
        }
        throw RecordProblem("the key \(key) is reserved by Braze; use another one", place)
    }

    private func check(count: Int, of what: String) throws(RecordProblem) {
        guard count > elements else { return }
        throw RecordProblem("\(what) has at most \(elements) elements, this one \(count)", Self.place)
    }

    // MARK: Objects

    /// An object is the attribute's value, or changes it where its one member is `inc`, `add` or
    /// `remove`, or where its members are `$add`, `$remove` and `$update`.
    private func check(attribute object: JSON.Object) throws(RecordProblem) {
        if object.count == 1 {
            if let by = object["inc"] {
                return try inside("inc") { () throws(RecordProblem) in try check(increment: by) }
            }
            for name in ["add", "remove"] {
                guard let change = object[name] else { continue }
                return try inside(name) { () throws(RecordProblem) in try check(change, named: name) }
            }
        }
        if ArrayChange.allCases.contains(where: { object[$0.rawValue] != nil }) { return try check(changes: object) }
        try checkNested(object, in: Self.tree, depth: depth)
    }

    private func check(increment value: JSON) throws(RecordProblem) {
        guard value.integer == nil else { return }
        throw RecordProblem("inc takes an integer, not \(value.excerpt(80))", Self.place)
    }

    private func check(_ change: JSON, named name: String) throws(RecordProblem) {
        guard let array = change.array, (1...elements).contains(array.count) else {
            let found = change.array.map { "this one has \($0.count)" } ?? "not \(change.excerpt(80))"
            throw RecordProblem("\(name) takes an array of 1 to \(elements) elements, \(found)", Self.place)
        }
        for (index, element) in array.enumerated() {
            try inside(String(index)) { () throws(RecordProblem) in
                switch element {
                case .string(let text): try check(text: text, "a text", "value")
                case .bool, .integer, .real: return
                case .null, .array, .object:
                    throw RecordProblem("\(name) takes texts and numbers, not \(element.excerpt(80))", Self.place)
                }
            }
        }
    }

    /// An object within an attribute: a date, or members that Braze can store.
    func checkNested(_ object: JSON.Object, in tree: Tree, depth: Int) throws(RecordProblem) {
        if let time = object["$time"] {
            return try inside("$time") { () throws(RecordProblem) in
                guard object.count == 1, let text = time.string, let date = LooseDate(text), date.isStored else {
                    let text = "a date is {\"$time\": \"2026-01-01T00:00:00Z\"} alone, of the years 0 to 3000"
                    throw RecordProblem(text, RecordPlace(tree.parameter))
                }
            }
        }
        try check(object, in: tree, depth: depth) { _, key in
            let isBad = key.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "$") }
            return isBad ? "a key within an object must not hold a space, . or $" : nil
        }
    }

    // MARK: Arrays of objects

    private enum ArrayChange: String, CaseIterable {
        case add = "$add"
        case remove = "$remove"
        case update = "$update"
    }

    private func check(changes object: JSON.Object) throws(RecordProblem) {
        for (name, value) in object {
            try inside(name) { () throws(RecordProblem) in
                guard let change = ArrayChange(rawValue: name) else {
                    throw RecordProblem("\(name) must not stand beside $add, $remove and $update", Self.place)
                }
                guard let array = value.array, !array.isEmpty else {
                    throw RecordProblem("\(name) takes an array of objects, not \(value.excerpt(80))", Self.place)
                }
                try check(count: array.count, of: name)
                for (index, element) in array.enumerated() {
                    try inside(String(index)) { () throws(RecordProblem) in try check(element, of: change) }
                }
            }
        }
    }

    private func check(_ element: JSON, of change: ArrayChange) throws(RecordProblem) {
        guard let object = element.object else {
            throw RecordProblem("\(change.rawValue) takes objects, not \(element.excerpt(80))", Self.place)
        }
        guard change != .add else { return try checkNested(object, in: Self.tree, depth: depth - 2) }
        let members = ["$identifier_key", "$identifier_value"] + (change == .update ? ["$new_object"] : [])
        guard object.count == members.count, members.allSatisfy({ object[$0] != nil }) else {
            let text =
                "an element of \(change.rawValue) has the members \(members.joined(separator: ", ")) and no other"
            throw RecordProblem(text, Self.place)
        }
        for (name, value) in object {
            try inside(name) { () throws(RecordProblem) in
                switch (name, value) {
                case ("$identifier_key", .string(let key)) where !key.isEmpty:
                    try check(text: key, "a key", "value")
                case ("$identifier_value", .string(let text)): try check(text: text, "a text", "value")
                case ("$identifier_value", .bool), ("$identifier_value", .integer), ("$identifier_value", .real): return
                case ("$new_object", .object(let new)): try checkNested(new, in: Self.tree, depth: depth - 3)
                default: throw RecordProblem("\(name) must not be \(value.excerpt(80))", Self.place)
                }
            }
        }
    }

    /// Judges what stands within a member, and adds its name to the path of what is wrong.
    func inside(_ step: String, _ body: () throws(RecordProblem) -> Void) throws(RecordProblem) {
        do throws(RecordProblem) {
            try body()
        } catch {
            throw error.within(step)
        }
    }
}
