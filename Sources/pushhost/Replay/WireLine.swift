internal import ExtensionHost
internal import JSON

/// A line that went between the host and its client or an extension.
struct WireLine: Equatable {
    /// Its line in the file that it was read from.
    let number: Int
    let from: String
    let to: String
    /// Its bytes without LF.
    let bytes: [UInt8]
    /// Whether no LF ended it.
    var isPartial = false

    /// The line as text, repaired where it is not UTF-8.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The line as a value, where it is one.
    var json: JSON? { try? JSON(parsing: bytes) }

    /// Why it is none of the lines that the host writes, each of which is a message or a batch of them.
    var flaw: String? {
        guard let json else { return "it is no JSON" }
        let messages = json.messages
        return messages.isEmpty || messages.contains { $0.object == nil } ? "it is no message" : nil
    }

    /// Who is at the other end of the host's connection.
    var peer: String { from == WireEnd.host ? to : from }

    /// Whether it is a message, and not what an extension wrote on its stderr.
    var isMessage: Bool { to != WireEnd.standardError }

    static func == (left: WireLine, right: WireLine) -> Bool {
        left.from == right.from && left.to == right.to && left.bytes == right.bytes
    }
}

extension JSON {
    /// The messages of a line: the members of a batch, or the one that it is.
    var messages: [JSON] { array.map { Swift.Array($0) } ?? [self] }
}
