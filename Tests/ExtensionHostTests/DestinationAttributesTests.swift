import ExtensionHost
import Foundation
import TestSupport
import Testing

/// The attributes of a destination in its Info.plist.
@Suite struct DestinationAttributesTests {
    private static let point = ExtensionBundle.Point.destination.rawValue

    private func load(_ changes: [String: Any], point: String = point) throws -> ExtensionBundle {
        try withTemporaryDirectory { root in
            let changes = changes.merging(["NSExtensionPointIdentifier": point]) { own, _ in own }
            return try ExtensionBundle(folder: try BundleFolder("\(root)/bundle", changes).path)
        }
    }

    @Test("Name, variables and batches are read, and absent ones have their defaults")
    func values() throws {
        let bundle = try load([
            "PushhostDestinationName": "braze", "PushhostEnvironment": ["BRAZE_KEY", "BRAZE_URL"],
            "PushhostDestinationConcurrentBatches": 2, "PushhostDestinationIsIdempotent": true,
        ])
        #expect(bundle.destinationName == "braze")
        #expect(bundle.environmentNames == ["BRAZE_KEY", "BRAZE_URL"])
        #expect(bundle.concurrentBatches == 2)
        #expect(bundle.isIdempotent)
        #expect(bundle.problems == [])

        let plain = try load(["PushhostDestinationName": "a"])
        #expect(plain.environmentNames == [] && plain.concurrentBatches == 1 && plain.problems == [])
        #expect(!plain.isIdempotent)
    }

    @Test("These names are valid", arguments: ["a", "9", "Braze.eu-01_x", String(repeating: "n", count: 64)])
    func names(name: String) throws {
        let bundle = try load(["PushhostDestinationName": name])
        #expect(bundle.destinationName == name && bundle.problems == [])
    }

    @Test(
        "These names are invalid and reported",
        arguments: [
            "", "caller", "file", ".a", "-a", "_a", "a b", "a/b", "é", "\u{212A}", "a\n",
            String(repeating: "n", count: 65),
        ]
    )
    func wrongNames(name: String) throws {
        let bundle = try load(["PushhostDestinationName": name])
        #expect(bundle.destinationName == nil)
        #expect(bundle.problems.count == 1)
        #expect(bundle.problems.first?.message.hasPrefix("PushhostDestinationName must be ") == true)
        #expect(bundle.problems.first?.severity == .error)
    }

    @Test("A destination without a name is reported")
    func noName() throws {
        let bundle = try load([:])
        #expect(bundle.destinationName == nil)
        #expect(bundle.problems.map(\.message).contains { $0.hasPrefix("PushhostDestinationName") })
    }

    @Test("An invalid number of batches is reported and counts as one", arguments: [0, 3, -1, 1.5])
    func wrongBatches(number: Double) throws {
        let bundle = try load([
            "PushhostDestinationName": "a", "PushhostDestinationConcurrentBatches": number,
        ])
        #expect(bundle.concurrentBatches == 1 && bundle.destinationName == "a")
        #expect(bundle.problems.count == 1)
        #expect(bundle.problems.first?.message.contains("PushhostDestinationConcurrentBatches must be 1 or 2") == true)
    }

    @Test(
        "A variable with its value is refused, and the message does not show the value",
        arguments: ["KEY=secret", "", "=secret"]
    )
    func wrongVariables(entry: String) throws {
        let bundle = try load(["PushhostDestinationName": "a", "PushhostEnvironment": ["GOOD", entry]])
        #expect(bundle.environmentNames == [])
        let problem = try #require(bundle.problems.first)
        #expect(bundle.problems.count == 1)
        #expect(problem.message.contains("entry 2") && !problem.message.contains("secret"))
    }

    @Test(
        "Only a destination gets variables; another bundle that asks for them is reported",
        arguments: [ExtensionBundle.Point.content, .service]
    )
    func otherPoints(point: ExtensionBundle.Point) throws {
        let bundle = try load(
            ["PushhostEnvironment": ["HOME"], "PushhostDestinationName": "a"],
            point: point.rawValue
        )
        #expect(bundle.environmentNames == [] && bundle.destinationName == nil)
        #expect(bundle.problems.count == 1)
        #expect(bundle.problems.first?.message.hasPrefix("PushhostEnvironment is ignored") == true)
    }
}
