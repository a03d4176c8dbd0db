/// Finds a text in bytes that may spell it with JSON's escapes.
package enum JSONSpelling {
    /// The result of a comparison.
    package enum Match: Equatable {
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
    package static func match(_ text: ArraySlice<UInt8>, in bytes: UnsafeRawBufferPointer, at start: Int) -> Match {
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
