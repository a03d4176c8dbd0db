import Foundation
import PhoneDiagnostics
import PhoneTestSupport
import Testing

@testable import PhoneProject

/// The fixture `Cafe`: an app, a content extension in groups, and a service extension in a synchronized folder.
struct ProjectTests {
    private let cafe = "\(StandIns.fixtures)/Cafe"

    private func extensions(_ path: String? = nil, configuration: String? = nil) throws -> [NotificationExtension] {
        try ExtensionSearch(path ?? cafe, configuration: configuration).extensions
    }

    private func plan(_ target: String) throws -> NotificationExtension {
        try #require(extensions().first { $0.code.target == target })
    }

    private func relative(_ paths: [String]) -> [String] { paths.map { $0.replacing("\(cafe)/", with: "") } }

    @Test func findsTheContentExtension() throws {
        let card = try plan("OrderCard")
        #expect(card.code.target == "OrderCard")
        #expect(card.kind == .content)
        #expect(card.identifier == "com.example.cafe.ordercard")
        #expect(card.code.module == "OrderCard")
        #expect(card.categories == ["order_ready", "order_late"])
        #expect(card.storyboard == "MainInterface")
        #expect(card.principalClass == nil)
        #expect(card.libraries == ["CafeKit", "UserNotificationsUI"])
        #expect(card.dependencies == ["CafeKit"])
        #expect(card.frameworks.map(\.module) == ["CafeKit", "Menu"])
        let kit = ["CafeKit/CardController.swift", "CafeKit/GuestRecords.swift", "CafeKit/Visits.swift"]
        #expect(relative(card.frameworks[0].sources) == kit)
        #expect(card.code.languageFlags == ["-swift-version", "5", "-DDEBUG", "-DCAFE", "-DCARD"])
        #expect(card.infoPlist.text("CFBundleDisplayName") == "OrderCard of Cafe")
        #expect(card.infoPlist.text("CFBundleExecutable") == "OrderCard")
        #expect(card.warnings.isEmpty)
        let entitlements = try card.entitlements(at: #require(card.entitlementsPath))
        #expect(entitlements["com.apple.security.application-groups"] as? [String] == ["group.com.example.cafe"])
    }

    @Test func aTextBecomesTheBooleanThatIOSReads() throws {
        try withTemporaryFolder { folder in
            try FileManager.default.copyItem(atPath: cafe, toPath: "\(folder)/Cafe")
            let path = "\(folder)/Cafe/OrderCard/Info.plist"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try write(text.replacing("<true/>", with: "<string>YES</string>"), to: path)
            let card = try #require(try extensions("\(folder)/Cafe").first { $0.code.target == "OrderCard" })
            let list = String(decoding: try card.infoPlist.data(), as: UTF8.self)
            #expect(list.contains(/<key>UNNotificationExtensionDefaultContentHidden<\/key>\s*<true\/>/))
        }
    }

    @Test func takesTheFilesOfTheBuildPhases() throws {
        let card = try plan("OrderCard")
        let expected = [
            "Cafe/Model/Order.swift", "OrderCard/OrderCardController.swift", "OrderCard/StarView.swift",
            "OrderPicture/PictureName.swift",
        ]
        #expect(relative(card.code.sources) == expected)
        let resources = Dictionary(
            uniqueKeysWithValues: card.code.resources.map { ($0.destination, relative([$0.path])[0]) }
        )
        let places = [
            "Assets.xcassets": "OrderCard/Assets.xcassets",
            "Base.lproj/MainInterface.storyboard": "OrderCard/Base.lproj/MainInterface.storyboard",
            "de.lproj/Localizable.strings": "Cafe/de.lproj/Localizable.strings",
            "en.lproj/Localizable.strings": "Cafe/en.lproj/Localizable.strings",
        ]
        #expect(resources == places)
    }

    @Test func readsASynchronizedFolder() throws {
        let picture = try plan("OrderPicture")
        #expect(picture.kind == .service)
        #expect(
            relative(picture.code.sources) == [
                "OrderPicture/BaristaMessage.swift", "OrderPicture/NotificationService.swift",
                "OrderPicture/PictureName.swift",
            ]
        )
        let resources = ["Pictures", "de.lproj/Localizable.strings", "en.lproj/Localizable.strings"]
        #expect(
            picture.code.resources == resources.map { Resource(path: "\(cafe)/OrderPicture/\($0)", destination: $0) }
        )
        #expect(picture.principalClass == "OrderPicture.NotificationService")
        #expect(picture.infoPlist.text("CFBundleDisplayName") == "Picture of the order")
        #expect(picture.infoPlist.text("CFBundleVersion") == "7")
        #expect(picture.code.swiftVersion == "6")
        #expect(picture.libraries == ["Menu"])
        #expect(relative(picture.code.origins) == ["OrderPicture", "Config/Shared.xcconfig"])
    }

    @Test func anExtensionHasFilesOfItsFolderAndOfTheApp() throws {
        let pairs = try plan("CupPairs")
        let own = ["CupCell", "CupPairsController", "PairsGame"].map { "CupPairs/\($0).swift" }
        #expect(Set(relative(pairs.code.sources)) == Set(["Cafe/Model/Drink.swift"] + own))
        #expect(pairs.code.resources.map(\.destination) == ["Base.lproj/MainInterface.storyboard"])
        #expect(pairs.storyboard == "MainInterface")
        #expect(pairs.identifier == "com.example.cafe.pairs")
        #expect(pairs.entitlementsPath.map { relative([$0]) } == ["Config/Extensions.entitlements"])
    }

    @Test func anotherConfigurationHasOtherSettings() throws {
        let search = try ExtensionSearch("\(cafe)/Cafe.xcodeproj", configuration: "Release")
        let card = try #require(search.extensions.first)
        #expect(card.product == "Order Card")
        #expect(card.code.module == "Order_Card")
        #expect(card.identifier == "com.example.cafe.card")
        #expect(card.code.conditions == ["CAFE"])
        let text = "the target OrderPicture has no configuration Release: choose one of Debug"
        #expect(search.failures.map(\.message) == [text])
    }

    @Test func aFolderOfTheExtensionNeedsNoProject() throws {
        let card = try #require(extensions("\(cafe)/OrderCard").first)
        #expect(card.code.target == "OrderCard")
        #expect(relative(card.code.sources).contains("OrderCard/MacOnly.swift"))
        #expect(card.identifier == "local.OrderCard")
        #expect(card.code.resources.map(\.destination) == ["Assets.xcassets", "Base.lproj/MainInterface.storyboard"])
        #expect(card.entitlementsPath?.hasSuffix("OrderCard.entitlements") == true)
    }

    @Test func aWorkspaceLeadsToItsProjects() throws {
        try withTemporaryFolder { folder in
            let link = "\(folder)/apps/Cafe"
            try FileManager.default.createDirectory(atPath: "\(folder)/apps", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: cafe)
            let contents = """
                <?xml version="1.0" encoding="UTF-8"?>
                <Workspace version = "1.0">
                   <Group location = "group:apps" name = "Apps">
                      <FileRef
                         location = "group:Cafe/Cafe.xcodeproj">
                      </FileRef>
                   </Group>
                   <FileRef location = "group:Pods/Pods.xcodeproj"></FileRef>
                </Workspace>
                """
            try write(contents, to: "\(folder)/All.xcworkspace/contents.xcworkspacedata")
            let targets = [
                "OrderCard", "OrderPicture", "BrewGuide", "CupPairs", "LoyaltyCard", "DrinkVote", "TableBooking",
                "PourSound",
                "CafeFinder",
            ]
            #expect(try extensions(folder).map(\.code.target) == targets)
            #expect(try extensions("\(folder)/All.xcworkspace").count == targets.count)
        }
    }

    @Test func localPackagesHaveModules() throws {
        try withTemporaryFolder { folder in
            let manifest = """
                // swift-tools-version: 5.9
                import PackageDescription

                let package = Package(
                    name: "Core",
                    products: [.library(name: "Core", targets: ["Core", "CoreUI"])],
                    dependencies: [
                        .package(path: "../Tools"),
                        .package(url: "https://example.com/acme/beans.git", from: "1.0.0"),
                    ],
                    targets: [
                        .target(name: "Core", dependencies: [.target(name: "CoreUI"), "Tools"], swiftSettings: [.define("FAST")]),
                        .target(name: "CoreUI", path: "UI", exclude: ["Old"], resources: [.process("Pictures")]),
                        .testTarget(name: "CoreTests", dependencies: ["Core"]),
                    ]
                )
                """
            try write(manifest, to: "\(folder)/Core/Package.swift")
            let files = [
                "Sources/Core/A.swift", "UI/B.swift", "UI/Old/C.swift", "UI/Pictures/cup.svg", "Sources/Extra/D.swift",
            ]
            for file in files + ["Tests/CoreTests/E.swift"] { try write("", to: "\(folder)/Core/\(file)") }
            try write("// swift-tools-version:6.1\nlet package = make()\n", to: "\(folder)/Tools/Package.swift")
            try write("", to: "\(folder)/Tools/Sources/Tools/F.swift")
            let dependency = "let package = Package(name: \"Beans\", targets: [.target(name: \"Beans\")])\n"
            try write(dependency, to: "\(folder)/Core/.build/checkouts/Beans/Package.swift")
            try write("", to: "\(folder)/Core/.build/checkouts/Beans/Sources/G.swift")
            var visited: Set<String> = []
            let modules = LocalPackage.modules(
                in: "\(folder)/Core",
                PackageCheckouts(near: ["\(folder)/Core"]),
                visited: &visited
            )
            #expect(modules.map(\.module) == ["Core", "CoreUI", "Extra", "Tools", "Beans"])
            let sources = modules.map { $0.sources.map { $0.replacing("\(folder)/", with: "") } }
            let expected = [["Core/Sources/Core/A.swift"], ["Core/UI/B.swift"], ["Core/Sources/Extra/D.swift"]]
            let beans = ["Core/.build/checkouts/Beans/Sources/G.swift"]
            #expect(sources == expected + [["Tools/Sources/Tools/F.swift"], beans])
            #expect(modules[0].languageFlags == ["-swift-version", "5", "-DDEBUG", "-DSWIFT_PACKAGE", "-DFAST"])
            #expect(modules[1].resources.map(\.destination) == ["cup.svg"])
            #expect(modules.map(\.hasResourceBundle) == [false, true, false, false, false])
            #expect(modules[3].swiftVersion == "6")
        }
    }

    @Test(arguments: [
        (
            "A.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved",
            #"{"version": 3, "pins": [{"location": "git@example.com:acme/Beans", "state": {"revision": "REVISION"}}]}"#
        ),
        (
            "Package.resolved",
            #"{"object":{"pins":[{"repositoryURL":"https://example.com/acme/beans","state":{"revision":"REVISION"}}]}}"#
        ),
    ])
    func aPackageInSwiftPMsCacheIsCheckedOutAtItsRevision(list: String, text: String) throws {
        try withTemporaryFolder { folder in
            let (beans, caches) = ("\(folder)/beans", "\(folder)/caches")
            try write("let roast = \"light\"\n", to: "\(beans)/Sources/Beans/Roast.swift")
            try git(["init", "--quiet", beans])
            let commit = [
                "-C", beans, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "-a",
            ]
            try git(["-C", beans, "add", "."])
            try git(commit + ["-m", "light"])
            let revision = try git(["-C", beans, "rev-parse", "HEAD"])
            try write("let roast = \"dark\"\n", to: "\(beans)/Sources/Beans/Roast.swift")
            try git(commit + ["-m", "dark"])
            let url = "https://example.com/acme/beans.git"
            let clone = "\(caches)/org.swift.swiftpm/repositories/beans-0a1b2c3d"
            try git(["clone", "--quiet", "--mirror", beans, clone])
            try git(["-C", clone, "remote", "set-url", "origin", url])
            #expect(PackageCheckouts(near: [folder], caches: [caches]).folder(of: url) == nil, "no revision is known")
            try write(text.replacing("REVISION", with: revision), to: "\(folder)/\(list)")
            let checkout = try #require(PackageCheckouts(near: [folder], caches: [caches]).folder(of: url))
            let source = try String(contentsOfFile: "\(checkout)/Sources/Beans/Roast.swift", encoding: .utf8)
            #expect(source == "let roast = \"light\"\n")
            // The checkout lasts, also without the clone.
            try FileManager.default.removeItem(atPath: clone)
            #expect(PackageCheckouts(near: [folder], caches: [caches]).folder(of: url) == checkout)
            #expect(PackageCheckouts(near: [folder], caches: [caches]).folder(of: "https://example.com/b/beans") == nil)
        }
    }

    /// Runs git, and returns what it prints.
    @discardableResult
    private func git(_ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "git \(arguments) failed")
        return text.trimmingCharacters(in: .newlines)
    }

    // MARK: Failures

    @Test func aMergeConflictIsNamed() throws {
        try withTemporaryFolder { folder in
            let path = "\(folder)/A.xcodeproj/project.pbxproj"
            try write("// !$*UTF8*$!\n{\n<<<<<<< HEAD\n\ta = 1;\n=======\n\ta = 2;\n>>>>>>> b\n}\n", to: path)
            #expect(throws: Diagnostic(.error, path, line: 3, "the project has a merge conflict: resolve it first")) {
                try ExtensionSearch(folder)
            }
        }
    }

    @Test(arguments: [
        ("{ a = ", "the project is no valid property list: open it in Xcode and correct it"),
        ("{ a = 1; }", "the file is no project: it has no objects"),
    ])
    func anUnreadableProjectIsNamed(content: String, message: String) throws {
        try withTemporaryFolder { folder in
            let path = "\(folder)/A.xcodeproj/project.pbxproj"
            try write(content, to: path)
            #expect(throws: Diagnostic(.error, path, message)) { try ExtensionSearch("\(folder)/A.xcodeproj") }
        }
    }

    @Test func aFolderWithoutAProjectTellsHowToMakeOne() throws {
        try withTemporaryFolder { folder in
            try write("name: Cafe\n", to: "\(folder)/project.yml")
            let text = "the folder has no .xcodeproj: make it with xcodegen first, or name the extension's own folder"
            #expect(throws: Diagnostic(.error, folder, text)) { try ExtensionSearch(folder) }
        }
    }

    @Test func openStepHasQuotesCommentsAndLists() throws {
        try withTemporaryFolder { folder in
            let text = """
                // !$*UTF8*$!
                { objects = { P /* x */ = { isa = PBXProject; name = "a\\"b \\U00e4"; list = ( "x y", z, ); n = 5; targets = (
                T, GONE); }; T = { isa = PBXNativeTarget; name = T; }; }; rootObject = P /* Project */; }
                """
            try write(text, to: "\(folder)/A.xcodeproj/project.pbxproj")
            let project = try ProjectFile(package: "\(folder)/A.xcodeproj")
            #expect(project.root.text("name") == "a\"b ä")
            #expect(project.root.list("list") == ["x y", "z"])
            #expect(project.root.text("n") == "5")
            #expect(project.targets.map(\.id) == ["T"])
        }
    }

    @Test func groupsGiveFilesTheirPaths() throws {
        try withTemporaryFolder { folder in
            let text = """
                { objects = {
                P = { isa = PBXProject; projectDirPath = ios; mainGroup = G; };
                G = { isa = PBXGroup; children = (A, N, R); };
                A = { isa = PBXGroup; path = a; sourceTree = "<group>"; children = (F1, F2, F3, F4); };
                N = { isa = PBXGroup; name = "No folder"; sourceTree = "<group>"; children = (F5); };
                R = { isa = PBXGroup; path = r; sourceTree = SOURCE_ROOT; children = (F6); };
                F1 = { isa = PBXFileReference; path = 1.swift; sourceTree = "<group>"; };
                F2 = { isa = PBXFileReference; path = "../2.swift"; sourceTree = "<group>"; };
                F3 = { isa = PBXFileReference; path = /x/3.swift; sourceTree = "<absolute>"; };
                F4 = { isa = PBXFileReference; path = 4.swift; sourceTree = SDKROOT; };
                F5 = { isa = PBXFileReference; path = 5.swift; sourceTree = "<group>"; };
                F6 = { isa = PBXFileReference; path = 6.swift; sourceTree = "<group>"; };
                }; rootObject = P; }
                """
            try write(text, to: "\(folder)/A.xcodeproj/project.pbxproj")
            let project = try ProjectFile(package: "\(folder)/A.xcodeproj")
            let paths = (1...6).map { project.path(of: project["F\($0)"])?.replacing(folder, with: "") }
            #expect(paths == ["/ios/a/1.swift", "/ios/2.swift", "/x/3.swift", nil, "/ios/5.swift", "/ios/r/6.swift"])
        }
    }
}
