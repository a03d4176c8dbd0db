internal import Foundation
internal import JSON

// How the bytes of a line become members of a record.

extension [UInt8] {
    /// What a byte becomes in a JSON text: itself, an escape of two bytes, or more than the short way can do.
    private enum Escape {
        static let none: UInt8 = 0
        static let other: UInt8 = 1
    }

    /// By byte: 0 for itself, 1 for the long way, else what follows the backslash.
    private static let escapes: [UInt8] = (0...255)
        .map { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "\""): UInt8(ascii: "\"")
            case UInt8(ascii: "\\"): UInt8(ascii: "\\")
            case UInt8(ascii: "\t"): UInt8(ascii: "t")
            case UInt8(ascii: "\r"): UInt8(ascii: "r")
            // E2 begins U+2028 too, at which some readers of lines split.
            case ..<0x20, 0xE2: Escape.other
            default: Escape.none
            }
        }

    /// Appends the member that holds a line: `raw`, or `base64` where it is no UTF-8.
    ///
    /// A recording writes every byte that goes over a connection, so this must cost little beside it.
    mutating func append(rawMember line: UnsafeRawBufferPointer) {
        let start = count
        append(literal: "\"raw\":\"")
        if append(escaping: line) {
            append(UInt8(ascii: "\""))
            return
        }
        removeLast(count - start)
        if let text = String(validating: line, as: UTF8.self) {
            append(literal: "\"raw\":")
            JSON.string(text).write(to: &self)
        } else {
            append(literal: "\"base64\":\"")
            append(contentsOf: Data(line).base64EncodedString().utf8)
            append(UInt8(ascii: "\""))
        }
    }

    /// Appends text as it stands within quotes.
    ///
    /// - Returns: Whether that could be done the short way; else what was appended is of no use.
    private mutating func append(escaping text: UnsafeRawBufferPointer) -> Bool {
        let start = count
        append(contentsOf: repeatElement(0, count: 2 * text.count))
        var end = start
        var seen: UInt8 = 0
        let isDone = withUnsafeMutableBufferPointer { output in
            Self.escapes.withUnsafeBufferPointer { escapes in
                for byte in text {
                    seen |= byte
                    let escape = escapes[Int(byte)]
                    if escape == Escape.none {
                        output[end] = byte
                        end += 1
                    } else {
                        guard escape != Escape.other else { return false }
                        output[end] = UInt8(ascii: "\\")
                        output[end + 1] = escape
                        end += 2
                    }
                }
                return true
            }
        }
        removeLast(count - end)
        return isDone && (seen < 0x80 || String(validating: text, as: UTF8.self) != nil)
    }
}
