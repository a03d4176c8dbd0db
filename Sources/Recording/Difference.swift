package import JSON
internal import JSONRPC
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

extension JSON {
    /// The value without its volatile members; a volatile element of an array becomes null.
    ///
    /// - Parameters:
    ///   - paths: The paths of volatile members, which may be absent.
    ///   - names: The names of members that are volatile at every level.
    /// - Returns: The remaining value.
    func masked(_ paths: Set<MemberPath>, names: Set<String>) -> JSON {
        guard !paths.contains(where: \.isEnd) else { return .null }
        guard !paths.isEmpty || !names.isEmpty else { return self }
        let below = { (name: String) in Set(paths.compactMap { $0.below(name) }) }
        switch self {
        case .object(let object):
            let rest = object.compactMap { name, value -> (String, JSON)? in
                let paths = below(name)
                guard !names.contains(name), !paths.contains(where: \.isEnd) else { return nil }
                return (name, value.masked(paths, names: names))
            }
            return .object(JSON.Object(rest))
        case .array(let array):
            return JSON(array.enumerated().map { $1.masked(below(String($0)), names: names) })
        default: return self
        }
    }

    /// The members in which another value differs: JSON Pointers, each with both values.
    ///
    /// - Parameters:
    ///   - other: The other value.
    ///   - mayHaveMore: Whether objects of the other may have further members.
    ///   - path: A JSON Pointer to the values.
    /// - Returns: The differences, in the order of this value.
    func differences(
        to other: JSON,
        mayHaveMore: Bool,
        at path: String = ""
    ) -> [Difference.Member] {
        switch (self, other) {
        case (.object(let old), .object(let new)):
            var found: [Difference.Member] = []
            for (name, value) in old {
                let place = "\(path)/\(JSONPointer.escape(name))"
                if let match = new[name] {
                    found += value.differences(to: match, mayHaveMore: mayHaveMore, at: place)
                } else {
                    found.append((place, value, nil))
                }
            }
            for (name, value) in new where old[name] == nil && !mayHaveMore {
                found.append(("\(path)/\(JSONPointer.escape(name))", nil, value))
            }
            return found
        case (.array(let old), .array(let new)):
            guard old.count != new.count else {
                return zip(old, new).enumerated().flatMap { index, pair in
                    pair.0.differences(to: pair.1, mayHaveMore: mayHaveMore, at: "\(path)/\(index)")
                }
            }
            return Self.differences(Swift.Array(old), Swift.Array(new), mayHaveMore: mayHaveMore, at: path)
        default: return self == other ? [] : [(path, self, other)]
        }
    }

    /// The differences of arrays of which one has elements that the other has not.
    private static func differences(
        _ old: [JSON],
        _ new: [JSON],
        mayHaveMore: Bool,
        at path: String
    ) -> [Difference.Member] {
        Alignment(old.map(\.alignmentKeys), new.map(\.alignmentKeys)).steps.flatMap { step -> [Difference.Member] in
            switch step {
            case .pair(let index, let other):
                old[index].differences(to: new[other], mayHaveMore: mayHaveMore, at: "\(path)/\(index)")
            case .removed(let index): [("\(path)/\(index)", old[index], nil)]
            case .inserted(let index): [("\(path)/\(index)", nil, new[index])]
            }
        }
    }

    /// What an element of an array is compared by: its value, then its id or name, then its type.
    private var alignmentKeys: [String] {
        let name = ["id", "identifier", "name", "key"].lazy.compactMap { self[$0]?.string }.first
        let type = (self["type"] ?? self["kind"])?.string ?? ""
        return [description, name.map { "\(type) \($0)" } ?? description, type]
    }
}
