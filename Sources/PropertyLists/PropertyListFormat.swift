/// The form of a property list, as the first bytes of a file show it.
public enum PropertyListFormat: Sendable {
    /// `bplist00`.
    case binary
    /// XML in UTF-8 or UTF-16.
    case xml

    /// The form of a file; nil if the file begins as neither does.
    ///
    /// The old text form, with which `.strings` files are written too, is none of these.
    public init?(_ bytes: some Sequence<UInt8>) {
        let head = Array(bytes.prefix(256))
        if head.starts(with: "bplist0".utf8) {
            self = .binary
            return
        }
        // Past byte order marks, white space and the zero halves of UTF-16.
        let start = head.filter { $0 != 0 }.drop {
            ([0xEF, 0xBB, 0xBF, 0xFE, 0xFF] + Array(" \t\r\n".utf8)).contains($0)
        }
        guard ["<?xml", "<!", "<plist", "<dict"].contains(where: { start.starts(with: $0.utf8) }) else { return nil }
        self = .xml
    }
}
