internal import Contract
internal import JSON
internal import JSONRPC
internal import Spelling

/// Finds members of `aps` and of its alert that are misspelt or belong in the other of the two objects; a phone ignores
/// them silently.
enum MisspeltKeys {
    /// An object of a payload whose members Apple defines.
    private struct Known {
        /// The object's name in messages.
        let place: String
        let names: Set<String>
    }

    /// The members of `aps` (developer.apple.com, "Generating a remote notification"), those of Live Activities and
    /// widgets included.
    private static let aps = Known(
        place: "aps",
        names: [
            "alert", "attributes", "attributes-type", "badge", "category", "content-available", "content-changed",
            "content-state", "dismissal-date", "event", "filter-criteria", "input-push-channel", "input-push-token",
            "interruption-level", "mutable-content", "relevance-score", "sound", "stale-date", "target-content-id",
            "thread-id", "timestamp", "url-args",
        ]
    )

    /// The members of an alert.
    private static let alert = Known(
        place: "aps.alert",
        names: [
            "action", "action-loc-key", "body", "launch-image", "loc-args", "loc-key", "subtitle", "subtitle-loc-args",
            "subtitle-loc-key", "summary-arg", "summary-arg-count", "title", "title-loc-args", "title-loc-key",
        ]
    )

    /// Whether Apple defines a member of `aps`.
    static func isMemberOfAps(_ name: String) -> Bool { aps.names.contains(name) }

    /// A diagnostic for each such member.
    ///
    /// - Parameters:
    ///   - object: The value of `aps`.
    ///   - path: A JSON Pointer to it.
    /// - Returns: The diagnostics, in the order of the payload.
    static func diagnostics(of object: JSON.Object, path: String) -> [Diagnostic] {
        object.flatMap { name, value -> [Diagnostic] in
            guard name == "alert", let members = value.object else {
                return [diagnostic(name, in: aps, other: alert, path)].compactMap { $0 }
            }
            return members.compactMap { diagnostic($0.name, in: alert, other: aps, path + "/alert") }
        }
    }

    private static func diagnostic(_ name: String, in known: Known, other: Known, _ path: String) -> Diagnostic? {
        guard !known.names.contains(name) else { return nil }
        let advice: String
        if other.names.contains(name) {
            advice = "it belongs in \(other.place)"
        } else if let near = EditDistance.nearest(name, in: known.names.sorted()) {
            advice = "did you mean \(near)?"
        } else {
            return nil
        }
        let message = "\(name) is not a member of \(known.place), so it is ignored"
        return Diagnostic("misspeltKey", message, advice: advice, path: "\(path)/\(JSONPointer.escape(name))")
    }
}
