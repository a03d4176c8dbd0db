import BrazeRules
import ExtensionKit
import JSON
import Testing

@testable import braze

/// An event of a user.
func event(_ id: Int64, _ user: String = "ada", _ name: String = "Opened", _ properties: JSON? = nil) -> DeliveryRecord
{
    DeliveryRecord(
        id: id,
        .customEvent(name: name, properties: properties?.object),
        time: "2026-01-01T00:00:00.000Z",
        user: (["external_id": .string(user)] as JSON).object
    )
}

func attribute(_ id: Int64, _ key: String, _ value: JSON, of user: String = "ada") -> DeliveryRecord {
    let user: JSON = ["external_id": .string(user)]
    return DeliveryRecord(id: id, .customAttribute(key: key, value: value), time: "t", user: user.object)
}

extension JSON {
    /// The members of an object; empty for any other value.
    var members: JSON.Object { object ?? JSON.Object([]) }
}

/// Packs records into requests; also returns the users of the records.
func pack(
    _ records: [DeliveryRecord],
    limits: RequestLimits = RequestLimits(),
    options: MappingOptions = MappingOptions()
) throws -> (requests: [TrackRequest], users: [Identity]) {
    var mapping = Mapping(options)
    var packing = Packing(limits, options)
    for record in records {
        let record = try mapping.encode(record)
        try packing.add(record, of: mapping.users[record.userIndex])
    }
    return (packing.finish(mapping.users), mapping.users)
}

extension TrackRequest {
    /// The body as JSON.
    var json: JSON {
        get throws { try JSON(parsing: body) }
    }
}
