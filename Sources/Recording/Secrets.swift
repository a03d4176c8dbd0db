internal import Foundation

/// Values that must not be recorded: each is replaced by its name in brackets, however a line spells it.
///
/// A line may hold a value as it is, or with any of JSON's escapes. If a text was cut off, a line may hold only a part of
/// a value; at the beginning or end of a JSON string a part of at least ``leastLength`` bytes is found too. Base64 of a
/// text that holds a value is found on one line, in both alphabets. Other encodings are not found: Base64 on several
/// lines, percent-encoding, hexadecimal digits, compression.
package struct Secrets {
    /// The minimum number of bytes of a secret and of a part of one; shorter text may be a common word.
    package static let leastLength = 8

    private struct Secret {
        let placeholder: [UInt8]
        let bytes: [UInt8]
        /// Whether it consists of digits, so that it may occur in JSON outside of strings.
        let isNumber: Bool
    }

    private var secrets: [Secret] = []
    /// Whether a byte may begin a secret or a part of one.
    private var mayBegin = [Bool](repeating: false, count: 256)
    /// The secrets that each byte may begin.
    private var beginnings = [[Secret]](repeating: [], count: 256)
    /// The ends of secrets that each byte may begin.
    private var endings = [[(secret: Secret, part: ArraySlice<UInt8>)]](repeating: [], count: 256)

    /// Adds a value, unless it is short.
    package mutating func add(_ value: String, name: String) {
        let bytes = Array(value.utf8)
        guard bytes.count >= Self.leastLength, !secrets.contains(where: { $0.bytes == bytes }) else { return }
        let isNumber = bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let placeholder = Array("[\(name)]".utf8)
        secrets.append(Secret(placeholder: placeholder, bytes: bytes, isNumber: isNumber))
        for spelling in Base64Spelling.spellings(of: bytes) {
            secrets.append(Secret(placeholder: placeholder, bytes: spelling, isNumber: false))
        }
        // Longest first, because one secret may be the beginning of another.
        secrets.sort { $0.bytes.count > $1.bytes.count }
        index()
    }

    /// Indexes the secrets and their ends by the bytes that may begin them; a backslash may begin an escape of any byte.
    private mutating func index() {
        let escape = Int(UInt8(ascii: "\\"))
        beginnings = Array(repeating: [], count: 256)
        endings = Array(repeating: [], count: 256)
        for secret in secrets {
            for byte in Set([Int(secret.bytes[0]), escape]) { beginnings[byte].append(secret) }
            for cut in 1..<max(1, secret.bytes.count - Self.leastLength + 1) {
                let part = secret.bytes[cut...]
                for byte in Set([Int(part[cut]), escape]) { endings[byte].append((secret, part)) }
            }
        }
        for byte in 0..<256 { mayBegin[byte] = !beginnings[byte].isEmpty || byte == UInt8(ascii: "\"") }
    }

    /// A line with placeholders in place of secrets; nil if it holds none.
    package func hidden(in line: UnsafeRawBufferPointer) -> [UInt8]? { secrets.isEmpty ? nil : replaced(in: line) }

    // A function of its own, so that without secrets a line costs only one comparison.
    @inline(never)
    private func replaced(in line: UnsafeRawBufferPointer) -> [UInt8]? {
        var result: [UInt8]?
        var copied = 0
        var position = 0
        var isInString = false
        func hide(_ secret: Secret, upTo end: Int) {
            result = (result ?? []) + line[copied..<position]
            let isBare = secret.isNumber && !isInString
            let quote: [UInt8] = isBare ? [UInt8(ascii: "\"")] : []
            result? += quote + secret.placeholder + quote
            copied = end
            position = end
        }
        while position < line.count {
            let byte = line[position]
            guard mayBegin[Int(byte)] else {
                position += 1
                continue
            }
            if let (secret, end) = match(line, position, isInString: isInString) {
                hide(secret, upTo: end)
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
                position += 1
                if isInString, let (secret, end) = matchEnd(line, position) { hide(secret, upTo: end) }
            } else {
                // An escaped quote does not end the string.
                let isEscape = byte == UInt8(ascii: "\\") && position + 1 < line.count && isInString
                position += isEscape ? 2 : 1
            }
        }
        return result.map { $0 + line[copied...] }
    }

    /// The number of bytes at the end of a piece of a line that may be the beginning of a secret.
    package func countOfBegun(atEndOf piece: [UInt8]) -> Int {
        let longest = secrets.first.map { 6 * $0.bytes.count } ?? 0
        return piece.withUnsafeBytes { piece in
            for start in max(0, piece.count - longest)..<piece.count where mayBegin[Int(piece[start])] {
                let isBegun = beginnings[Int(piece[start])].contains { secret in
                    if case .ranOut = JSONSpelling.match(secret.bytes[...], in: piece, at: start) {
                        true
                    } else {
                        false
                    }
                }
                if isBegun { return piece.count - start }
            }
            return 0
        }
    }

    /// The secret that begins at a position, and where it ends; the end of the string may cut it off.
    private func match(_ line: UnsafeRawBufferPointer, _ start: Int, isInString: Bool) -> (Secret, end: Int)? {
        for secret in beginnings[Int(line[start])] {
            switch JSONSpelling.match(secret.bytes[...], in: line, at: start) {
            case .whole(let end):
                if secret.isNumber, !isInString, Self.isLonger(line, start, end) { continue }
                return (secret, end)
            case .upTo(let end, let count):
                let isCut = isInString && count >= Self.leastLength && Self.endsString(line, end)
                if isCut { return (secret, end) }
            case .ranOut: continue
            }
        }
        return nil
    }

    /// The secret whose last part is at the beginning of a string, and where it ends.
    private func matchEnd(_ line: UnsafeRawBufferPointer, _ start: Int) -> (Secret, end: Int)? {
        var start = start
        // A text that was cut inside a character begins with U+FFFD.
        while start + 2 < line.count, line[start] == 0xEF, line[start + 1] == 0xBF, line[start + 2] == 0xBD {
            start += 3
        }
        guard start < line.count else { return nil }
        for (secret, part) in endings[Int(line[start])] {
            if case .whole(let end) = JSONSpelling.match(part, in: line, at: start) { return (secret, end) }
        }
        return nil
    }

    /// Whether a number has more digits than the ones matched.
    private static func isLonger(_ line: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        func isOfNumber(_ index: Int) -> Bool {
            line.indices.contains(index) && "0123456789+-.eE".utf8.contains(line[index])
        }
        return isOfNumber(start - 1) || isOfNumber(end)
    }

    private static func endsString(_ line: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        index < line.count && line[index] == UInt8(ascii: "\"")
    }
}

/// Finds a text in bytes that may spell it with JSON's escapes.
private enum JSONSpelling {
    /// The result of a comparison.
    enum Match: Equatable {
        /// The bytes hold the whole text, up to `end`.
        case whole(end: Int)
        /// The bytes differ from `end` on, after `count` bytes of the text.
        case upTo(end: Int, count: Int)
        /// The bytes end before the text does.
        case ranOut
    }

    /// Compares a text with the bytes at a position.
    ///
    /// - Parameters:
    ///   - text: The text, UTF-8.
    ///   - bytes: JSON, or other bytes, which hold the text without escapes.
    ///   - start: The position.
    /// - Returns: How far they agree.
    static func match(_ text: ArraySlice<UInt8>, in bytes: UnsafeRawBufferPointer, at start: Int) -> Match {
        let plain = matchPlain(text, in: bytes, at: start)
        guard case .upTo(let end, _) = plain, end < bytes.count, bytes[end] == UInt8(ascii: "\\") else { return plain }
        return matchEscaped(text, in: bytes, at: start)
    }

    private static func matchPlain(
        _ text: ArraySlice<UInt8>,
        in bytes: UnsafeRawBufferPointer,
        at start: Int
    ) -> Match {
        var position = start
        for byte in text {
            guard position < bytes.count else { return .ranOut }
            guard bytes[position] == byte else { return .upTo(end: position, count: position - start) }
            position += 1
        }
        return .whole(end: position)
    }

    private static func matchEscaped(
        _ text: ArraySlice<UInt8>,
        in bytes: UnsafeRawBufferPointer,
        at start: Int
    ) -> Match {
        var position = start
        var rest = text
        while let byte = rest.first {
            guard position < bytes.count else { return .ranOut }
            let differs = Match.upTo(end: position, count: rest.startIndex - text.startIndex)
            if bytes[position] == UInt8(ascii: "\\") {
                guard let (scalar, length) = escape(bytes, position) else {
                    return bytes.count - position < 12 ? .ranOut : differs
                }
                let unescaped = Array(String(scalar).utf8)
                guard rest.starts(with: unescaped) else { return differs }
                rest = rest.dropFirst(unescaped.count)
                position += length
            } else {
                guard bytes[position] == byte else { return differs }
                rest = rest.dropFirst()
                position += 1
            }
        }
        return .whole(end: position)
    }

    private static let short: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "/"): "/", UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\",
    ]

    /// The character of an escape and the number of the escape's bytes; nil if it is invalid or incomplete.
    private static func escape(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> (Unicode.Scalar, length: Int)? {
        guard start + 1 < bytes.count else { return nil }
        if let scalar = short[bytes[start + 1]] { return (scalar, 2) }
        guard let unit = unit(bytes, start) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
        guard UTF16.isLeadSurrogate(unit), let other = self.unit(bytes, start + 6), UTF16.isTrailSurrogate(other)
        else { return nil }
        let high = UInt32(unit) & 0x3FF
        return Unicode.Scalar(0x1_0000 + high << 10 + UInt32(other) & 0x3FF).map { ($0, 12) }
    }

    /// The UTF-16 code unit of `\uXXXX` at a position.
    private static func unit(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: bytes[(start + 2)..<(start + 6)], as: UTF8.self), radix: 16)
    }
}

/// The Base64 spellings of a text that lies anywhere in the encoded bytes.
private enum Base64Spelling {
    /// The characters in which the URL-safe alphabet differs.
    private static let urlCharacters = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]

    /// The characters that depend only on the text, for each of the three positions at which it can begin in a group of
    /// three bytes.
    ///
    /// The characters before and after them may hold two or four bits of the text, which reveal no whole byte.
    ///
    /// - Parameter text: At least three bytes.
    /// - Returns: One spelling for each position, and a second one if the URL-safe alphabet spells it differently.
    static func spellings(of text: [UInt8]) -> [[UInt8]] {
        var spellings: [[UInt8]] = []
        for before in 0..<3 {
            let bytes = [UInt8](repeating: 0, count: before) + text
            let encoded = Array(Data(bytes).base64EncodedString().utf8)
            // A character holds six bits. The first one begins in the text, and the last one ends in it.
            let first = (8 * before + 5) / 6
            let standard = Array(encoded[first..<(8 * bytes.count / 6)])
            let url = standard.map { urlCharacters[$0] ?? $0 }
            spellings += url == standard ? [standard] : [standard, url]
        }
        return spellings
    }
}
