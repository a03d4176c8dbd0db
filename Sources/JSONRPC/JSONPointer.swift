internal import JSON

/// JSON Pointers (RFC 6901), the form of an error's `path`.
public enum JSONPointer {
    /// A member's name as a step of a JSON Pointer; a name of more than 1,000 bytes is cut.
    public static func escape(_ name: String) -> String {
        let name = name.excerpt(1_000)
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
        // By scalars: a Character is a grapheme cluster, in which a slash may have an accent.
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped.append(contentsOf: "~0".unicodeScalars)
            case "/": escaped.append(contentsOf: "~1".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
