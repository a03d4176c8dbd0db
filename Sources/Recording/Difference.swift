package import JSON

/// A difference between a recording and its replay.
package struct Difference {
    /// A member that differs: its JSON Pointer and both values.
    package typealias Member = (path: String, old: JSON?, new: JSON?)

    /// The line in the file of the recording; of something new, where it would be.
    package let line: Int?
    /// In a few words, what it is about.
    package let title: String
    /// The recorded bytes, if there were any.
    package var recorded: [UInt8]?
    /// The bytes of the replay, if there are any.
    package var now: [UInt8]?
    /// Which members are different.
    package var members: [Member] = []

    package init(line: Int?, title: String, recorded: [UInt8]? = nil, now: [UInt8]? = nil, members: [Member] = []) {
        self.line = line
        self.title = title
        self.recorded = recorded
        self.now = now
        self.members = members
    }

    /// The greatest number of characters of a line that is shown.
    private static let width = 400
    private static let memberLimit = 10

    /// The difference for people, indented.
    package var text: String {
        var lines = ["  " + title]
        for member in members.prefix(Self.memberLimit) {
            lines.append("    at \(member.path.isEmpty ? "the whole message" : member.path)")
            lines.append("      - " + (member.old.map { Self.cut($0.bytes) } ?? "(absent)"))
            lines.append("      + " + (member.new.map { Self.cut($0.bytes) } ?? "(absent)"))
        }
        if members.count > Self.memberLimit { lines.append("    and \(members.count - Self.memberLimit) more members") }
        let start = commonStart
        if let recorded { lines.append("    - " + Self.cut(recorded, around: start)) }
        if let now { lines.append("    + " + Self.cut(now, around: start)) }
        return lines.joined(separator: "\n")
    }

    /// How many bytes both lines begin with alike.
    private var commonStart: Int {
        guard let recorded, let now else { return 0 }
        return zip(recorded, now).prefix { $0 == $1 }.count
    }

    /// A line; of a long one only the part around a byte.
    private static func cut(_ bytes: [UInt8], around position: Int = 0) -> String {
        guard bytes.count > width else { return String(decoding: bytes, as: UTF8.self) }
        let start = max(0, min(position - width / 2, bytes.count - width))
        let part = String(decoding: bytes[start..<start + width], as: UTF8.self)
        return (start > 0 ? "…" : "") + part + (start + width < bytes.count ? "…" : "")
    }
}
