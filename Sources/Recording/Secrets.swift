internal import JSON

/// Values that must not be recorded: each is replaced by its name in brackets.
///
/// A line may hold a value as it is, or as a JSON string spells it. If a text was cut off, a line may hold only a part of
/// a value; at the beginning or end of a JSON string a part of at least ``leastLength`` bytes is found too. A value in
/// another encoding is not found.
struct Secrets {
    /// The minimum number of bytes of a secret and of a part of one; shorter text may be a common word.
    static let leastLength = 8

    private static let quote = UInt8(ascii: "\"")
    private static let escape = UInt8(ascii: "\\")
    private static let slash = UInt8(ascii: "/")

    /// One spelling of a value.
    private struct Secret {
        let placeholder: [UInt8]
        let bytes: [UInt8]
        /// Whether it consists of digits, so that it may occur in JSON outside of strings.
        let isNumber: Bool
    }

    /// Longest first, because one secret may be the beginning of another.
    private var secrets: [Secret] = []
    /// Whether a byte begins a secret, a string or an escape.
    private var isRelevant = (UInt8.min...UInt8.max).map { [Self.quote, Self.escape].contains($0) }

    /// Adds a value, unless it is short.
    mutating func add(_ value: String, name: String) {
        let plain = Array(value.utf8)
        guard plain.count >= Self.leastLength else { return }
        let isNumber = plain.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let spelt = Array(JSON.string(value).bytes.dropFirst().dropLast())
        // Some writers of JSON escape a slash, which keys often have.
        let slashed = spelt.flatMap { $0 == Self.slash ? [Self.escape, Self.slash] : [$0] }
        for bytes in [plain, spelt, slashed] where !secrets.contains(where: { $0.bytes == bytes }) {
            secrets.append(Secret(placeholder: Array("[\(name)]".utf8), bytes: bytes, isNumber: isNumber))
            isRelevant[Int(bytes[0])] = true
        }
        secrets.sort { $0.bytes.count > $1.bytes.count }
    }

    /// A line with placeholders in place of secrets; nil if it holds none.
    func hidden(in line: UnsafeRawBufferPointer) -> [UInt8]? { secrets.isEmpty ? nil : replaced(in: line) }

    // A function of its own, so that without secrets a line costs only one comparison.
    @inline(never)
    private func replaced(in line: UnsafeRawBufferPointer) -> [UInt8]? {
        var result: [UInt8]?
        var copied = 0
        var position = 0
        var isInString = false
        func hide(_ secret: Secret, upTo end: Int) {
            result = (result ?? []) + line[copied..<position]
            let quotes = secret.isNumber && !isInString ? [Self.quote] : []
            result? += quotes + secret.placeholder + quotes
            copied = end
            position = end
        }
        while position < line.count {
            let byte = line[position]
            guard isRelevant[Int(byte)] else {
                position += 1
                continue
            }
            if let (secret, end) = match(line, position, isInString: isInString) {
                hide(secret, upTo: end)
            } else if byte == Self.quote {
                isInString.toggle()
                position += 1
                if isInString, let (secret, end) = matchEnd(line, position) { hide(secret, upTo: end) }
            } else {
                // An escaped quote does not end the string.
                position += byte == Self.escape && position + 1 < line.count && isInString ? 2 : 1
            }
        }
        return result.map { $0 + line[copied...] }
    }

    /// The number of bytes at the end of a piece of a line that may be the beginning of a secret.
    func countOfBegun(atEndOf piece: [UInt8]) -> Int {
        let longest = secrets.first?.bytes.count ?? 0
        let rests = (max(0, piece.count - longest)..<piece.count).lazy.map { piece[$0...] }
        return rests.first { rest in secrets.contains { $0.bytes.starts(with: rest) } }?.count ?? 0
    }

    /// The secret that begins at a position, and where it ends; the end of the string may cut it off.
    private func match(_ line: UnsafeRawBufferPointer, _ start: Int, isInString: Bool) -> (Secret, end: Int)? {
        var cut: (Secret, end: Int)?
        for secret in secrets {
            let count = Self.commonLength(secret.bytes, line, start)
            let end = start + count
            if count == secret.bytes.count {
                if secret.isNumber, !isInString, Self.isLonger(line, start, end) { continue }
                return (secret, end)
            }
            guard cut == nil, isInString, count >= Self.leastLength else { continue }
            if end < line.count, line[end] == Self.quote { cut = (secret, end) }
        }
        return cut
    }

    /// How many bytes of a text are at a position.
    private static func commonLength(_ text: [UInt8], _ line: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var count = 0
        while count < text.count, start + count < line.count, text[count] == line[start + count] { count += 1 }
        return count
    }

    /// The secret whose last part is at the beginning of a string, and where it ends.
    private func matchEnd(_ line: UnsafeRawBufferPointer, _ start: Int) -> (Secret, end: Int)? {
        var start = start
        // A text that was cut inside a character begins with U+FFFD.
        while line[start...].starts(with: "\u{FFFD}".utf8) { start += 3 }
        let rest = line[start...]
        for secret in secrets {
            for cut in 1..<max(1, secret.bytes.count - Self.leastLength + 1) where secret.bytes[cut] == rest.first {
                if rest.starts(with: secret.bytes[cut...]) { return (secret, start + secret.bytes.count - cut) }
            }
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
}
