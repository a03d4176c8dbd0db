/// A REST API key, which no text about it reveals.
struct APIKey: Equatable, Sendable {
    /// The value of the `Authorization` header; use it for nothing else.
    let authorization: String
    private let value: [UInt8]

    /// The minimum length of a key that is masked: a shorter one is a mistake, and its mask within a word would show it.
    private static let leastLength = 8

    /// Creates a key from its form in Braze's dashboard.
    ///
    /// - Throws: What is wrong with it, without quoting any of it.
    init(_ text: String, from source: String) throws(ConfigurationError) {
        func error(_ text: String) -> ConfigurationError {
            ConfigurationError("\(source) must be the bare key, \(text)")
        }
        guard !text.isEmpty else { throw error("it is empty") }
        guard !text.contains(where: { "\"'`“”‘’".contains($0) }) else { throw error("without quotes") }
        guard !text.contains(where: \.isWhitespace) else {
            throw error("without spaces and line ends; the word Bearer is added here")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw error("of printable ASCII characters") }
        guard text.utf8.count <= 512 else { throw error("it has more than 512 characters") }
        value = Array(text.utf8)
        authorization = "Bearer \(text)"
    }

    /// The text without the key, which a server may echo; for every text that leaves this process.
    func redacted(_ text: String) -> String {
        String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// The bytes without the key.
    func redacted(_ bytes: [UInt8]) -> [UInt8] {
        value.count >= Self.leastLength && isIn(bytes) ? bytes.replacing(value, with: "<the key>".utf8) : bytes
    }

    /// Whether the key is somewhere in the bytes; each answer is searched, so this is a plain search of memory.
    private func isIn(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            value.withUnsafeBytes { key in
                guard var start = bytes.baseAddress, let keyStart = key.baseAddress else { return false }
                let end = start + bytes.count - key.count + 1
                while start < end, let place = memchr(start, Int32(key[0]), end - start) {
                    if memcmp(place, keyStart, key.count) == 0 { return true }
                    start = UnsafeRawPointer(place) + 1
                }
                return false
            }
        }
    }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "<the key>" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
