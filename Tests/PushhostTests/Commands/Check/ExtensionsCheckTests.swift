import Foundation
import TestSupport
import Testing

/// `pushhost extensions check` of valid bundles, and of bundles whose files cannot be opened.
@Suite(.waits, .wire) struct ExtensionsCheckTests {
    private static let plugins = "\(repositoryRoot)/plugins"
    private static let bundles = ((try? FileManager.default.contentsOfDirectory(atPath: plugins)) ?? []).sorted()
        .filter { FileManager.default.fileExists(atPath: "\(plugins)/\($0)/Info.plist") }

    @Test("The bundles of this repository pass in every language", arguments: bundles)
    func own(name: String) throws {
        // The same elements are pressed in every language.
        for options in [[], ["--locale", "ko", "--only", "notification", "--only", "response"]] {
            let run = try CommandRun.check(["\(Self.plugins)/\(name)"] + options)
            #expect(run.status == .code(0), "\(run)")
            #expect(run.standardError == "", "\(run)")
            #expect(run.lines("error") == [], "\(run.output)")
            #expect(run.output.contains("0 errors"), "\(run.output)")
        }
    }

    @Test("A bundle without mistakes passes each step")
    func good() throws {
        let run = try CheckedBundle.check { _ in }
        #expect(run.status == .code(0))
        #expect(run.standardError == "")
        let places = run.lines("ok").map { $0.dropFirst(9).prefix { $0 != ":" } }
        #expect(
            places == [
                "run.entitlements", "permissions", "Info.plist", "load", "handshake", "notification", "response",
                "second-notification", "same-thread", "locale", "large-payload", "stop", "repeatable",
                "unknown-members", "ids", "unknown-method", "unknown-notification", "unknown-targets", "pieces",
                "two-lines", "dismissed", "media", "end-of-input", "no-stderr", "deactivate", "usage",
            ],
            "\(run.output)"
        )
        #expect(run.output.hasSuffix(": 0 errors, 0 warnings\n"), "\(run.output)")
    }

    @Test("The payload of a bundle is compared with the key-value pairs that the bundle declares")
    func declaredKeys() throws {
        let declared: [String: [String: Any]] = [
            "score": ["Type": "integer", "Example": "3"], "coupon_code": ["Type": "string", "Example": "ADA10"],
            "until": ["Type": "string", "Example": "Monday"],
            "note": ["Type": "string", "Example": "x", "Required": false],
        ]
        try CheckedBundle.with { bundle in
            var bundle = bundle
            bundle.attributes?["PushhostUserInfoKeys"] = declared
            try bundle.make()
            let payload = #"{"aps":{"alert":"Hi","category":"checked"},"score":3,"cupon_code":"X"}"#
            let path = "\(bundle.folder)/payload.apns"
            try Data(payload.utf8).write(to: URL(filePath: path))
            let run = try CommandRun.check([bundle.folder, "--only", "notification"])
            #expect(run.status == .code(0), "\(run.output)")
            #expect(run.lines("warning").count == 3, "\(run.output)")
            for text in [
                "score must be a string that spells an integer, it is 3; Braze sends the value of every key-value pair as "
                    + "a string; write \"3\" (/score)",
                "does not read cupon_code, and coupon_code is missing; did you mean coupon_code? (/cupon_code)",
                "the key-value pair until is missing, which com.example.checked needs; add it; it is a string, such as "
                    + "\"Monday\"",
            ] {
                #expect(run.lines("warning").contains { $0.hasPrefix("warning  payload.apns: ") && $0.hasSuffix(text) })
            }
            let right = #"{"aps":{"alert":"Hi","category":"checked"},"score":"3","coupon_code":"X","until":"now"}"#
            try Data(right.utf8).write(to: URL(filePath: path))
            #expect(try CommandRun.check([bundle.folder, "--only", "notification"]).lines("warning") == [])
            try FileManager.default.removeItem(atPath: path)
            let generated = try CommandRun.check([bundle.folder, "--only", "notification"])
            #expect(generated.lines("warning") == [], "a generated payload is not the author's")
        }
    }

    // MARK: The executable and links

    @Test(
        "An executable that cannot be started is reported in the handshake",
        arguments: [
            ("missing", "is missing"), ("mode", "chmod +x"), ("link", "is a folder"), ("folder", "is a folder"),
        ]
    )
    func executable(flaw: String, message: String) throws {
        try CheckedBundle.with { bundle in
            try bundle.make()
            let manager = FileManager.default
            let path = "\(bundle.folder)/run"
            try manager.removeItem(atPath: path)
            switch flaw {
            case "mode": try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: path))
            case "link": try manager.createSymbolicLink(atPath: path, withDestinationPath: "/")
            case "folder": try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            default: break
            }
            let run = try CommandRun.check([bundle.folder])
            #expect(run.status == .code(1))
            #expect(run.lines("error").contains { $0.contains("handshake: ") && $0.contains(message) }, "\(run.output)")
        }
    }

    @Test("An executable that is a link to outside the bundle is valid")
    func linkedExecutable() throws {
        try CheckedBundle.with { bundle in
            try bundle.make()
            let folder = bundle.folder + "-build"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: "\(bundle.folder)/run", toPath: "\(folder)/coupon")
            try FileManager.default.createSymbolicLink(
                atPath: "\(bundle.folder)/run",
                withDestinationPath: "\(folder)/coupon"
            )
            let run = try CommandRun.check([bundle.folder, "--only", "notification"])
            #expect(run.status == .code(0), "\(run.output)")
        }
    }

    @Test(
        "Property lists that are links to outside the bundle are reported",
        arguments: ["Info.plist", "run.entitlements"]
    )
    func link(name: String) throws {
        try CheckedBundle.with { bundle in
            try bundle.make()
            let outside = bundle.folder + "-outside"
            try FileManager.default.moveItem(atPath: "\(bundle.folder)/\(name)", toPath: outside)
            try FileManager.default.createSymbolicLink(atPath: "\(bundle.folder)/\(name)", withDestinationPath: outside)
            let run = try CommandRun.check([bundle.folder])
            #expect(run.status == .code(1))
            #expect(
                run.lines("error").contains { $0.hasSuffix("\(name): it is a link that leaves the bundle") },
                "\(run.output)"
            )
        }
    }
}
