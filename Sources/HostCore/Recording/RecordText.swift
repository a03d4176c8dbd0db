internal import CSystem
internal import Foundation
internal import JSON

// How the bytes of a line become members of a record.

extension [UInt8] {
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

    /// Appends text as it stands within quotes; in C, so that a host that was built for debugging keeps up too.
    ///
    /// - Returns: Whether that could be done the short way.
    private mutating func append(escaping text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * text.count) { room in
            var seen: UInt8 = 0
            let count = csystem_quote(start, text.count, room.baseAddress, &seen)
            guard count >= 0, seen < 0x80 || String(validating: text, as: UTF8.self) != nil else { return false }
            append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
            return true
        }
    }
}
