internal import JSON
internal import JSONRPC
internal import Spelling

/// Checks the dictionary for the sound of a critical alert (developer.apple.com, "Generating a remote notification").
struct SoundCheck {
    private static let names = ["critical", "name", "volume"]

    private(set) var findings: [PayloadFinding] = []

    /// - Parameter sound: The member `sound` of `aps`; a string has no findings.
    init(_ sound: JSON?) {
        guard let sound = sound?.object else { return }
        need(sound, "critical", "0 or 1", "write 1 for a critical alert") { $0 == 0 || $0 == 1 }
        need(sound, "name", "a string", "write the name of a file in the app, or \"default\"") {
            $0.string?.isEmpty == false
        }
        need(sound, "volume", "a number from 0 to 1", "write 1 for the full volume") {
            $0.number.map { (0...1).contains($0) } ?? false
        }
        if sound["name"] == nil {
            add("missingKey", nil, "the sound has no name", "add \"name\", such as \"default\"")
        }
        for (name, _) in sound where !Self.names.contains(name) {
            guard let near = EditDistance.nearest(name, in: Self.names) else { continue }
            add("misspeltKey", name, "\(name) is not a member of a sound, so it is ignored", "did you mean \(near)?")
        }
    }

    private mutating func add(_ reason: String, _ name: String?, _ message: String, _ advice: String) {
        let path = "/aps/sound" + (name.map { "/" + JSONPointer.escape($0) } ?? "")
        findings.append(PayloadFinding(.error, reason, path, message, advice))
    }

    private mutating func need(
        _ sound: JSON.Object,
        _ name: String,
        _ needed: String,
        _ advice: String,
        where isValid: (JSON) -> Bool
    ) {
        guard let value = sound[name], !isValid(value), !(value.string.map(UnrenderedLiquid.isTemplate) ?? false) else {
            return
        }
        add("wrongValue", name, "\(name) of the sound must be \(needed), it is \(value.excerpt())", advice)
    }
}
