package import JSON
internal import Platform

/// A difference between a recording and its replay.
package struct Difference {
    /// A member that differs: its JSON Pointer and both values.
    package typealias Member = (path: String, old: JSON?, new: JSON?)

    /// The line in the recording's file; for a new line, where it would be.
    package let line: Int?
    /// What differs, in a few words.
    package let title: String
    /// The recorded bytes, if there were any.
    package var recorded: [UInt8]?
    /// The replayed bytes, if there are any.
    package var replayed: [UInt8]?
    /// The members that differ.
    package var members: [Member] = []

    package init(line: Int?, title: String, recorded: [UInt8]? = nil, replayed: [UInt8]? = nil, members: [Member] = [])
    {
        self.line = line
        self.title = title
        self.recorded = recorded
        self.replayed = replayed
        self.members = members
    }

    /// The maximum number of bytes of a line that are shown.
    private static let width = 400
    private static let memberLimit = 10

    /// The difference for people, indented, with drawings in place of both lines if there are any.
    package func text(drawings: String? = nil) -> String {
        var lines = ["  " + PlainText.escaped(title)]
        for member in members.prefix(Self.memberLimit) {
            lines.append("    at \(member.path.isEmpty ? "the whole message" : PlainText.escaped(member.path))")
            lines.append("      - " + (member.old.map { Self.cut($0.bytes) } ?? "(absent)"))
            lines.append("      + " + (member.new.map { Self.cut($0.bytes) } ?? "(absent)"))
        }
        if members.count > Self.memberLimit { lines.append("    and \(members.count - Self.memberLimit) more members") }
        if let drawings { return (lines + [drawings]).joined(separator: "\n") }
        let start = commonStart
        if let recorded { lines.append("    - " + Self.cut(recorded, around: start)) }
        if let replayed { lines.append("    + " + Self.cut(replayed, around: start)) }
        return lines.joined(separator: "\n")
    }

    /// The number of bytes with which both lines begin.
    private var commonStart: Int {
        guard let recorded, let replayed else { return 0 }
        return zip(recorded, replayed).prefix { $0 == $1 }.count
    }

    /// The text of a line; of a long one only the part around a byte.
    private static func cut(_ bytes: [UInt8], around position: Int = 0) -> String {
        guard bytes.count > width else { return PlainText.escaped(String(decoding: bytes, as: UTF8.self)) }
        let start = max(0, min(position - width / 2, bytes.count - width))
        let part = PlainText.escaped(String(decoding: bytes[start..<start + width], as: UTF8.self))
        return (start > 0 ? "…" : "") + part + (start + width < bytes.count ? "…" : "")
    }
}
