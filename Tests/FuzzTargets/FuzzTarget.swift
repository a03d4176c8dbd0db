/// A reader of bytes that others wrote, with what must be true whatever they are.
///
/// `Tests/Proof/fuzz` calls it with bytes that libFuzzer invents, and ``CorpusTests`` with those of `Tests/Fixtures/fuzz`.
public struct FuzzTarget: Sendable {
    /// The name, which is also that of its folder of inputs.
    public let name: String
    /// Reads bytes.
    ///
    /// - Throws: ``BrokenProperty`` if something is not true that should be; a trap is a finding too.
    public let check: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, _ check: @escaping @Sendable ([UInt8]) throws -> Void) {
        (self.name, self.check) = (name, check)
    }

    /// Every target.
    public static let all = wire + files + notifications + deliveries + servers + [preview]
}

/// What is not true of an input.
public struct BrokenProperty: Error, CustomStringConvertible {
    /// A sentence.
    public let description: String
}

/// Ends the check of an input of which a condition is not true.
func require(_ condition: @autoclosure () -> Bool, _ text: @autoclosure () -> String) throws(BrokenProperty) {
    guard condition() else { throw BrokenProperty(description: text()) }
}

/// The value of an expression that must not be nil.
func require<Value>(_ value: Value?, _ text: @autoclosure () -> String) throws(BrokenProperty) -> Value {
    guard let value else { throw BrokenProperty(description: text()) }
    return value
}

/// An input from which decisions are read, so that one text of bytes describes several things.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The bytes that were not read yet.
    var bytes: [UInt8] { Array(rest) }
    var isEmpty: Bool { rest.isEmpty }

    /// The next byte; 0 at the end.
    mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

    /// One of some values, by the next byte.
    mutating func choice<Value>(_ values: [Value]) -> Value { values[byte() % values.count] }

    /// The bytes up to the next line end, or up to the end.
    mutating func line() -> [UInt8] {
        let line = rest.prefix { $0 != 0x0A }
        rest = rest.dropFirst(line.count + 1)
        return Array(line)
    }

    /// The text up to the next line end, repaired where it is not UTF-8.
    mutating func text() -> String { String(decoding: line(), as: UTF8.self) }
}

/// The parts into which a stream is divided by reads of some sizes.
func pieces(_ bytes: [UInt8], size: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
}
