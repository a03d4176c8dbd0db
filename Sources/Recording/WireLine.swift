internal import Contract
package import JSON

/// A line between the host and its client or an extension.
package struct WireLine: Equatable {
    /// The number of the line in the file from which it was read.
    package let number: Int
    package let from: String
    package let to: String
    /// Its bytes without LF.
    package let bytes: [UInt8]
    /// Whether it has no LF at its end.
    package var isPartial = false

    package init(number: Int, from: String, to: String, bytes: [UInt8], isPartial: Bool = false) {
        self.number = number
        self.from = from
        self.to = to
        self.bytes = bytes
        self.isPartial = isPartial
    }

    /// The line as text, repaired where it is not UTF-8.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The line as a JSON value; nil if it is not JSON.
    package var json: JSON? { try? JSON(parsing: bytes) }

    /// Why the host cannot have written it; nil for a message or a batch, which it can.
    package var invalidity: String? {
        guard let json else { return "it is not JSON" }
        let messages = json.messages
        return messages.isEmpty || messages.contains { $0.object == nil } ? "it is not a message" : nil
    }

    /// The participant at the other end of the host's connection.
    package var peer: String { from == Participant.host ? to : from }

    /// Whether it is on a connection, and not text that an extension wrote on its stderr.
    package var isMessage: Bool { to != Participant.standardError }

    package static func == (left: WireLine, right: WireLine) -> Bool {
        left.from == right.from && left.to == right.to && left.bytes == right.bytes
    }
}

extension JSON {
    /// The messages of a line: the members of a batch, or the value itself.
    package var messages: [JSON] { array.map { Swift.Array($0) } ?? [self] }
}
