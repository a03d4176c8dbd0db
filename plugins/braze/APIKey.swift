/// A REST API key: a value that no text tells.
struct APIKey: Equatable, Sendable {
    /// What stands in the `Authorization` header; for nothing else.
    let authorization: String
    private let value: [UInt8]

    /// Takes a key as Braze's dashboard shows it.
    ///
    /// - Throws: What is wrong with it, without a character of it.
    init(_ text: String, from source: String) throws(ConfigurationProblem) {
        func problem(_ text: String) -> ConfigurationProblem {
            ConfigurationProblem("\(source) must be the bare key, \(text)")
        }
        guard !text.isEmpty else { throw problem("it is empty") }
        guard !text.contains(where: { "\"'`“”‘’".contains($0) }) else { throw problem("without quotes") }
        guard !text.contains(where: \.isWhitespace) else {
            throw problem("without spaces and line ends; the word Bearer is added here")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw problem("of printable ASCII characters") }
        guard text.utf8.count <= 512 else { throw problem("it has more than 512 characters") }
        value = Array(text.utf8)
        authorization = "Bearer \(text)"
    }

    /// The text without the key, for whatever leaves this process: a server may repeat the key in an answer.
    func redacted(_ text: String) -> String {
        String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// The bytes without the key.
    func redacted(_ bytes: [UInt8]) -> [UInt8] {
        bytes.firstRange(of: value) == nil ? bytes : bytes.replacing(value, with: "<the key>".utf8)
    }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "<the key>" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
