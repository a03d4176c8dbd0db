internal import JSON
internal import NATS

/// A message of the stream whose body is a record.
struct FetchedRecord: Sendable {
    /// The message as it was delivered last.
    var message: Message
    /// The members of the record; none if the body is no JSON object, which the host then makes a dead letter.
    let members: JSON.Object

    /// Reads a message.
    init(_ message: Message) {
        self.message = message
        members = (try? JSON(parsing: message.body))?.object ?? JSON.Object([])
    }
}
