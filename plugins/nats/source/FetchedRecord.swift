internal import JSON
internal import NATS

/// A message of the stream whose body is a record.
struct FetchedRecord: Sendable {
    /// Why a message is no record.
    struct FormatError: Error {
        let text: String
    }

    /// The message as it was delivered last.
    var message: Message
    /// The members of the record.
    let members: JSON.Object

    /// Reads a message.
    ///
    /// - Throws: Why it is no record; the host judges the members.
    init(_ message: Message) throws(FormatError) {
        self.message = message
        do {
            guard let members = try JSON(parsing: message.body).object else {
                throw FormatError(text: "the message is no record: it is no JSON object")
            }
            self.members = members
        } catch let error as JSONParseError {
            throw FormatError(text: "the message is no record: \(error)")
        } catch {
            throw FormatError(text: "the message is no record: it is no JSON object")
        }
    }
}
