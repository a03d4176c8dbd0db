internal import Contract
internal import JSON
internal import JSONRPC
internal import Spelling

/// Finds members of `aps` and of its alert that are misspelt, or that stand in the wrong one of the two; a phone ignores
/// them without a word.
enum MisspeltKeys {
    /// The members of `aps` (developer.apple.com, "Generating a remote notification"), those of Live Activities included.
    private static let aps: Set<String> = [
        "alert", "attributes", "attributes-type", "badge", "category", "content-available", "content-state",
        "dismissal-date", "event", "filter-criteria", "input-push-channel", "input-push-token", "interruption-level",
        "mutable-content", "relevance-score", "sound", "stale-date", "target-content-id", "thread-id", "timestamp",
        "url-args",
    ]

    /// The members of an alert.
    private static let alert: Set<String> = [
        "action", "action-loc-key", "body", "launch-image", "loc-args", "loc-key", "subtitle", "subtitle-loc-args",
        "subtitle-loc-key", "summary-arg", "summary-arg-count", "title", "title-loc-args", "title-loc-key",
    ]

    /// A diagnostic for each such member.
    ///
    /// - Parameters:
    ///   - object: The value of `aps`.
    ///   - path: A JSON Pointer to it.
    /// - Returns: The diagnostics, in the order of the payload.
    static func diagnostics(of object: JSON.Object, path: String) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for (name, value) in object {
            if name == "alert", let inner = value.object {
                for (name, _) in inner where !alert.contains(name) {
                    note(name, known: alert, "aps.alert", foreign: aps, "aps", path + "/alert", &diagnostics)
                }
            } else if !aps.contains(name) {
                note(name, known: aps, "aps", foreign: alert, "aps.alert", path, &diagnostics)
            }
        }
        return diagnostics
    }

    private static func note(
        _ name: String,
        known: Set<String>,
        _ place: String,
        foreign: Set<String>,
        _ other: String,
        _ path: String,
        _ diagnostics: inout [Diagnostic]
    ) {
        let advice: String
        if foreign.contains(name) {
            advice = "it belongs into \(other)"
        } else if let near = EditDistance.nearest(name, in: known.sorted()) {
            advice = "did you mean \(near)?"
        } else {
            return
        }
        let message = "\(name) is no member of \(place), so it is ignored; \(advice)"
        diagnostics.append(Diagnostic("misspeltKey", message, path: "\(path)/\(JSONPointer.escape(name))"))
    }
}
