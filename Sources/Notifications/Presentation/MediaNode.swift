package import JSON

/// A node of media: what is played, and how far, as `protocol/reference/views.md` says.
package struct MediaNode {
    /// What media do.
    package enum State: String, CaseIterable, Sendable { case playing, paused, ended, failed }

    /// The greatest number of seconds that is shown, so that a wrong one fits into an integer: a year.
    private static let longest = 366.0 * 86_400

    /// The state; paused if the node has none that is known.
    package let state: State
    /// Whether there is something to see.
    package let isVideo: Bool
    /// What the media are: their description, or else the end of their source.
    package let name: String
    /// The position and the length in seconds, if they are known.
    private let time: Double, duration: Double?

    package init(_ node: JSON) {
        state = node["state"]?.string.flatMap(State.init) ?? .paused
        isVideo = node["kind"] != "audio"
        let alt = node.shownText("alt")
        name = alt.isEmpty ? node.shownText("source").split(separator: "/").last.map(String.init) ?? "" : alt
        (time, duration) = (Self.seconds(node["time"]) ?? 0, Self.seconds(node["duration"]))
    }

    private static func seconds(_ json: JSON?) -> Double? { json?.number.map { min(max($0, 0), longest) } }

    /// The position and the length as a phone shows them, such as `0:03 / 0:12`.
    package var times: String { ([time] + [duration].compactMap { $0 }).map(Self.clock).joined(separator: " / ") }

    /// The part that has been played, from 0 to 1; nil if the length is not known.
    package var share: Double? { duration.flatMap { $0 > 0 ? min(time / $0, 1) : nil } }

    /// The state and the times in words.
    package var spoken: String {
        let words = state == .failed ? "cannot be played" : "\(state.rawValue), \(times)"
        return "\(isVideo ? "Film" : "Sound"), \(words)"
    }

    private static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds)
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        let rest = (whole % 60 < 10 ? "0" : "") + "\(whole % 60)"
        guard hours > 0 else { return "\(minutes):\(rest)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(rest)"
    }

    /// The members that are not valid, each with what it must be.
    package static func problems(of node: JSON) -> [(member: String, rule: String)] {
        guard node["type"] == "media" else { return [] }
        let words = [("kind", ["audio", "video"]), ("state", State.allCases.map(\.rawValue))]
        return words.compactMap { member, words in
            guard node[member]?.string.map(words.contains) != true else { return nil }
            return (member, "one of \(words.joined(separator: ", "))")
        }
            + ["time", "duration"].filter { (node[$0]?.number ?? (node[$0] == nil ? 0 : -1)) < 0 }
            .map { ($0, "a number of seconds") }
    }
}
