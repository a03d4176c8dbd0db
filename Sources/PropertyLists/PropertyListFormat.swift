/// The form of a property list, detected from the first bytes of the file.
public enum PropertyListFormat: Sendable {
    /// `bplist00`.
    case binary
    /// XML in UTF-8 or UTF-16.
    case xml

    /// The number of first bytes from which the form is detected.
    public static let headSize = 1_024

    /// The form of a file; nil if the file begins like neither form.
    ///
    /// Other XML is not accepted, nor is the old text format, which `.strings` files also use.
    public init?(_ bytes: some Sequence<UInt8>) {
        let head = Array(bytes.prefix(Self.headSize))
        if head.starts(with: "bplist0".utf8) {
            self = .binary
        } else if Self.isXML(head) {
            self = .xml
        } else {
            return nil
        }
    }

    private static func isXML(_ head: [UInt8]) -> Bool {
        // Skip byte order marks and the zero bytes of UTF-16.
        var rest = Substring(
            String(
                decoding: head.filter { $0 != 0 }.drop { [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) },
                as: UTF8.self
            )
        )
        func begins(_ text: String) -> Bool { rest.utf8.starts(with: text.utf8) }
        rest = rest.drop(while: \.isWhitespace)
        if begins("<?xml") {
            guard let end = rest.firstRange(of: "?>") else { return false }
            rest = rest[end.upperBound...].drop(while: \.isWhitespace)
        }
        return ["<plist", "<dict", "<!DOCTYPE plist", "<!--"].contains(where: begins)
    }
}
