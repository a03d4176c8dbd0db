internal import JSON
internal import Spelling

/// Compares the key-value pairs of a payload with those that its extension declares.
struct DeclaredKeysCheck {
    /// How many numbers of a name with `#` are looked at.
    private static let numberLimit = 100

    private let payload: JSON.Object
    private let keys: [UserInfoKey]
    /// The identifier of the extension's bundle.
    private let bundle: String
    private(set) var findings: [PayloadFinding] = []

    init(_ payload: JSON.Object, _ content: PayloadCheck.ContentExtension) {
        self.payload = payload
        keys = content.keys
        bundle = content.identifier
        let expected = keys.flatMap(expand)
        var absent = expected.filter { value(at: $0) == nil }
        findMisspelt(&absent)
        findMisplaced(&absent)
        for key in absent where key.isRequired { addMissing(key) }
        for key in expected { check(key) }
    }

    /// The keys that a declared name stands for in this payload.
    private func expand(_ key: UserInfoKey) -> [UserInfoKey] {
        guard key.name.contains("#") else { return [key] }
        let family = keys.filter { $0.numberPrefix == key.numberPrefix }
        // Also pairs that stand in aps by mistake have a number.
        let names = [payload, aps].flatMap { $0.map(\.name) }
        let numbers = names.flatMap { name in family.compactMap { $0.numberAtPrefix(of: name) } }
        return Set(numbers + [1]).sorted().prefix(Self.numberLimit).map {
            UserInfoKey(key.name($0), key.type, isRequired: key.isRequired, example: key.example)
        }
    }

    private var aps: JSON.Object { payload["aps"]?.object ?? JSON.Object([]) }

    private func value(at key: UserInfoKey) -> JSON? {
        guard key.isPointer else { return payload[key.name] }
        return key.name.dropFirst().split(separator: "/").reduce(.object(payload)) { value, name in
            value?[String(name)]
        }
    }

    private func path(_ key: UserInfoKey) -> String { key.isPointer ? key.name : "/" + JSONPointer.escape(key.name) }

    /// Finds members that nobody declares and whose name is near to that of a pair that is absent.
    private mutating func findMisspelt(_ absent: inout [UserInfoKey]) {
        for (name, _) in payload where !isKnown(name) {
            let names = absent.filter { !$0.isPointer }.map(\.name)
            guard let meant = EditDistance.nearest(name, in: names),
                let index = absent.firstIndex(where: { $0.name == meant })
            else { continue }
            findings.append(
                PayloadFinding(
                    absent[index].isRequired ? .error : .warning,
                    "misspeltKey",
                    "/" + JSONPointer.escape(name),
                    "\(bundle) does not read \(name)" + (absent[index].isRequired ? ", and \(meant) is missing" : ""),
                    "did you mean \(meant)?"
                )
            )
            absent.remove(at: index)
        }
    }

    /// Finds key-value pairs in `aps`, where no extension reads them.
    private mutating func findMisplaced(_ absent: inout [UserInfoKey]) {
        absent.removeAll { key in
            guard !key.isPointer, !MisspeltKeys.isMemberOfAps(key.name), aps[key.name] != nil else { return false }
            findings.append(
                PayloadFinding(
                    key.isRequired ? .error : .warning,
                    "misplacedKey",
                    "/aps/" + JSONPointer.escape(key.name),
                    "\(key.name) stands in aps, and \(bundle) reads it beside aps",
                    "move it out of aps"
                )
            )
            return true
        }
    }

    private func isKnown(_ name: String) -> Bool {
        BrazeKeysCheck.isReserved(name) || keys.contains { $0.name == name || $0.number(of: name) != nil }
    }

    private mutating func addMissing(_ key: UserInfoKey) {
        findings.append(
            PayloadFinding(
                .error,
                "missingKey",
                // An editor marks what is there.
                "",
                "the key-value pair \(key.name) is missing, which \(bundle) needs",
                "add it; it is \(key.type.needed), such as \(key.writtenExample)"
            )
        )
    }

    private mutating func check(_ key: UserInfoKey) {
        guard let value = value(at: key), !key.type.accepts(value) else { return }
        // What a template becomes is not known, and Liquid that was left in has a finding of its own.
        if value.string.map(UnrenderedLiquid.isTemplate) ?? false { return }
        let isBare = key.type.acceptsAsText(value)
        findings.append(
            PayloadFinding(
                .error,
                "wrongValue",
                path(key),
                "\(key.name) must be \(key.type.needed), it is \(value.excerpt())"
                    + (isBare ? "; Braze sends the value of every key-value pair as a string" : ""),
                isBare ? "write \(JSON.string(value.description))" : "write a value such as \(key.writtenExample)"
            )
        )
    }
}

extension UserInfoKey {
    /// The text before `#`.
    fileprivate var numberPrefix: Substring? { name.firstIndex(of: "#").map { name[..<$0] } }
}

/// A key-value pair that an extension reads from `userInfo`, as its bundle declares it.
package struct UserInfoKey: Equatable, Sendable {
    /// What the value must be; the values of Braze's key-value pairs are strings, also those that spell a number.
    package enum ValueType: String, CaseIterable, Sendable {
        case string
        /// A string that spells an integer of 64 bits.
        case integer
        /// A string that spells a finite number.
        case number
        /// A string that is `true` or `false`.
        case boolean
        /// A string with an absolute URL.
        case url
        case array
        case object
    }

    /// The key; a JSON Pointer if it begins with `/`; `#` stands for a number from 1 on.
    package let name: String
    package let type: ValueType
    package let isRequired: Bool
    /// A value that is right.
    package let example: String

    package init(_ name: String, _ type: ValueType, isRequired: Bool = true, example: String) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.example = example
    }

    /// Whether the example is a value of the type; that of an array or an object is its JSON.
    package var isExampleRight: Bool {
        switch type {
        case .array, .object: (try? JSON(parsing: example)).map(type.accepts) ?? false
        default: type.accepts(.string(example))
        }
    }

    /// The example as it is written in a payload.
    package var writtenExample: String {
        [.array, .object].contains(type) ? example : JSON.string(example).description
    }

    /// Whether the name is a JSON Pointer to a value inside a member.
    package var isPointer: Bool { name.hasPrefix("/") }

    /// The number for which the key of a payload was written; nil if this name has no `#` or does not fit.
    func number(of key: String) -> Int? {
        guard let place = name.firstIndex(of: "#") else { return nil }
        let prefix = name[..<place], suffix = name[name.index(after: place)...]
        guard key.hasPrefix(prefix), key.hasSuffix(suffix), key.count > prefix.count + suffix.count else { return nil }
        return Self.number(key.dropFirst(prefix.count).dropLast(suffix.count))
    }

    /// The number with which the keys of a payload begin that have this name's text before its `#`.
    func numberAtPrefix(of key: String) -> Int? {
        guard let place = name.firstIndex(of: "#"), key.hasPrefix(name[..<place]) else { return nil }
        return Self.number(key.dropFirst(name[..<place].count).prefix { $0.isASCII && $0.isNumber })
    }

    /// The key for a number.
    func name(_ number: Int) -> String {
        guard let place = name.firstIndex(of: "#") else { return name }
        return name.replacingCharacters(place, with: String(number))
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), !digits.hasPrefix("0") else { return nil }
        return Int(digits)
    }
}

extension UserInfoKey.ValueType {
    /// What the value must be, for people.
    var needed: String {
        switch self {
        case .string: "a string"
        case .integer: "a string that spells an integer"
        case .number: "a string that spells a number"
        case .boolean: "the string \"true\" or \"false\""
        case .url: "a string with an absolute URL"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Whether a value is what the type needs.
    func accepts(_ value: JSON) -> Bool {
        switch self {
        case .string: value.string != nil
        case .integer: value.string.flatMap { Int64($0) } != nil
        case .number: value.string.flatMap { Double($0) }?.isFinite == true
        case .boolean: value == "true" || value == "false"
        case .url: value.string?.wholeMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:[^\s]+/#) != nil
        case .array: value.array != nil
        case .object: value.object != nil
        }
    }

    /// Whether the value would be right if it were written as a string.
    func acceptsAsText(_ value: JSON) -> Bool {
        (value.number != nil || value.bool != nil) && accepts(.string(value.description))
    }
}

extension String {
    fileprivate func replacingCharacters(_ place: Index, with text: String) -> String {
        String(self[..<place]) + text + self[index(after: place)...]
    }
}
