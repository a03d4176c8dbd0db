internal import JSON

/// The name of a suite, in the form of an App Group identifier; safe as a file name.
public struct SuiteName: Hashable, Sendable, CustomStringConvertible {
    /// The name, compared exactly.
    public let text: String

    /// The suite for clients that do not name one.
    public static let standard = SuiteName(unchecked: "standard")

    /// The rule for names, for error messages.
    public static let rule = "1 to 128 of A-Z a-z 0-9 . _ - beginning with a letter or a digit"

    private init(unchecked text: String) { self.text = text }

    /// A name; nil if the text breaks ``rule``.
    public init?(_ text: String) {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        let bytes = text.utf8
        guard let first = bytes.first, isAlphanumeric(first), bytes.count <= 128,
            bytes.allSatisfy({ isAlphanumeric($0) || ".-_".utf8.contains($0) })
        else { return nil }
        self.text = text
    }

    /// Whether the name has these bytes.
    public func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
        text.isEqual(to: bytes)
    }

    /// The name itself.
    public var description: String { text }
}
