internal import Platform

extension XMLScanner {
    /// Reads an element that is neither a container nor a key.
    ///
    /// Rejects values that Apple's reader rejects or truncates, since a phone would not read them.
    mutating func scalar(_ tag: Tag, _ start: Int) throws(PropertyListError) -> PropertyListValue {
        if tag.element == .string { return .string(tag.isEmpty ? "" : try text(of: .string, start)) }
        let text = tag.isEmpty ? [] : try plainText(of: tag.element, start)
        let name = tag.element.rawValue
        switch tag.element {
        case .true, .false:
            guard text.isEmpty else { throw wrong("<\(name)> is not empty", start) }
            return .bool(tag.element == .true)
        case .data:
            guard let bytes = Self.data(text) else { throw wrong("<data> holds no base64", start) }
            return .data(bytes)
        default:
            let value =
                switch tag.element {
                case .integer: Self.integer(text)
                case .real: Self.real(text).map { PropertyListValue.real($0) }
                default: Self.date(text).map { PropertyListValue.date($0) }
                }
            guard let value else {
                let needed = ["integer": "of 64 bits", "date": "such as 2026-01-31T12:00:00Z"][name, default: ""]
                let found = String(decoding: text.prefix(40), as: UTF8.self).debugDescription
                let words = ["<\(name)> holds \(found), which is no \(name)", needed]
                throw wrong(words.filter { !$0.isEmpty }.joined(separator: " "), start)
            }
            return value
        }
    }

    private func wrong(_ reason: String, _ start: Int) -> PropertyListError {
        PropertyListError(reason, at: .line(line(at: start)))
    }

    // MARK: Values

    /// Parses an integer in decimal digits, or in hexadecimal digits after `0x`, with or without a sign.
    private static func integer(_ text: ArraySlice<UInt8>) -> PropertyListValue? {
        var rest = text
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let isHexadecimal = rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8)
        if isHexadecimal { rest = rest.dropFirst(2) }
        guard let first = rest.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let number = UInt64(String(decoding: rest, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
        else { return nil }
        if isNegative {
            return number <= Int64.min.magnitude ? .integer(Int64(truncatingIfNeeded: 0 &- number)) : nil
        }
        return Int64(exactly: number).map { .integer($0) } ?? .unsigned(number)
    }

    /// Parses a number in decimal notation, or one of the names of infinity and NaN.
    private static func real(_ text: ArraySlice<UInt8>) -> Double? {
        let text = String(decoding: text, as: UTF8.self)
        switch text.lowercased() {
        case "nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: break
        }
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text)
    }

    /// Parses a date such as `2026-01-31T12:00:00Z` to seconds since 1970.
    ///
    /// Month 13 is January of the next year, as in Apple's reader.
    private static func date(_ text: ArraySlice<UInt8>) -> Double? {
        let isNegative = text.first == UInt8(ascii: "-")
        var rest = isNegative ? text.dropFirst() : text
        /// Parses a number with an allowed count of digits, and the separator after it.
        func number(_ digits: ClosedRange<Int>, before separator: Character) -> Int32? {
            let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest[run.endIndex...]
            guard digits.contains(run.count), rest.first == separator.asciiValue else { return nil }
            rest = rest.dropFirst()
            return Int32(String(decoding: run, as: UTF8.self))
        }
        guard let year = number(4...9, before: "-"), let month = number(2...2, before: "-"),
            let day = number(2...2, before: "T"), let hour = number(2...2, before: ":"),
            let minute = number(2...2, before: ":"), let second = number(2...2, before: "Z"), rest.isEmpty
        else { return nil }
        var parts = tm()
        parts.tm_year = (isNegative ? -year : year) - 1_900
        parts.tm_mon = month - 1
        parts.tm_mday = day
        parts.tm_hour = hour
        parts.tm_min = minute
        parts.tm_sec = second
        return Double(timegm(&parts))
    }

    // MARK: Base64

    /// The six bits of a Base64 character; nil for other bytes.
    private static let digits: [UInt8?] = {
        var digits = [UInt8?](repeating: nil, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, byte) in alphabet.utf8.enumerated() { digits[Int(byte)] = UInt8(value) }
        return digits
    }()

    private static func data(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, count, padding) = (0 as UInt32, 0, 0)
        for byte in text where !isSpace(byte) {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let digit = digits[Int(byte)] else { return nil }
            bits = bits << 6 | UInt32(digit)
            count += 1
            guard count.isMultiple(of: 4) else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
        }
        switch (count % 4, padding) {
        case (0, 0): return bytes
        case (2, 2): return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
        case (3, 1): return bytes + [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
    }
}
