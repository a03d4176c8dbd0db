import Foundation
import PhoneDiagnostics
import PhoneProject
import PhoneTestSupport
import Testing

@testable import PhoneBundle

/// What a build will miss, found without one, in copies of the fixture `Cafe`.
struct ForecastTests {
    private static let cafe = "\(StandIns.fixtures)/Cafe"

    /// What is found in an extension whose sources have one file more or another text, as `file:line: message`.
    private func findings(_ target: String, _ files: [String: String]) throws -> [String] {
        try withTemporaryFolder { folder in
            let copy = "\(folder)/Cafe"
            try FileManager.default.copyItem(atPath: Self.cafe, toPath: copy)
            for (file, text) in files { try write(text, to: "\(copy)/\(file)") }
            let plan = try #require(try ExtensionSearch(copy).extensions.first { $0.code.target == target })
            let modules = try ModulesFolder(StandIns.folder, compiler: nil)
            let forecast = try #require(ExtensionForecast.forecasts([plan], modules: modules).first)
            #expect(forecast.isComplete == !forecast.findings.contains { $0.severity == .error })
            return forecast.findings.map { finding in
                let file = finding.path.split(separator: "/").last ?? ""
                return "\(file)\(finding.line == 0 ? "" : ":\(finding.line)"): \(finding.message)"
            }
        }
    }

    @Test(arguments: ["OrderCard", "OrderPicture"])
    func nothingIsMissing(_ target: String) throws {
        #expect(try findings(target, [:]) == [])
    }

    private static let unknown = "is neither in the sources nor in PhoneKit, Foundation or Swift"

    @Test(arguments: [
        (
            "import MapKit\nlet map = MKMapView()\n",
            [
                "More.swift:1: there is no module MapKit: keep what uses it out of the extension's target, or in "
                    + "#if canImport(MapKit)", "More.swift:2: MKMapView \(unknown)",
            ]
        ),
        // A module of which nothing is used is not needed.
        ("import MapKit\nimport Combine\nlet number = 1\n", []),
        ("#if canImport(MapKit)\nimport MapKit\nlet map = MKMapView()\n#endif\n", []),
        ("let text = \"\".fancyText\n", ["More.swift:1: fancyText \(unknown)"]),
        ("extension String { var fancyText: String { self } }\nlet text = \"\".fancyText\n", []),
        ("let pair = (left: 1, right: 2)\nlet number = pair.left\n", []),
        (
            "import Foundation\nclass Order: NSObject { @NSManaged var name: String }\n",
            ["More.swift:2: Core Data needs Objective-C: keep the managed object out of the extension's target"]
        ),
    ])
    func aMissingPartIsNamed(_ text: String, _ expected: [String]) throws {
        #expect(try findings("OrderPicture", ["OrderPicture/More.swift": text]).sorted() == expected.sorted())
    }

    @Test func objectiveCIsRecognised() throws {
        let text = "Objective-C is not built: Swift code does not find what this file declares"
        #expect(
            try findings("OrderPicture", ["OrderPicture/More.m": "@implementation More @end\n"]) == ["More.m: \(text)"]
        )
    }

    @Test func aViewThatIsLeftOutIsNamed() throws {
        let file = "OrderCard/Base.lproj/MainInterface.storyboard"
        let text = try String(contentsOfFile: "\(Self.cafe)/\(file)", encoding: .utf8)
        let map = text.replacing("<subviews>", with: "<subviews><mapView id=\"map\"/>", maxReplacements: 1)
        let line = text[..<(try #require(text.firstRange(of: "<subviews>")).lowerBound)].count { $0.isNewline } + 1
        #expect(
            try findings("OrderCard", [file: map]) == ["MainInterface.storyboard:\(line): the view mapView is left out"]
        )
    }

    @Test func theKnownViewsAreThoseOfPhoneKit() throws {
        let sources = URL(fileURLWithPath: StandIns.fixtures + "/../../../PhoneKit/Sources/UIKit/NibLoader.swift")
        let text = try String(contentsOf: sources.standardizedFileURL, encoding: .utf8)
        let table = try #require(
            text.firstMatch(of: /classes: \[String: UIView\.Type\] = \[(.*?)\n    \]/.dotMatchesNewlines())
        )
        let names = Set(table.1.matches(of: /"(\w+)":/).map { String($0.1) })
        #expect(ExtensionForecast.knownElements == names)
    }
}
