/// A key that a client passes with a save, so that sending the same save again adds no second record.
///
/// A key that ends in a number is stored as a stem and that number. If a client numbers its saves, one row then holds
/// many of its keys, see ``KeyRun``.
public struct IdempotencyKey: Equatable, Sendable {
    /// The rule for keys, for error messages.
    public static let rule = "a string of 1 to 255 characters without U+0000"
    /// The maximum number of Unicode scalars.
    private static let limit = 255
    /// The maximum number of digits of the number, which always fit into 64 bits.
    private static let digitLimit = 18

    /// The text before the number; stem and number together identify the key.
    let stem: String
    /// The number at the end, without leading zeros; -1 if there is none, also in the file.
    let number: Int64

    /// Parses a key; nil if the text breaks ``rule``.
    ///
    /// - Parameter text: Valid UTF-8.
    public init?(_ text: UnsafeRawBufferPointer) {
        guard !text.isEmpty, !text.contains(0),
            // Counts the bytes that begin a scalar.
            text.count <= Self.limit || text.count(where: { $0 & 0xC0 != 0x80 }) <= Self.limit
        else { return nil }
        let stemEnd: Int
        (stemEnd, number) = Self.split(text)
        stem = String(decoding: text[..<stemEnd], as: UTF8.self)
    }

    /// The end of the stem, and the number.
    private static func split(_ bytes: UnsafeRawBufferPointer) -> (stemEnd: Int, number: Int64) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var start = bytes.count
        while start > 0, bytes.count - start < digitLimit, digits.contains(bytes[start - 1]) { start -= 1 }
        guard start < bytes.count else { return (start, -1) }
        // Leading zeros belong to the stem; a single zero is a number.
        while start < bytes.count - 1, bytes[start] == digits.lowerBound { start += 1 }
        return (start, bytes[start...].reduce(0) { $0 * 10 + Int64($1 - digits.lowerBound) })
    }
}
