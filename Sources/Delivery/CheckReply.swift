package import Contract
package import JSON

/// A destination's answer to `check`: whether it can be reached and would accept records.
package struct CheckReply: Equatable {
    /// Whether its service answered.
    package let isReachable: Bool
    /// Whether the service accepts the key and would accept records; nil if the answer does not say.
    package let isAccepted: Bool?
    /// How long the service took, in milliseconds.
    package let milliseconds: Int64?
    /// The service's own time as the destination wrote it, supposedly RFC 3339; not checked.
    package let date: String?
    /// A sentence for people.
    package let message: String

    package init(
        isReachable: Bool,
        isAccepted: Bool?,
        milliseconds: Int64? = nil,
        date: String? = nil,
        message: String
    ) {
        self.isReachable = isReachable
        self.isAccepted = isAccepted
        self.milliseconds = milliseconds
        self.date = date
        self.message = message
    }

    /// Reads an answer.
    ///
    /// - Throws: An error that describes how the answer violates the contract.
    package init(_ value: JSON) throws(ReplyError) {
        guard let isReachable = value["reachable"]?.bool else {
            throw ReplyError("the answer to check must have reachable, true or false")
        }
        guard let message = value["message"]?.string, !message.isEmpty else {
            throw ReplyError("the answer to check must have a message")
        }
        self.isReachable = isReachable
        self.message = message
        isAccepted = value["accepted"]?.bool
        milliseconds = value["milliseconds"]?.integer
        date = value["date"]?.string
    }

    /// The answer on the wire.
    package var json: JSON {
        JSON(present: [
            "reachable": .bool(isReachable), "accepted": isAccepted.map(JSON.bool),
            "milliseconds": milliseconds.map(JSON.integer), "date": date.map(JSON.string), "message": .string(message),
        ])
    }
}
