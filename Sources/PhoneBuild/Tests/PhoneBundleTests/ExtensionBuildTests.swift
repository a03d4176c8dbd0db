import Foundation
import PhoneDiagnostics
import PhoneProject
import PhoneRewriter
import PhoneTestSupport
import Testing

@testable import PhoneBundle

/// Builds of a copy of the fixture `Cafe` against the stand-ins, whose `PhoneMain` prints what is registered.
struct ExtensionBuildTests {
    private func withCafe(_ body: (_ cafe: String, _ output: String) throws -> Void) throws {
        try withTemporaryFolder { folder in
            try FileManager.default.copyItem(atPath: "\(StandIns.fixtures)/Cafe", toPath: "\(folder)/Cafe")
            try body("\(folder)/Cafe", "\(folder)/bundles")
        }
    }

    private func build(_ path: String, _ target: String, to output: String) throws -> ExtensionBuild.Result {
        let plan = try #require(ExtensionSearch(path).extensions.first { $0.code.target == target })
        let modules = try ModulesFolder(StandIns.folder, compiler: nil)
        return try ExtensionBuild(plan, modules: modules, output: output).run()
    }

    /// The errors of a build that fails.
    private func failure(_ path: String, _ target: String, to output: String) throws -> ExtensionBuild.Failure {
        do {
            _ = try build(path, target, to: output)
        } catch let failure as ExtensionBuild.Failure {
            return failure
        }
        return try #require(nil, "the build succeeds")
    }

    private func edit(_ path: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(old))
        try write(text.replacing(old, with: new), to: path)
    }

    // MARK: Bundles

    @Test func aContentExtensionBecomesABundle() throws {
        try withCafe { cafe, output in
            let result = try build(cafe, "OrderCard", to: output)
            #expect(result.bundle == "\(output)/OrderCard")
            #expect(result.isCompiled)
            let all = FileManager.default.enumerator(atPath: result.bundle)?.compactMap { $0 as? String } ?? []
            let files = all.filter { name in !all.contains { $0.hasPrefix("\(name)/") } }
            let expected = [
                "Assets.xcassets/Contents.json", "Assets.xcassets/Cup.imageset/Contents.json",
                "Assets.xcassets/Cup.imageset/cup.svg", "Base.lproj/MainInterface.storyboard", "Info.plist",
                "OrderCard",
                "OrderCard.entitlements", "PrivacyInfo.xcprivacy", "de.lproj/Localizable.strings",
                "en.lproj/Localizable.strings",
            ]
            #expect(files.sorted() == expected)
            let printed = """
                OrderCardController of MainInterface
                CardController\u{20}
                CardController orderLabel
                CardController close:
                OrderCardController\u{20}
                OrderCardController buttons
                OrderCardController onMyWay:
                OrderCardController cardTapped
                StarView\u{20}
                StarView init(frame:)
                StarView isFull

                """
            #expect(StandIns.run("\(result.bundle)/OrderCard").output == printed)
        }
    }

    @Test func nothingInTheProjectIsRefusedByXcode() throws {
        let plans = try ExtensionSearch("\(StandIns.fixtures)/Cafe").extensions
        #expect(plans.count == 9)
        for plan in plans {
            let conditions = Conditions(names: Set(plan.code.conditions), modules: ["Foundation", "UIKit"])
            #expect(RewrittenTarget(try Files.sources(plan.code), conditions).diagnostics.isEmpty)
            #expect(plan.warnings.isEmpty)
        }
    }

    @Test func aServiceExtensionBeginsWithItsPrincipalClass() throws {
        try withCafe { cafe, output in
            let result = try build(cafe, "OrderPicture", to: output)
            #expect(StandIns.run("\(result.bundle)/OrderPicture").output == "NotificationService\n")
            // The resources of a package are in the bundle.
            #expect(FileManager.default.fileExists(atPath: "\(result.bundle)/drinks.txt"))
        }
    }

    @Test func onlyWhatChangedIsBuiltAgain() throws {
        try withCafe { cafe, output in
            #expect(try build(cafe, "OrderCard", to: output).isCompiled)
            #expect(try !build(cafe, "OrderCard", to: output).isCompiled)
            // A resource needs no compiler.
            try edit("\(cafe)/Cafe/de.lproj/Localizable.strings", "Bis gleich!", "Bis bald, und danke!")
            #expect(try !build(cafe, "OrderCard", to: output).isCompiled)
            let texts = try String(contentsOfFile: "\(output)/OrderCard/de.lproj/Localizable.strings", encoding: .utf8)
            #expect(texts.contains("Bis bald"))
            try edit("\(cafe)/OrderCard/StarView.swift", "isFull", "isSet")
            #expect(try build(cafe, "OrderCard", to: output).isCompiled)
            #expect(StandIns.run("\(output)/OrderCard/OrderCard").output.contains("StarView isSet"))
            // What the target does not have any more leaves the bundle.
            try FileManager.default.removeItem(atPath: "\(cafe)/Cafe/de.lproj")
            let result = try build(cafe, "OrderCard", to: output)
            #expect(result.warnings.map(\.path) == ["\(cafe)/Cafe/de.lproj/Localizable.strings"])
            #expect(!FileManager.default.fileExists(atPath: "\(output)/OrderCard/de.lproj/Localizable.strings"))
        }
    }

    @Test func aBuildKeepsFilesThatAreNotItsOwn() throws {
        try withCafe { cafe, output in
            _ = try build(cafe, "OrderCard", to: output)
            let payload = "\(output)/OrderCard/payload.apns"
            try Data("{}".utf8).write(to: URL(filePath: payload))
            try edit("\(cafe)/OrderCard/StarView.swift", "isFull", "isSet")
            #expect(try build(cafe, "OrderCard", to: output).isCompiled)
            #expect(FileManager.default.fileExists(atPath: payload))
            // The folder of the sources has the name of the target too.
            let failure = try failure(cafe, "OrderCard", to: cafe)
            #expect(failure.diagnostics.map(\.message).contains { $0.contains("no build has made it") })
            #expect(FileManager.default.fileExists(atPath: "\(cafe)/OrderCard/StarView.swift"))
        }
    }

    @Test func aFrameworkIsBuiltBeforeItsExtension() throws {
        try withCafe { cafe, output in
            #expect(try build(cafe, "OrderCard", to: output).isCompiled)
            let path = "\(cafe)/CafeKit/CardController.swift"
            try edit(path, "func close(_ sender", "func shut(_ sender")
            let lost = try failure(cafe, "OrderCard", to: output)
            let text = "\(cafe)/OrderCard/OrderCardController.swift:33:19: error: method does not override any method"
            #expect(lost.compilerOutput.hasPrefix(text))
            try edit("\(cafe)/OrderCard/OrderCardController.swift", "close(", "shut(")
            #expect(try build(cafe, "OrderCard", to: output).isCompiled)
            #expect(try !build(cafe, "OrderCard", to: output).isCompiled)
            #expect(StandIns.run("\(output)/OrderCard/OrderCard").output.contains("CardController shut:"))
            try edit(path, "view.isHidden", "view.isHiden")
            let failure = try failure(cafe, "OrderCard", to: output)
            #expect(failure.compilerOutput.hasPrefix("\(path):17:14: error: "))
        }
    }

    @Test func aModuleThatFewNeedIsLinkedOnlyIfItIsImported() throws {
        let modules = try ModulesFolder(StandIns.folder, compiler: nil)
        let flags = ["phonekit", "CryptoKit"].map { "\(StandIns.folder)/\($0).flags" }
        #expect(modules.flagsFiles(["CryptoKit", "Menu"]) == flags)
        try withCafe { cafe, output in
            // The service decrypts with CryptoKit, and would not link without it.
            let targets = ["OrderPicture", "OrderCard"]
            for target in targets { _ = try build(cafe, target, to: output) }
            let surroundings = targets.map { "\(output)/.build/\($0)/surroundings" }
            let isLinked = surroundings.map { Files.read($0)?.contains("@\(StandIns.folder)/CryptoKit.flags") }
            #expect(isLinked == [true, false])
        }
    }

    @Test func aPackageFromElsewhereIsBuiltIfTheMachineHasIt() throws {
        try withCafe { cafe, output in
            let project = "\(cafe)/Cafe.xcodeproj/project.pbxproj"
            try edit(project, "isa = XCLocalSwiftPackageReference;", "isa = XCRemoteSwiftPackageReference;")
            let url = "https://example.com/cafe/menu.git"
            try edit(project, "relativePath = Packages/Menu;", "repositoryURL = \"\(url)\";")
            try edit(project, "productName = Menu;", "package = CAFE00000000000000000C01; productName = Menu;")
            let failure = try failure(cafe, "OrderPicture", to: output)
            let text =
                "there is no module Menu: it is from the package \(url), which this machine does not have: "
                + "clone it into the folder SourcePackages/checkouts beside the project"
            let source = "\(cafe)/OrderPicture/NotificationService.swift"
            #expect(failure.diagnostics == [Diagnostic(.error, source, line: 1, column: 1, text)])
            try FileManager.default.createDirectory(
                atPath: "\(cafe)/SourcePackages/checkouts",
                withIntermediateDirectories: true
            )
            let checkout = "\(cafe)/SourcePackages/checkouts/Menu"
            try FileManager.default.moveItem(atPath: "\(cafe)/Packages/Menu", toPath: checkout)
            #expect(try build(cafe, "OrderPicture", to: output).isCompiled)
        }
    }

    // MARK: Failures

    @Test func errorsNameTheLinesOfTheProject() throws {
        try withCafe { cafe, output in
            try edit("\(cafe)/OrderCard/OrderCardController.swift", "sender.isHidden", "sender.isHiden")
            let failure = try failure(cafe, "OrderCard", to: output)
            let text =
                "\(cafe)/OrderCard/OrderCardController.swift:23:16: error: value of type 'UIButton' has no member 'isHiden'"
            #expect(failure.compilerOutput.hasPrefix(text))
            #expect(!FileManager.default.fileExists(atPath: "\(output)/OrderCard/OrderCard"))
            try edit("\(cafe)/OrderCard/OrderCardController.swift", "sender.isHiden", "sender.isHidden")
            #expect(try build(cafe, "OrderCard", to: output).isCompiled)
        }
    }

    @Test func aMissingModuleIsNamedOnce() throws {
        try withCafe { cafe, output in
            let path = "\(cafe)/OrderCard/StarView.swift"
            try edit(path, "import UIKit", "import UIKit; import MapKit")
            #expect(try build(cafe, "OrderCard", to: output).isCompiled, "an unused import does not matter")
            try edit(path, "var isFull: Bool", "var map: MKMapView?; @IBInspectable var isFull: Bool")
            let failure = try failure(cafe, "OrderCard", to: output)
            #expect(failure.diagnostics.map(\.line) == [1])
            #expect(failure.diagnostics.map(\.column) == [15])
            #expect(failure.diagnostics.first?.message.hasPrefix("there is no module MapKit") == true)
            #expect(failure.compilerOutput.contains("cannot find type 'MKMapView' in scope"))
        }
    }

    @Test(arguments: [
        ("CoreData", "Core Data needs Objective-C: read from the payload or the App Group's UserDefaults "),
        ("SpriteKit", "no frames are rendered: show views of UIKit "),
        ("BrazeKit", "Braze's SDK is compiled for Apple's platforms only: inherit from "),
        ("Latte", "it is from the pod Latte, and pods are not built: add it to the project as a package"),
    ])
    func aModuleThatIsNeverThereIsNamedWithWhatRemains(module: String, advice: String) throws {
        try withCafe { cafe, output in
            try write("PODS:\n  - Latte (1.0):\n    - Milk\nDEPENDENCIES:\n  - Latte\n", to: "\(cafe)/Podfile.lock")
            let path = "\(cafe)/OrderPicture/PictureName.swift"
            try edit(path, "import Foundation", "import Foundation\nimport \(module)\nlet lost: Lost? = nil")
            try edit("\(cafe)/OrderPicture/BaristaMessage.swift", "import Intents", "import Intents\nimport \(module)")
            let errors = try failure(cafe, "OrderPicture", to: output).diagnostics
            let message = try #require(errors.first?.message)
            #expect(errors.count == 1)
            #expect(message.hasPrefix("there is no module \(module): \(advice)"))
            #expect(message.hasSuffix(" (PictureName.swift imports it too)"))
        }
    }

    @Test func aMissingPrincipalClassIsNamed() throws {
        try withCafe { cafe, output in
            try edit("\(cafe)/OrderPicture/NotificationService.swift", "class NotificationService", "class Service")
            let service = try failure(cafe, "OrderPicture", to: output)
            let text = "no Swift source of the target OrderPicture has the class OrderPicture.NotificationService"
            #expect(service.diagnostics == [Diagnostic(.error, "\(cafe)/OrderPicture/Info.plist", text)])
            let storyboard = "\(cafe)/OrderCard/Base.lproj/MainInterface.storyboard"
            try edit(storyboard, "customClass=\"OrderCardController\"", "customClass=\"Lost\"")
            let card = try failure(cafe, "OrderCard", to: output)
            let lost = "no Swift source of the target OrderCard has the class Lost"
            #expect(card.diagnostics == [Diagnostic(.error, storyboard, lost)])
        }
    }

    @Test func objectiveCIsLeftOutWithAWarning() throws {
        try withCafe { cafe, output in
            try write("@implementation A\n@end\n", to: "\(cafe)/OrderPicture/A.m")
            let path = "\(cafe)/OrderPicture/A.m"
            let text = "Objective-C and C are not built: Swift code does not find what this file declares"
            #expect(try build(cafe, "OrderPicture", to: output).warnings == [Diagnostic(.warning, path, text)])
        }
    }

    @Test func theBundlesStandOutsideTheSources() throws {
        try withCafe { cafe, _ in
            let output = "\(cafe)/OrderPicture/bundles"
            let failure = try failure(cafe, "OrderPicture", to: output)
            let text = "the bundles would become resources of the target OrderPicture: name a folder outside "
            #expect(failure.diagnostics == [Diagnostic(.error, output, "\(text)\(cafe)/OrderPicture")])
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func aFolderWithoutModulesIsNamed() throws {
        try withTemporaryFolder { folder in
            let text = "the folder has no module PhoneKit: name the one with PhoneKit's modules"
            #expect(throws: Diagnostic(.error, folder, text)) { try ModulesFolder(folder, compiler: nil) }
        }
    }
}
