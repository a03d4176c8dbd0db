import ExtensionHost
import Foundation
import TestSupport
import Testing

/// Property lists from the sources of an app, with Xcode's build variables.
@Suite struct SourcePlistTests {
    @Test("A property list from an app's sources loads unchanged")
    func loads() throws {
        let source = "\(repositoryRoot)/Tests/Fixtures/plists/match-game.plist"
        try withTemporaryDirectory { root in
            let folder = "\(root)/Content-Extension"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/Info.plist")
            let key = "com.apple.security.application-groups"
            let list = "<plist><dict><key>\(key)</key><array><string>group.a</string></array></dict></plist>"
            try Data(list.utf8).write(to: URL(filePath: "\(folder)/Content-Extension.entitlements"))
            let bundle = try ExtensionBundle(folder: folder)
            #expect(bundle.identifier == "Content-Extension" && bundle.executable == "Content-Extension")
            #expect(bundle.categories == ["match_game"])
            #expect(bundle.initialContentSizeRatio == 0.65)
            #expect(bundle.defaultContentHidden && !bundle.overridesDefaultTitle)
            #expect(bundle.userInteractionEnabled)
            #expect(bundle.applicationGroups == ["group.a"])
            #expect(bundle.problems.map(\.severity) == [.warning])
            let message = bundle.problems.first?.message ?? ""
            for part in ["$(EXECUTABLE_NAME)", "$(PRODUCT_BUNDLE_IDENTIFIER)", "Content-Extension"] {
                #expect(message.contains(part), "\(message)")
            }
        }
    }

    @Test(
        "A variable may be part of a text, in braces, and have a modifier",
        arguments: [
            ("com.example.$(PRODUCT_NAME:rfc1034identifier)", "com.example.folder"), ("${TARGET_NAME}", "folder"),
            ("a.$(TARGET_NAME).${PRODUCT_NAME}.z", "a.folder.folder.z"),
        ]
    )
    func variables(text: String, identifier: String) throws {
        try withTemporaryDirectory { root in
            let folder = try BundleFolder("\(root)/folder", ["CFBundleIdentifier": text])
            let bundle = try ExtensionBundle(folder: folder.path)
            #expect(bundle.identifier == identifier)
            #expect(bundle.problems.count == 1)
        }
    }

    @Test("A variable without a value remains unchanged and is reported")
    func unknown() throws {
        try withTemporaryDirectory { root in
            let folder = try BundleFolder("\(root)/folder", ["CFBundleIdentifier": "$(PREFIX).$(TARGET_NAME) $5 $("])
            let bundle = try ExtensionBundle(folder: folder.path)
            #expect(bundle.identifier == "$(PREFIX).folder $5 $(")
            #expect(bundle.problems.map(\.severity) == [.warning, .error])
            #expect(bundle.problems.last?.message.contains("$(PREFIX)") == true)
        }
    }
}
