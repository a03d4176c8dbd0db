import Foundation
import JSON
import TestSupport
import Testing

/// The messages that authors of bundles see.
@Suite(.waits, .wire) struct MessagesExtensionsTests {
    @Test(
        "An invalid answer to activate is reported with the line that came instead",
        arguments: [
            ("cat >/dev/null", "must be flushed"),
            (
                #"read line; echo '{"jsonrpc":"2.0","id":9,"result":{"version":"1.0"}}'; cat >/dev/null"#,
                "the id 9"
            ),
            (#"read line; echo '{'; cat >/dev/null"#, "a message is one line"),
            (
                #"read line; echo '{"id":1,"result":{"version":"1.0"}}'; cat >/dev/null"#,
                #"the member jsonrpc must be "2.0""#
            ),
        ]
    )
    func activation(script: String, text: String) throws {
        try Workspace.open { workspace in
            try workspace.add(named: "mute", script: script)
            let host = try workspace.host(["--activate-deadline", "1000"])
            let error = try host.show("mute")["error"]
            #expect(error?["data"]?["reason"] == "extensionTimedOut")
            #expect(error?["message"]?.string?.contains(text) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "A file that the system cannot execute is reported with its actual format",
        arguments: [
            ([0xCF, 0xFA, 0xED, 0xFE, 0, 0], "Mach-O executable"),
            ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0], "Mach-O executable"),
            (Array("print('hello')\n".utf8), "does not begin with #!"),
            ([0x7F, 0x45, 0x4C, 0x46], "ELF executable for another processor"), ([], "it is empty"),
            (Array("größe=1\n".utf8), "does not begin with #!"),
            (Array("\n#!/bin/sh\n".utf8), "does not begin with #!"),
            (Array("\u{FEFF}#!/bin/sh\n".utf8), "byte order mark"), ([0, 1, 2, 3], "Exec format error"),
        ] as [([UInt8], String)]
    )
    func foreignFormat(bytes: [UInt8], text: String) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "Coupon.appex", script: "exit")
            let path = "\(folder)/run"
            try Data(bytes).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            let message = try workspace.host().show("Coupon.appex")["error"]?["message"]?.string
            #expect(
                message?.contains(text) == true && message?.contains(path) == true,
                "\(String(describing: message))"
            )
        }
    }

    @Test(
        "A process that ends before it answered activate is reported with the likely reason",
        arguments: [
            ("#!/bin/sh\nexit 0\n", "before it answered activate"),
            ("#!/usr/bin/env sh\r\nexit 0\r\n", "its first line ends with CR"),
        ]
    )
    func earlyEnd(text: String, explanation: String) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "ends", script: "exit")
            try writeExecutable(text, to: "\(folder)/run")
            let error = try workspace.host().show("ends")["error"]
            #expect(error?["data"]?["reason"] == "extensionExited")
            #expect(error?["message"]?.string?.contains(explanation) == true, "\(String(describing: error))")
        }
    }

    @Test("A script whose interpreter is missing is reported with the interpreter's name")
    func missingInterpreter() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "cobol", script: "exit")
            try writeExecutable("#!/usr/bin/env nonesuch-interpreter\n", to: "\(folder)/run")
            let error = try workspace.host().show("cobol")["error"]
            #expect(error?["data"]?["reason"] == "extensionExited")
            #expect(error?["message"]?.string?.contains("nonesuch-interpreter") == true, "\(String(describing: error))")
        }
    }

    @Test("Replies from a process whose bundle changed contain a diagnostic until the bundle is reloaded")
    func changedBundle() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("good")
            let host = try workspace.host()
            func diagnostic(_ method: String, _ params: JSON) throws -> JSON? {
                let all = try host.result(method, params)["diagnostics"]?.array.map(Array.init) ?? []
                return all.first { $0["reason"] == "bundleChanged" }
            }
            let shown = try host.shown("good")
            #expect(try diagnostic("didReceive", HostProcess.payload("good")) == nil)
            // Files that only the extension reads are not changes of the bundle.
            try Data("texts".utf8).write(to: URL(filePath: "\(folder)/notes.txt"))
            try Data("print()".utf8).write(to: URL(filePath: "\(folder)/helper.py"))
            // The change is noticed within about 50 ms.
            var found: JSON?
            while found == nil { found = try diagnostic("didReceive", HostProcess.payload("good")) }
            #expect(found?["message"]?.string?.contains("helper.py") == true, "\(String(describing: found))")
            #expect(found?["message"]?.string?.contains("reload the extensions") == true)
            for _ in 0..<3 { #expect(try diagnostic("didReceive", HostProcess.payload("good")) != nil) }
            let response: JSON = ["notification": shown, "actionIdentifier": "again"]
            #expect(try diagnostic("didReceiveResponse", response) != nil)
            #expect(try host.result("reloadExtensions")["changed"] == ["com.example.good"])
            #expect(try diagnostic("didReceive", HostProcess.payload("good")) == nil)
        }
    }

    @Test("An error from a process whose bundle changed mentions the change")
    func changedBundleError() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("refuses")
            let host = try workspace.host()
            func message() throws -> String { try host.show("refuses")["error"]?["message"]?.string ?? "" }
            #expect(try !message().contains("reload the extensions"))
            try Data("print()".utf8).write(to: URL(filePath: "\(folder)/helper.py"))
            while try !message().contains("reload the extensions") {}
        }
    }

    @Test("A plist in source form, as Xcode 13 keeps it, is loaded with the folder's name and a diagnostic")
    func sourcePlist() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "coupon", script: nil)
            let script = try Workspace.script("good")
            try writeExecutable("#!/bin/sh\n\(script)\n", to: "\(folder)/coupon")
            let info: [String: Any] = [
                "NSExtension": [
                    "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
                    "NSExtensionAttributes": ["UNNotificationExtensionCategory": "coupon"],
                ],
                "PushhostPermissions": try Workspace.permissions(writing: folder),
            ]
            try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
                .write(to: URL(filePath: "\(folder)/Info.plist"))
            let host = try workspace.host()
            #expect(try host.show("coupon")["result"]?["extension"] == "coupon")
            let bundles = try host.result("extensions")["extensions"]
            let problem = bundles?[0]?["problems"]?[0]
            #expect(problem?["severity"] == "warning")
            let message = problem?["message"]?.string
            #expect(
                message?.contains("CFBundleIdentifier, CFBundleExecutable") == true,
                "\(String(describing: bundles))"
            )
        }
    }
}
