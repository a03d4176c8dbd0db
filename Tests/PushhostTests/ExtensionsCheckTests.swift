import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost extensions check`: its findings in a bundle, and their messages.
@Suite(.hangs, .wire) struct ExtensionsCheckTests {
    private static let plugins = "\(repositoryRoot)/plugins"
    private static let bundles = ((try? FileManager.default.contentsOfDirectory(atPath: plugins)) ?? []).sorted()
        .filter { FileManager.default.fileExists(atPath: "\(plugins)/\($0)/Info.plist") }

    @Test("The bundles of this repository pass in every language", arguments: bundles)
    func own(name: String) throws {
        // The same elements are pressed in every language.
        for options in [[], ["--locale", "ko", "--only", "notification", "--only", "response"]] {
            let run = try CheckRun(["\(Self.plugins)/\(name)"] + options)
            #expect(run.status == .code(0), "\(run)")
            #expect(run.standardError == "", "\(run)")
            #expect(run.lines("error") == [], "\(run.output)")
            #expect(run.output.contains("0 errors"), "\(run.output)")
        }
    }

    @Test("A bundle without mistakes passes each step")
    func good() throws {
        let run = try check { _ in }
        #expect(run.status == .code(0))
        #expect(run.standardError == "")
        let places = run.lines("ok").map { $0.dropFirst(9).prefix { $0 != ":" } }
        #expect(
            places == [
                "run.entitlements", "Info.plist", "load", "handshake", "notification", "response",
                "second-notification", "same-thread", "locale", "large-payload", "stop", "repeatable",
                "unknown-members", "ids", "unknown-method", "unknown-notification", "unknown-targets", "pieces",
                "two-lines", "dismissed", "media", "end-of-input", "no-stderr", "deactivate",
            ],
            "\(run.output)"
        )
        #expect(run.output.hasSuffix(": 0 errors, 0 warnings\n"), "\(run.output)")
    }

    // MARK: Broken bundles

    /// A way to break a bundle, with the message and the place that are reported.
    struct Flaw: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let place: String
        let says: String
        var severity = "error"
        var options: [String] = []
        let make: @Sendable (inout CheckedBundle) -> Void
    }

    private static let names = [
        Flaw(testDescription: "a letter is missing", place: "Info.plist", says: "mean UNNotificationExtensionCategory?")
        {
            $0.attributes = ["UNNotificationExtensionCatgory": "checked"]
        },
        Flaw(
            testDescription: "a plural",
            place: "Info.plist",
            says: "iOS does not know UNNotificationExtensionCategories"
        ) {
            $0.set("Categories", ["checked"])
        },
        Flaw(testDescription: "another case", place: "Info.plist", says: "case counts") {
            $0.attributes = ["UNNotificationExtensionCATEGORY": "checked"]
        },
        Flaw(testDescription: "another prefix", place: "Info.plist", says: "mean UNNotificationExtensionCategory?") {
            $0.attributes?["UNNotificatonExtensionCategory"] = "checked"
        },
        Flaw(testDescription: "the guide's", place: "Info.plist", says: "UNNotificationExtensionUserInteractionEnabled")
        {
            $0.set("InteractionEnabled", true)
        },
        Flaw(testDescription: "both", place: "Info.plist", says: "iOS knows only", severity: "warning") {
            $0.set("InteractionEnabled", true)
            $0.set("UserInteractionEnabled", true)
        },
        Flaw(testDescription: "too high", place: "Info.plist", says: "move it to NSExtension/NSExtensionAttributes") {
            $0.nsExtension["UNNotificationExtensionCategory"] = "checked"
        },
        Flaw(testDescription: "at the root", place: "Info.plist", says: "is in the root, where it is ignored") {
            $0.info["NSExtensionAttributes"] = ["UNNotificationExtensionCategory": "checked"]
        },
        Flaw(testDescription: "too deep", place: "Info.plist", says: "move it to NSExtension") {
            $0.attributes?["NSExtensionPointIdentifier"] = "com.apple.usernotifications.content-extension"
        },
        Flaw(testDescription: "a root key", place: "Info.plist", says: "did you mean CFBundleExecutable?") {
            $0.info["CFBundleExecutable"] = nil
            $0.info["CFBundleExecuteable"] = "run"
        },
        Flaw(testDescription: "NSExtension", place: "Info.plist", says: "did you mean NSExtension?") {
            $0.info["NSExtensions"] = [String: String]()
        },
    ]

    private static let values = [
        Flaw(testDescription: "ratio 0", place: "Info.plist", says: "must be above 0") {
            $0.set("InitialContentSizeRatio", 0)
        },
        Flaw(testDescription: "ratio below 0", place: "Info.plist", says: "must be above 0") {
            $0.set("InitialContentSizeRatio", -0.5)
        },
        Flaw(testDescription: "absurd ratio", place: "Info.plist", says: "which no screen shows", severity: "warning") {
            $0.set("InitialContentSizeRatio", 300)
        },
        Flaw(testDescription: "ratio as text", place: "Info.plist", says: "must be a number") {
            $0.set("InitialContentSizeRatio", "0.5")
        },
        Flaw(testDescription: "boolean as text", place: "Info.plist", says: "must be a boolean") {
            $0.set("DefaultContentHidden", "YES")
        },
        Flaw(testDescription: "no category", place: "Info.plist", says: "must be a non-empty string") {
            $0.attributes = [:]
        },
        Flaw(testDescription: "empty category", place: "Info.plist", says: "must be a non-empty string") {
            $0.set("Category", "")
        },
        Flaw(testDescription: "empty list", place: "Info.plist", says: "must be a non-empty string") {
            $0.set("Category", [String]())
        },
        Flaw(testDescription: "white space", place: "Info.plist", says: "white space at its beginning or end") {
            $0.set("Category", ["checked", "other "])
        },
        Flaw(testDescription: "twice", place: "Info.plist", says: "is listed twice", severity: "warning") {
            $0.set("Category", ["checked", "checked"])
        },
        Flaw(testDescription: "built-in misspelt", place: "Info.plist", says: "resembles Braze's ab_cat_yes_no") {
            $0.set("Category", ["checked", "ab_cat_yes_now"])
        },
        Flaw(testDescription: "built-in with hyphens", place: "Info.plist", says: "Braze's ab_cat_push_story_v2") {
            $0.set("Category", "AB-Cat-Push-Story-V2")
        },
        Flaw(
            testDescription: "former",
            place: "Info.plist",
            says: "now it is ab_cat_push_story_v2",
            severity: "warning"
        ) {
            $0.set("Category", "ab_cat_push_story")
        },
        Flaw(testDescription: "reserved", place: "Info.plist", says: "begins like Braze's own", severity: "warning") {
            $0.set("Category", "ab_cat_treasure_hunt")
        },
        Flaw(testDescription: "no attributes", place: "Info.plist", says: "NSExtensionAttributes must be a dictionary")
        {
            $0.attributes = nil
        },
        Flaw(testDescription: "point", place: "Info.plist", says: "NSExtensionPointIdentifier must be one of") {
            $0.nsExtension["NSExtensionPointIdentifier"] = "com.apple.usernotification.content-extension"
        },
        Flaw(testDescription: "build variable", place: "Info.plist", says: "the folder's name", severity: "warning") {
            $0.info["CFBundleIdentifier"] = "$(PRODUCT_BUNDLE_IDENTIFIER)"
        },
        Flaw(testDescription: "path", place: "Info.plist", says: "the name of a file in the bundle") {
            $0.info["CFBundleExecutable"] = "../run"
        },
    ]

    private static let entitlements = [
        Flaw(testDescription: "none", place: "run.entitlements", says: "it is missing", severity: "warning") {
            $0.entitlements = [:]
        },
        Flaw(testDescription: "singular", place: "run.entitlements", says: "did you mean \(CheckedBundle.groups)?") {
            $0.entitlements["run.entitlements"] = ["com.apple.security.application-group": ["group.a"]]
        },
        Flaw(testDescription: "no key", place: "run.entitlements", says: "it lists no", severity: "warning") {
            $0.entitlements["run.entitlements"] = ["aps-environment": "development"]
        },
        Flaw(testDescription: "no group", place: "run.entitlements", says: "is empty", severity: "warning") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: [String]()]
        },
        Flaw(testDescription: "bad name", place: "run.entitlements", says: "is not a suite name: a name is") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: ["group/a"]]
        },
        Flaw(testDescription: "case", place: "run.entitlements", says: "differ only in case") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: ["group.a", "group.A"]]
        },
        Flaw(
            testDescription: "no prefix",
            place: "run.entitlements",
            says: "does not begin with group.",
            severity: "warning"
        ) {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: ["com.example"]]
        },
        Flaw(testDescription: "type", place: "run.entitlements", says: "a string or an array of strings") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: 5]
        },
        Flaw(
            testDescription: "another name",
            place: "app.entitlements",
            says: "because there is no run",
            severity: "warning"
        ) {
            $0.entitlements = ["app.entitlements": $0.entitlements["run.entitlements"] ?? [:]]
        },
        Flaw(testDescription: "other names", place: "app.entitlements", says: "the first of 2 entitlements files") {
            let list = $0.entitlements["run.entitlements"] ?? [:]
            $0.entitlements = ["app.entitlements": list, "run-debug.entitlements": list]
        },
        Flaw(testDescription: "ending", place: "run.entitlements.plist", says: "rename it run.entitlements") {
            $0.entitlements = ["run.entitlements.plist": $0.entitlements["run.entitlements"] ?? [:]]
        },
    ]

    private static let behaviours = [
        Flaw(testDescription: "exits", place: "handshake", says: "exited with code 5") {
            $0.behaviour = "exitsBeforeActivate"
        },
        Flaw(testDescription: "refuses", place: "handshake", says: "not on a Sunday") {
            $0.behaviour = "refusesActivate"
        },
        Flaw(testDescription: "version", place: "handshake", says: "with a version") { $0.behaviour = "badVersion" },
        Flaw(testDescription: "crash", place: "notification", says: "exited with code 3") {
            $0.behaviour = "exitsInCall"
        },
        Flaw(testDescription: "view", place: "notification", says: "needs a type") { $0.behaviour = "badView" },
        Flaw(testDescription: "option", place: "response", says: "option must be one of") {
            $0.behaviour = "badOption"
        },
        Flaw(
            testDescription: "refusal",
            place: "notification",
            says: "provide a payload that the extension accepts",
            severity: "warning"
        ) {
            $0.behaviour = "refuses"
        },
        Flaw(testDescription: "save", place: "a generated payload", says: "may not touch") {
            $0.behaviour = "savesElsewhere"
        },
        Flaw(testDescription: "print", place: "stdout", says: "print to stderr instead") {
            $0.behaviour = "garbageFirst"
        },
        Flaw(testDescription: "stays", place: "stop", says: "exit when stdin ends", options: ["--stop-grace", "300"]) {
            $0.behaviour = "ignoresTheEnd"
        },
        Flaw(testDescription: "orphan", place: "stop", says: "which had to be killed") {
            $0.behaviour = "escapedGrandchild"
        },
    ]

    @Test(
        "A broken bundle is reported with the right message and the right place",
        arguments: names + values + entitlements + behaviours
    )
    func broken(flaw: Flaw) throws {
        let run = try check(flaw.make, flaw.options)
        #expect(run.status == .code(flaw.severity == "error" ? 1 : 0), "\(run.output)")
        #expect(run.standardError == "")
        let lines = run.lines(flaw.severity)
        #expect(
            lines.contains { $0.dropFirst(9).hasPrefix(flaw.place + ": ") && $0.contains(flaw.says) },
            "\(run.output)"
        )
        if flaw.severity == "warning" { #expect(run.lines("error") == [], "\(run.output)") }
    }

    @Test("The end of stderr follows the step that failed")
    func standardError() throws {
        let run = try check { $0.behaviour = "exitsInCall" }
        #expect(run.output.contains("\n         | "), "\(run.output)")
    }

    // MARK: The executable and links

    @Test(
        "An executable that cannot be started is reported in the handshake",
        arguments: [
            ("missing", "is missing"), ("mode", "chmod +x"), ("link", "leaves the bundle"), ("folder", "is a folder"),
        ]
    )
    func executable(flaw: String, says: String) throws {
        try withBundle { bundle in
            try bundle.make()
            let manager = FileManager.default
            let path = "\(bundle.folder)/run"
            try manager.removeItem(atPath: path)
            switch flaw {
            case "mode": try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: path))
            case "link": try manager.createSymbolicLink(atPath: path, withDestinationPath: "/bin/cat")
            case "folder": try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            default: break
            }
            let run = try CheckRun([bundle.folder])
            #expect(run.status == .code(1))
            #expect(run.lines("error").contains { $0.contains("handshake: ") && $0.contains(says) }, "\(run.output)")
        }
    }

    @Test(
        "Property lists that are links to outside the bundle are reported",
        arguments: ["Info.plist", "run.entitlements"]
    )
    func link(name: String) throws {
        try withBundle { bundle in
            try bundle.make()
            let outside = bundle.folder + "-outside"
            try FileManager.default.moveItem(atPath: "\(bundle.folder)/\(name)", toPath: outside)
            try FileManager.default.createSymbolicLink(atPath: "\(bundle.folder)/\(name)", withDestinationPath: outside)
            let run = try CheckRun([bundle.folder])
            #expect(run.status == .code(1))
            #expect(
                run.lines("error").contains { $0.hasSuffix("\(name): it is a link that leaves the bundle") },
                "\(run.output)"
            )
        }
    }

    // MARK: Helpers

    /// Checks a modified bundle.
    private func check(_ change: (inout CheckedBundle) -> Void, _ options: [String] = []) throws -> CheckRun {
        try withBundle { bundle in
            var bundle = bundle
            change(&bundle)
            try bundle.make()
            return try CheckRun([bundle.folder] + options)
        }
    }

    private func withBundle<Result>(_ body: (CheckedBundle) throws -> Result) throws -> Result {
        try withTemporaryDirectory { root in try body(CheckedBundle("\(root)/checked")) }
    }
}
