internal import CSystem
internal import Foundation
internal import JSON

/// The text of records that wait to be written.
///
/// A recording copies every byte of a connection, so this must be cheap: it escapes a line in one pass into memory that
/// it manages itself.
package struct RecordText: ~Copyable {
    /// The maximum number of bytes that a byte becomes in ``append(escaping:)``.
    private static let escapeLength = 2

    private var memory: UnsafeMutableRawBufferPointer
    package private(set) var count = 0

    package init() { memory = .allocate(byteCount: 4 << 10, alignment: 16) }

    deinit { memory.deallocate() }

    /// The text; valid until the next change.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Removes everything, and frees memory beyond the limit, which only a burst needed.
    package mutating func removeAll(keeping limit: Int) {
        count = 0
        guard memory.count > limit else { return }
        memory.deallocate()
        memory = .allocate(byteCount: limit, alignment: 16)
    }

    /// Appends bytes as they are.
    package mutating func append(_ text: UnsafeRawBufferPointer) {
        reserve(text.count)
        guard let start = text.baseAddress else { return }
        memory.baseAddress?.advanced(by: count).copyMemory(from: start, byteCount: text.count)
        count += text.count
    }

    /// Appends bytes as they are.
    package mutating func append(_ text: [UInt8]) { text.withUnsafeBytes { append($0) } }

    /// Appends a literal.
    package mutating func append(literal text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the member that holds a line: `raw`, or `base64` if it is not UTF-8.
    package mutating func append(rawMember line: UnsafeRawBufferPointer) {
        let start = count
        append(literal: "\"raw\":\"")
        if append(escaping: line) { return append(literal: "\"") }
        count = start
        if let text = String(validating: line, as: UTF8.self) {
            append(literal: "\"raw\":")
            append(JSON.string(text).bytes)
        } else {
            append(literal: "\"base64\":\"")
            append(Array(Data(line).base64EncodedString().utf8))
            append(literal: "\"")
        }
    }

    /// Appends text as it appears between quotes in JSON; written in C, so that debug builds are fast enough too.
    ///
    /// - Returns: Whether it was appended; no if it is not UTF-8 or needs longer escapes.
    private mutating func append(escaping text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
        reserve(Self.escapeLength * text.count)
        let end = memory.baseAddress?.advanced(by: count).assumingMemoryBound(to: UInt8.self)
        var seen: UInt8 = 0
        let length = csystem_quote(first, text.count, end, &seen)
        guard length >= 0, seen < 0x80 || String(validating: text, as: UTF8.self) != nil else { return false }
        count += length
        return true
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > memory.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + more), alignment: 16)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }
}
