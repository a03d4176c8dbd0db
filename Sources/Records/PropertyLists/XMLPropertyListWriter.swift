internal import Foundation
internal import Platform
internal import PropertyLists

/// Writes the XML format piece by piece, with the layout of Apple's tools.
struct XMLPropertyListWriter {
    private var output = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """.utf8
    )

    static func write(_ value: PropertyListValue) -> [UInt8] {
        var writer = XMLPropertyListWriter()
        writer.add(value, depth: 0)
        return writer.output + "</plist>\n".utf8
    }

    // MARK: Piece by piece

    /// The size so far in bytes.
    var size: Int { output.count }

    private var isRootOpen = false

    /// Begins an array as a member of the root dictionary.
    mutating func beginList(_ key: String) {
        openRoot()
        element("key", key, 1)
        line("<array>", 1)
    }

    mutating func addElement(_ value: PropertyListValue) { add(value, depth: 2) }

    mutating func endList() { line("</array>", 1) }

    /// Adds a value as a member of the root dictionary.
    mutating func addMember(_ key: String, _ value: PropertyListValue) {
        openRoot()
        element("key", key, 1)
        add(value, depth: 1)
    }

    /// Completes the file after everything was added; must be called once.
    mutating func finish() -> [UInt8] {
        line(isRootOpen ? "</dict>" : "<dict/>", 0)
        output += "</plist>\n".utf8
        defer { output = [] }
        return output
    }

    private mutating func openRoot() {
        if !isRootOpen { line("<dict>", 0) }
        isRootOpen = true
    }

    // MARK: Values

    /// Whether XML can hold a text: of the characters below the space it allows only the tab and the line ends.
    static func canHold(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x1_0000...: true
            default: false
            }
        }
    }

    private mutating func add(_ value: PropertyListValue, depth: Int) {
        switch value {
        case .string(let text): element("string", text, depth)
        case .integer(let value): element("integer", String(value), depth)
        case .unsigned(let value): element("integer", String(value), depth)
        case .real(let value): element("real", Self.text(value), depth)
        case .bool(let value): line(value ? "<true/>" : "<false/>", depth)
        case .date(let seconds): element("date", Self.date(seconds), depth)
        case .data(let bytes): element("data", Data(bytes).base64EncodedString(), depth)
        // XML has no UID type and uses this dictionary.
        case .uid(let value):
            add(
                .dictionary([.init("CF$UID", Int64(exactly: value).map { .integer($0) } ?? .unsigned(value))]),
                depth: depth
            )
        case .array(let values):
            guard !values.isEmpty else { return line("<array/>", depth) }
            line("<array>", depth)
            for value in values { add(value, depth: depth + 1) }
            line("</array>", depth)
        case .dictionary(let members):
            guard !members.isEmpty else { return line("<dict/>", depth) }
            line("<dict>", depth)
            for member in members {
                element("key", member.key, depth + 1)
                add(member.value, depth: depth + 1)
            }
            line("</dict>", depth)
        }
    }

    private static func text(_ value: Double) -> String {
        value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-infinity" : "+infinity") : value.description
    }

    /// A date in whole seconds, as the XML format has no fractions.
    private static func date(_ seconds: Double) -> String {
        // A date outside the years 0 to 9999 is clamped.
        let seconds = seconds.isNaN ? 0 : min(max(seconds.rounded(.down), -62_167_219_200), 253_402_300_799)
        return String(Timestamp.format(Int64(seconds) * 1000).dropLast(5)) + "Z"
    }

    private mutating func element(_ name: StaticString, _ text: String, _ depth: Int) {
        output.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: depth))
        output += "<\(name)>".utf8
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            // An XML reader would read a plain carriage return as a line feed.
            case UInt8(ascii: "\r"): output += "&#13;".utf8
            default: output.append(byte)
            }
        }
        output += "</\(name)>\n".utf8
    }

    private mutating func line(_ text: StaticString, _ depth: Int) {
        output.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: depth))
        output += "\(text)\n".utf8
    }
}
