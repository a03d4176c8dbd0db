import JSON
import TestSupport

/// A record that a host of a fleet saves; the number of its host and its own identify it everywhere.
///
/// Of fifty records, one is an increment, and the others are events.
struct FleetRecord: Hashable {
    /// How many users each host has; no user has records of two hosts.
    static let users = 50

    let host: Int
    let number: Int

    var user: String { "user-\(host)-\(number % Self.users)" }
    var isIncrement: Bool { number / Self.users % Self.users == number % Self.users }

    /// The method that saves the record, and its params; a save that is repeated counts once.
    var request: (method: String, params: JSON) {
        let key = JSON.string("\(host).\(number)")
        let user: JSON = ["external_id": .string(user)]
        if isIncrement {
            let name = JSON.string("i-\(host)-\(number)")
            return ("saveCustomAttribute", ["key": name, "value": ["inc": 1], "user": user, "idempotencyKey": key])
        }
        let properties: JSON = ["host": JSON(host), "n": JSON(number)]
        return (
            "saveCustomEvent", ["name": "Event", "properties": properties, "user": user, "idempotencyKey": key]
        )
    }

    init(host: Int, number: Int) {
        self.host = host
        self.number = number
    }

    /// The record of an event, as Braze gets it or as a message of the stream has it; nil for another object.
    init?(event: JSON) {
        guard let host = event["properties"]?["host"]?.integer, let number = event["properties"]?["n"]?.integer else {
            return nil
        }
        self.init(host: Int(host), number: Int(number))
    }

    /// The record of an increment with this name; nil for another name.
    init?(increment name: String) {
        let parts = name.split(separator: "-")
        guard parts.count == 3, parts[0] == "i", let host = Int(parts[1]), let number = Int(parts[2]) else {
            return nil
        }
        self.init(host: host, number: number)
    }

    /// The record of a message of a stream; nil for another message.
    init?(message: JSON) {
        if let name = message["key"]?.string { self.init(increment: name) } else { self.init(event: message) }
    }

    /// The records of an object that the service processed; an attributes object may contain several.
    static func records(in processed: UsersTrackServer.Processed) throws -> [FleetRecord] {
        if processed.array == "events", let record = FleetRecord(event: processed.object) { return [record] }
        let members = processed.array == "attributes" ? processed.object.object.map(Array.init) ?? [] : []
        let records = members.compactMap { FleetRecord(increment: $0.name) }
        guard !records.isEmpty else { throw TestFailure("this is not of these tests: \(processed)") }
        return records
    }
}
