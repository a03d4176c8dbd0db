import JSON
import TestSupport
import Testing

/// A record that the delivery tests save; its contents include its number, which identifies it everywhere.
///
/// Of ten records, six are events, three set a different attribute each, and one increments an attribute.
struct DeliveryRecord {
    /// The property that makes the server refuse an event, once the server is configured to.
    static let poison = "poison"

    /// Standard fields; each is used by a quarter of two hundred records.
    private static let fields = ["first_name", "last_name", "home_city", "email"]

    let number: Int
    /// The number of users; five consecutive records belong to the same user.
    var users = 10
    /// Whether an event has the property ``poison``.
    var isPoisoned = false

    var user: String { "user-\(number / 5 % users)" }
    var isEvent: Bool { number % 5 < 3 }
    var isIncrement: Bool { number % 10 == 4 }

    /// The method that saves the record, and its params.
    var request: (method: String, params: JSON) {
        let user: JSON = ["external_id": .string(user)]
        if isEvent {
            let poison = isPoisoned ? [(Self.poison, JSON.bool(true))] : []
            let properties = JSON.object(JSON.Object([("n", JSON(number))] + poison))
            return ("saveCustomEvent", ["name": "Event", "properties": properties, "user": user])
        }
        if isIncrement { return ("saveCustomAttribute", ["key": "i\(number)", "value": ["inc": 1], "user": user]) }
        guard number % 10 == 9, number / 50 < Self.fields.count else {
            return ("saveCustomAttribute", ["key": "a\(number)", "value": JSON(number), "user": user])
        }
        let field = Self.fields[number / 50]
        let value = field == "email" ? "v\(number)@example.com" : "v\(number)"
        return ("saveUserAttribute", ["field": .string(field), "value": .string(value), "user": user])
    }

    /// Saves records in a host's default suite, which must answer each with an id.
    static func save(_ records: some Collection<DeliveryRecord>, on host: HostProcess) throws {
        for record in records { try host.request(record.request.method, record.request.params) }
        for _ in records {
            let reply = try host.reply()
            #expect(reply["result"]?["id"] != nil, "\(reply)")
        }
    }

    /// The number of a record that `pending` or `deadLetters` returned.
    static func number(of record: JSON) throws -> Int {
        let number =
            switch record["kind"]?.string {
            case "customEvent": record["properties"]?["n"]?.integer.map(Int.init)
            case "customAttribute": Self.number(in: record["key"]?.string)
            default: Self.number(in: record["value"]?.string)
            }
        guard let number else { throw TestFailure("this is not a record of these tests: \(record)") }
        return number
    }

    /// The numbers of the records in an object that was sent; an attributes object may contain several records.
    static func numbers(in sent: UsersTrackServer.Processed) throws -> [Int] {
        if sent.array == "events", let number = sent.object["properties"]?["n"]?.integer { return [Int(number)] }
        guard sent.array == "attributes", let members = sent.object.object else {
            throw TestFailure("this is not a record of these tests: \(sent)")
        }
        return try members.filter { $0.name != "external_id" && !$0.name.hasPrefix("_") }.map { name, value in
            guard let number = number(in: fields.contains(name) ? value.string : name) else {
                throw TestFailure("\(name) is not of a record of these tests: \(sent.object)")
            }
            return number
        }
    }

    private static func number(in text: String?) -> Int? {
        text.flatMap { Int($0.drop { !$0.isNumber }.prefix { $0.isNumber }) }
    }
}

extension DeliveryRecord: CustomStringConvertible {
    var description: String { "record \(number)" }
}
