import Foundation
import JSON
import TestSupport
import Testing

/// Bundles that other users can write to, and so could make run any code as this user.
@Suite(.waits, .wire) struct ExtensionsWritableTests {
    private static let places = ["", "/Info.plist", "/run", "/run.entitlements"]

    @Test("A bundle that every user can write to is refused, unless an option allows it", arguments: places)
    func refused(place: String) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("good")
            #expect(chmod(folder + place, 0o757) == 0)
            let host = try workspace.host()
            let shown = try host.result("didReceive", HostProcess.payload("good"))
            #expect(shown["extension"] == .null, "\(shown)")
            let result = try host.result("extensions")
            #expect(result["extensions"] == [], "\(result)")
            let problem = result["problems"]?[0]?.description ?? ""
            #expect(problem.contains(folder + place), "\(result)")
            #expect(problem.contains("chmod o-w"), "\(result)")
            #expect(try host.finish() == .code(0))
            let lenient = try workspace.host(["--allow-writable-plugins"])
            _ = try lenient.shown("good")
            #expect(try lenient.result("extensions")["problems"] == [])
            #expect(try lenient.finish() == .code(0))
        }
    }

    @Test(
        "An executable outside the bundle is refused if every user can write to it or its folder",
        arguments: ["/", "/coupon"]
    )
    func linked(place: String) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("good")
            let build = folder + "-build"
            try FileManager.default.createDirectory(atPath: build, withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: folder + "/run", toPath: build + "/coupon")
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/run",
                withDestinationPath: "../good-build/coupon"
            )
            let before = try workspace.host()
            _ = try before.shown("good")
            #expect(try before.finish() == .code(0))
            #expect(chmod(build + place, 0o757) == 0)
            let host = try workspace.host()
            let result = try host.result("extensions")
            #expect(result["extensions"] == [], "\(result)")
            #expect(result["problems"]?[0]?.description.contains("chmod o-w") == true, "\(result)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A folder of bundles that every user can write to is refused")
    func folder() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            #expect(chmod(workspace.plugins, 0o777) == 0)
            let host = try workspace.host()
            let result = try host.result("extensions")
            #expect(result["extensions"] == [], "\(result)")
            #expect(result["problems"]?.array?.count == 1, "\(result)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A bundle that its group can write to is accepted, because umask 002 is common")
    func group() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("good")
            for place in Self.places { #expect(chmod(folder + place, 0o775) == 0) }
            let host = try workspace.host()
            _ = try host.shown("good")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("extensions check reports a bundle that every user can write to as an error", arguments: places)
    func check(place: String) throws {
        try withTemporaryDirectory { root in
            let bundle = CheckedBundle("\(root)/bundle")
            try bundle.make()
            #expect(chmod(bundle.folder + place, 0o757) == 0)
            let run = try CommandRun.check([bundle.folder])
            #expect(run.status == .code(1), "\(run.output)")
            #expect(run.lines("error").filter { $0.contains("chmod o-w") }.count == 1, "\(run.output)")
        }
    }
}
