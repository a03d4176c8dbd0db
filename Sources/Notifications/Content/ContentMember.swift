internal import JSON
internal import JSONRPC

/// A member of a notification's content other than its texts: its names and its allowed values.
struct ContentMember: Sendable {
    /// Its name in the content, which is Apple's.
    let name: String
    /// Its name in `aps`, or in the alert.
    let key: String
    /// Whether it is a member of the alert.
    var isOfAlert = false
    let expected: ExpectedValue<JSON>

    /// Every such member.
    static let all: [ContentMember] = [
        ContentMember(name: "badge", key: "badge", expected: .any("an integer") { $0.integer != nil }),
        ContentMember(
            name: "sound",
            key: "sound",
            expected: .any("a string or an object") { $0.string != nil || $0.object != nil }
        ),
        ContentMember(name: "launchImageName", key: "launch-image", isOfAlert: true, expected: string),
        ContentMember(name: "targetContentIdentifier", key: "target-content-id", expected: string),
        ContentMember(
            name: "interruptionLevel",
            key: "interruption-level",
            expected: .any("passive, active, time-sensitive or critical") {
                ["passive", "active", "time-sensitive", "critical"].contains($0.string)
            }
        ),
        ContentMember(
            name: "relevanceScore",
            key: "relevance-score",
            expected: .any("a number from 0 to 1") { $0.number.map { (0...1).contains($0) } ?? false }
        ),
        ContentMember(name: "filterCriteria", key: "filter-criteria", expected: string),
    ]

    private static let string = ExpectedValue<JSON>.any("a string") { $0.string != nil }
}
