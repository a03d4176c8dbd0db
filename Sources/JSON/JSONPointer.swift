/// JSON Pointers (RFC 6901), the form of an error's `path`.
public enum JSONPointer {
    /// A member's name as a step of a JSON Pointer; a name of more than 1,000 bytes is cut.
    public static func escape(_ name: String) -> String {
        let name = name.excerpt(1_000)
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
        return name.replacingScalars("~", with: "~0").replacingScalars("/", with: "~1")
    }

    /// The names of the members, or numbers of the elements, to which a pointer leads one after the other.
    public static func steps(_ pointer: String) -> [String] {
        // An escaped slash contains no slash.
        pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacingScalars("~1", with: "/").replacingScalars("~0", with: "~")
        }
    }
}

extension String {
    /// The text with another one in place of each occurrence of a text, compared by Unicode scalars.
    ///
    /// A quote or slash with an accent is another character, but still a quote or slash to who reads bytes.
    package func replacingScalars(_ text: String, with other: String) -> String {
        String(UnicodeScalarView(unicodeScalars.replacing(text.unicodeScalars, with: other.unicodeScalars)))
    }
}

extension TextPlace {
    /// The place of what a JSON Pointer names: of a member's name, or of an element.
    ///
    /// - Parameters:
    ///   - pointer: The pointer (RFC 6901).
    ///   - text: A JSON text in UTF-8.
    /// - Returns: The place; if only the beginning of the pointer leads to something, of that; nil if nothing does.
    public static func find(_ pointer: String, in text: [UInt8]) -> TextPlace? {
        let steps = JSONPointer.steps(pointer)
        return text.withUnsafeBytes { (bytes) -> TextPlace? in
            var tokens = JSONTokens(bytes)
            guard var token = tokens.next() else { return nil }
            var found: Int?
            for step in steps {
                guard token.kind == .open, let (place, value) = tokens.enter(step, of: token, bytes) else {
                    break
                }
                (found, token) = (place, value)
            }
            return found.map { TextPlace(of: $0, in: bytes) }
        }
    }
}

extension JSONTokens {
    /// Goes on to a member or an element of the container whose bracket was read.
    ///
    /// - Returns: The offset of its name or value, and the first token of its value; nil if there is no such step.
    fileprivate mutating func enter(
        _ step: String,
        of container: Token,
        _ bytes: UnsafeRawBufferPointer
    ) -> (place: Int, value: Token)? {
        let isObject = bytes[container.range.lowerBound] == UInt8(ascii: "{")
        var index = 0
        while let first = next(), first.kind != .close {
            guard isObject else {
                if String(index) == step { return (first.range.lowerBound, first) }
                skip(first)
                index += 1
                guard next()?.kind == .comma else { return nil }
                continue
            }
            let name = (try? JSON(parsing: UnsafeRawBufferPointer(rebasing: bytes[first.range])))?.string
            guard next()?.kind == .colon, let value = next() else { return nil }
            if name == step { return (first.range.lowerBound, value) }
            skip(value)
            // A comma, or the closing bracket.
            guard next()?.kind == .comma else { return nil }
        }
        return nil
    }

    /// Skips the rest of a value whose first token was read.
    private mutating func skip(_ first: Token) {
        var depth = first.kind == .open ? 1 : 0
        while depth > 0, let token = next() {
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
        }
    }
}
