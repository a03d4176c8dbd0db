internal import JSON
internal import JSONRPC
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
