import Foundation

/// A value of the keyword `format`; the schemas of this project use no others.
enum SchemaFormat: String {
    case dateTime = "date-time"
    case date
    case time
    case email
    case jsonPointer = "json-pointer"
    case regex
    case uri
    case uriReference = "uri-reference"
    case uuid

    /// Whether a text has the format.
    func matches(_ text: String) -> Bool {
        switch self {
        case .dateTime:
            guard let cut = text.firstIndex(where: { $0 == "T" || $0 == "t" }) else { return false }
            return Self.isDate(text[..<cut]) && Self.isTime(text[text.index(after: cut)...])
        case .date: return Self.isDate(text[...])
        case .time: return Self.isTime(text[...])
        case .email: return text.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil
        case .jsonPointer: return text.wholeMatch(of: /(?:\/(?:[^~\/]|~[01])*)*/) != nil
        case .regex: return SchemaPattern(text) != nil
        case .uri: return Self.isReference(text) && text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:/) != nil
        case .uriReference: return Self.isReference(text)
        case .uuid:
            return text.wholeMatch(of: /[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}/) != nil
        }
    }

    /// RFC 3339's `full-date`, for a day that exists.
    private static func isDate(_ text: Substring) -> Bool {
        guard let numbers = numbers(text.utf8, like: "dddd-dd-dd"), (1...12).contains(numbers[1]) else { return false }
        let isLeap = numbers[0].isMultiple(of: 4) && (!numbers[0].isMultiple(of: 100) || numbers[0].isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[numbers[1] - 1]).contains(numbers[2])
    }

    /// RFC 3339's `full-time`: with a zone offset, and a leap second only at the end of a day in UTC.
    private static func isTime(_ text: Substring) -> Bool {
        guard let time = numbers(text.utf8.prefix(8), like: "dd:dd:dd"), time[0] < 24, time[1] < 60 else {
            return false
        }
        var rest = text.utf8.dropFirst(8)
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard !digits.isEmpty else { return false }
            rest = rest.dropFirst(1 + digits.count)
        }
        var offset = 0
        if !(rest.elementsEqual("Z".utf8) || rest.elementsEqual("z".utf8)) {
            guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
                let zone = numbers(rest.dropFirst(), like: "dd:dd"), zone[0] < 24, zone[1] < 60
            else { return false }
            offset = (zone[0] * 60 + zone[1]) * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        guard time[2] == 60 else { return time[2] < 60 }
        return (time[0] * 60 + time[1] - offset + 2 * 1440) % 1440 == 1439
    }

    /// The numbers in a text, or nil if it does not match the form, in which `d` is a digit and other characters are literal.
    ///
    /// Hand-written for speed, because a recording contains many times.
    private static func numbers(_ text: Substring.UTF8View, like form: StaticString) -> [Int]? {
        guard text.count == form.utf8CodeUnitCount else { return nil }
        var numbers = [0]
        for (index, byte) in text.enumerated() {
            switch form.utf8Start[index] {
            case UInt8(ascii: "d") where isDigit(byte):
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
            case byte where byte != UInt8(ascii: "d"): numbers.append(0)
            default: return nil
            }
        }
        return numbers
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// RFC 3986's characters, with complete escapes; the components are not checked.
    private static func isReference(_ text: String) -> Bool {
        text.wholeMatch(of: /(?:[A-Za-z0-9\-._~:\/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*/) != nil
    }
}
