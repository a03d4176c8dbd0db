import Foundation
import PhoneTestSupport
import Testing

@testable import PhoneCheckup

/// The doctor on the fixture `Cafe`: silent about the sound project, and right about each mistake in a copy.
struct CheckupTests {
    private static let cafe = "\(StandIns.fixtures)/Cafe"

    /// A mistake, as changes of texts in files of the project.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let edits: [Edit]
        /// What is found, as `reason target`, sorted; nothing else may be.
        let expected: [String]

        init(_ name: String, _ expected: String..., edits: Edit...) {
            (testDescription, self.edits, self.expected) = (name, edits, expected)
        }
    }

    /// A change of one text in a file; with `after`, of its first place behind that text.
    struct Edit: Sendable {
        let file: String
        let after: String?
        let old: String
        let new: String

        init(_ file: String, after: String? = nil, _ old: String, _ new: String) {
            (self.file, self.after, self.old, self.new) = (file, after, old, new)
        }
    }

    @Test func theSoundProjectHasNoFinding() throws {
        let checkup = try Checkup(Self.cafe)
        #expect(checkup.findings.map(\.text) == [])
        let targets = [
            "OrderCard", "OrderPicture", "BrewGuide", "CupPairs", "LoyaltyCard", "DrinkVote", "TableBooking",
            "PourSound", "CafeFinder",
        ]
        #expect(checkup.targets == targets)
    }

    @Test(arguments: Mistake.all) func aMistakeIsFound(_ mistake: Mistake) throws {
        try withTemporaryFolder { folder in
            let copy = "\(folder)/Cafe"
            try FileManager.default.copyItem(atPath: Self.cafe, toPath: copy)
            for edit in mistake.edits {
                let path = "\(copy)/\(edit.file)"
                var text = try String(contentsOfFile: path, encoding: .utf8)
                let start = try edit.after.map { try #require(text.range(of: $0)).upperBound } ?? text.startIndex
                let range = try #require(text.range(of: edit.old, range: start..<text.endIndex))
                text.replaceSubrange(range, with: edit.new)
                try write(text, to: path)
            }
            let findings = try Checkup(copy).findings
            let found = findings.map { "\($0.reason.rawValue) \($0.target ?? "project")" }.sorted()
            #expect(found == mistake.expected.sorted(), "\(findings.map(\.text))")
            for finding in findings {
                #expect(finding.path.hasPrefix(copy))
                #expect(finding.reason == .unreadable || FileManager.default.fileExists(atPath: finding.path))
                #expect(!finding.message.isEmpty && !finding.advice.isEmpty)
            }
        }
    }

    @Test func everyReasonHasAMistake() {
        let seeded = Set(Mistake.all.flatMap(\.expected).map { $0.prefix { $0 != " " } })
        #expect(Finding.Reason.allCases.map(\.rawValue).filter { !seeded.contains($0[...]) } == [])
    }

    @Test func aFindingNamesThePlaceAndTheSetting() throws {
        try withTemporaryFolder { folder in
            let copy = "\(folder)/Cafe"
            try FileManager.default.copyItem(atPath: Self.cafe, toPath: copy)
            let path = "\(copy)/TableBooking/Info.plist"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try write(text.replacing("$(PRODUCT_MODULE_NAME).Table", with: "Table"), to: path)
            let expected = """
                \(path):20: error: NSExtensionPrincipalClass is TableBookingController without the name of the module, \
                so iOS does not find the Swift class
                    Set NSExtensionPrincipalClass to $(PRODUCT_MODULE_NAME).TableBookingController
                """
            #expect(try Checkup(copy).findings.map(\.text) == [expected])
        }
    }

    @Test func aProjectWithoutExtensionsIsRefused() throws {
        try withTemporaryFolder { folder in
            try write("", to: "\(folder)/Main.swift")
            #expect(throws: (any Error).self) { try Checkup(folder) }
        }
    }
}
