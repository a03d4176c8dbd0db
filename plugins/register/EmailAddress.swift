/// An e-mail address in a form that the registration accepts.
///
/// The whole text must match `[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`. Bytes are compared, because Swift compares
/// characters by canonical equivalence: the Kelvin sign, for example, would match the letter K.
struct EmailAddress: Equatable {
    /// The address.
    let text: String

    /// Creates an address, or returns nil if the text is not one.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, let dot = parts[1].lastIndex(of: UInt8(ascii: ".")) else { return nil }
        // The last part contains no dot, so it begins after the last dot.
        let (domain, last) = (parts[1][..<dot], parts[1][dot...].dropFirst())
        guard !parts[0].isEmpty, parts[0].allSatisfy({ $0.isAlphanumeric || "._%+-".utf8.contains($0) }),
            !domain.isEmpty, domain.allSatisfy({ $0.isAlphanumeric || ".-".utf8.contains($0) }),
            last.count >= 2, last.allSatisfy(\.isLetter)
        else { return nil }
        self.text = text
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    fileprivate var isAlphanumeric: Bool { isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
