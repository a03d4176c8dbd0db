/// The text of a document that an editor has open, and the positions that the Language Server Protocol uses in it.
///
/// A position is a line and a number of code units in it, of UTF-16 or UTF-8. One beyond the end of its line means that
/// end, and one beyond the last line the end of the text, as the protocol demands.
package struct TextDocument {
    /// How an editor counts within a line.
    package enum PositionEncoding: String {
        case utf8 = "utf-8"
        case utf16 = "utf-16"
    }

    /// A place between two characters.
    package struct Position: Comparable, Hashable {
        /// From 0.
        package let line: Int
        /// In code units, from 0.
        package let character: Int

        package init(line: Int, character: Int) { (self.line, self.character) = (line, character) }

        package static func < (left: Position, right: Position) -> Bool {
            (left.line, left.character) < (right.line, right.character)
        }
    }

    /// The number that the editor gave to this state of the text.
    package private(set) var version: Int
    /// In UTF-8.
    package private(set) var bytes: [UInt8]
    private let encoding: PositionEncoding
    /// The offset at which each line begins.
    private var lineStarts: [Int]
    /// The number of code units of UTF-16 before each 1,024th byte, so that positions in long lines are soon found.
    private var unitsBefore: [Int] = []

    package init(_ text: String, version: Int = 0, encoding: PositionEncoding = .utf16) {
        self.version = version
        self.encoding = encoding
        bytes = Array(text.utf8)
        lineStarts = [0]
        findLines(from: 0)
    }

    /// The text of a file.
    init(_ bytes: [UInt8], encoding: PositionEncoding) {
        self.init(String(decoding: bytes, as: UTF8.self), encoding: encoding)
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Changes

    /// Replaces a part of the text, or all of it without a range.
    ///
    /// The two positions of a range in the wrong order are exchanged.
    package mutating func replace(_ range: (start: Position, end: Position)?, with text: String) {
        guard let range else {
            bytes = Array(text.utf8)
            lineStarts = [0]
            return findLines(from: 0)
        }
        let (start, end) = (offset(of: min(range.start, range.end)), offset(of: max(range.start, range.end)))
        bytes.replaceSubrange(start..<max(start, end), with: text.utf8)
        // A carriage return before the change may have become a part of a longer line end.
        let line = max(0, position(of: start).line - 1)
        lineStarts.removeSubrange((line + 1)...)
        findLines(from: lineStarts[line])
    }

    /// Sets the number of this state.
    package mutating func setVersion(_ version: Int) { self.version = version }

    private mutating func findLines(from start: Int) {
        countUnits(from: start)
        bytes.withUnsafeBufferPointer { bytes in
            var offset = start
            while offset < bytes.count {
                let byte = bytes[offset]
                offset += 1
                guard byte == 0x0A || byte == 0x0D else { continue }
                if byte == 0x0D, offset < bytes.count, bytes[offset] == 0x0A { offset += 1 }
                lineStarts.append(offset)
            }
        }
    }

    private static let blockSize = 1_024

    /// Counts the code units of UTF-16 in the blocks that end behind an offset.
    private mutating func countUnits(from start: Int) {
        unitsBefore.removeSubrange(min(unitsBefore.count, start / Self.blockSize + 1)...)
        if unitsBefore.isEmpty { unitsBefore = [0] }
        while unitsBefore.count * Self.blockSize < bytes.count {
            unitsBefore.append(unitCount(upTo: unitsBefore.count * Self.blockSize))
        }
    }

    /// The number of code units of UTF-16 before an offset.
    private func unitCount(upTo offset: Int) -> Int {
        let block = min(offset / Self.blockSize, unitsBefore.count - 1)
        return bytes[(block * Self.blockSize)..<offset].reduce(unitsBefore[block]) {
            $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1)
        }
    }

    // MARK: Positions

    /// The offset of a position in ``bytes``; within a character, that of its beginning.
    package func offset(of position: Position) -> Int {
        guard position.line >= 0 else { return 0 }
        guard position.line < lineStarts.count else { return bytes.count }
        let start = lineStarts[position.line]
        var end = position.line + 1 < lineStarts.count ? lineStarts[position.line + 1] : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        var (offset, left) = (start, max(0, position.character))
        while offset < end {
            let length = Self.length(bytes[offset])
            let units = encoding == .utf8 ? length : length == 4 ? 2 : 1
            guard units <= left else { break }
            left -= units
            offset += length
        }
        return min(offset, end)
    }

    /// The position of an offset in ``bytes``.
    package func position(of offset: Int) -> Position {
        let offset = min(max(0, offset), bytes.count)
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let start = lineStarts[low]
        guard encoding == .utf16 else { return Position(line: low, character: offset - start) }
        return Position(line: low, character: unitCount(upTo: offset) - unitCount(upTo: start))
    }

    /// The number of bytes of the character that begins with a byte.
    private static func length(_ byte: UInt8) -> Int { byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }
}
