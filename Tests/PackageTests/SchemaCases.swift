import Foundation
import JSON
import TestSupport
import Testing

/// A schema of `Tests/Fixtures/json-schema`, with valid and invalid values.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    let schema: JSON
    let fitting: [JSON]
    let others: [JSON]

    var testDescription: String { schema.description }

    /// The cases by keyword group.
    static let all: [String: [SchemaCase]] = {
        let path = "\(repositoryRoot)/Tests/Fixtures/json-schema/cases.json"
        guard let data = FileManager.default.contents(atPath: path), let groups = try? JSON(parsing: [UInt8](data))
        else { return [:] }
        var all: [String: [SchemaCase]] = [:]
        for (name, cases) in groups.object ?? JSON.Object([]) { all[name] = cases.array?.map(SchemaCase.init) }
        return all
    }()

    private init(_ json: JSON) {
        schema = json["schema"] ?? .null
        fitting = json["fits"]?.array.map { Array($0) } ?? []
        others = json["not"]?.array.map { Array($0) } ?? []
    }
}
