import Foundation
import TestSupport
import Testing

/// `pushhost uninstall`.
@Suite(.waits, .wire) struct UninstallTests {
    private static let bundles = "libexec/pushhost/plugins"

    @Test("An installed program removes its installation, and nothing else")
    func removes() throws {
        try Installation.with { place in
            let own: Set = [
                "bin/other", "share/pushhost/standard.sqlite", "share/man/man1/other.1",
                "\(Self.bundles)/own/Info.plist",
            ]
            for path in own.sorted().dropLast() { try place.write("mine", to: path) }
            try place.install("feedback")
            for path in own { try place.write("mine", to: path) }
            // Python writes this when the extension runs.
            try place.write("compiled", to: "\(Self.bundles)/feedback/__pycache__/form.cpython-311.pyc")
            let run = try place.run(["uninstall"], installed: true)
            #expect(run.status == .code(0), "\(run.standardError)")
            #expect(run.standardError == "")
            #expect(try place.files() == own)
            let folders = Set(try place.tree().filter { $0.value.hasPrefix("40") }.keys)
            let needed = own.flatMap { path in
                let parts = path.split(separator: "/")
                return (1..<parts.count).map { parts.prefix($0).joined(separator: "/") }
            }
            #expect(folders == Set(needed))
        }
    }

    @Test("The prefix is removed too if it did not exist before")
    func leavesNothing() throws {
        try Installation.with { place in
            try place.install()
            #expect(try place.run(["uninstall", "--prefix", place.prefix]).status == .code(0))
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.root) == [])
        }
    }

    @Test("A file that was changed since is kept, unless --force is given", arguments: [false, true])
    func keepsChanged(force: Bool) throws {
        try Installation.with { place in
            try place.install()
            try place.write("mine", to: "\(Self.bundles)/like/item.mjs")
            let run = try place.run(["uninstall", "--prefix", place.prefix] + (force ? ["--force"] : []))
            #expect(run.status == .code(0))
            #expect(run.standardError.contains("like/item.mjs was changed") == !force, "\(run.standardError)")
            #expect(try place.files() == (force ? [] : ["\(Self.bundles)/like/item.mjs"]))
        }
    }

    @Test("An installation that failed halfway can be removed")
    func interrupted() throws {
        try Installation.with { place in
            let obstacle = "share/man/man1/pushhost.1"
            try place.write("mine", to: "\(obstacle)/file")
            let options = ["--plugins", "\(repositoryRoot)/plugins/like", Installation.dynamic, "--force"]
            let failed = try place.run(["install", "--prefix", place.prefix] + options)
            #expect(failed.status == .code(73))
            #expect(
                failed.standardError.contains("cannot write \(place.prefix)/\(obstacle)"),
                "\(failed.standardError)"
            )
            #expect(try place.files().contains("bin/pushhost"))
            let run = try place.run(["uninstall", "--prefix", place.prefix])
            #expect(run.status == .code(0), "\(run.standardError)")
            #expect(run.standardError.contains(obstacle))
            #expect(try place.files() == ["\(obstacle)/file"])
        }
    }

    @Test("Where nothing is installed, and with a list that names a file elsewhere, nothing is removed")
    func refuses() throws {
        try Installation.with { place in
            let nothing = try place.run(["uninstall", "--prefix", place.prefix])
            #expect(nothing.status == .code(66))
            #expect(nothing.standardError.contains("nothing is installed in \(place.prefix)"))
            try place.write("mine", to: "../victim")
            let folders = "\(place.prefix)/\(Self.bundles)"
            try FileManager.default.createDirectory(atPath: folders, withIntermediateDirectories: true)
            for link in ["\(place.prefix)/link", "\(folders)/link"] {
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.root)
            }
            for list in [
                #"{"folders":[],"files":{"../victim":null}}"#, #"{"folders":[],"files":{"link/victim":null}}"#,
                #"{"folders":["link"],"files":{}}"#, #"{"folders":[],"files":{"libexec/pushhost/./x":null}}"#,
                #"{"folders":[],"files":{"share/man/man1/pushhost/victim":null}}"#, "{",
            ] {
                try place.write(list, to: "libexec/pushhost/installed.json")
                let run = try place.run(["uninstall", "--prefix", place.prefix])
                #expect(run.status == .code(65))
                #expect(run.standardError.contains("installed.json is damaged"), "\(run.standardError)")
            }
            // The folders of bundles are never links.
            let like = ["--plugins", "\(repositoryRoot)/plugins/like", Installation.dynamic]
            for (command, list) in [
                (["uninstall"], #"{"folders":[],"files":{"\#(Self.bundles)/link/victim":null}}"#),
                (["uninstall"], #"{"folders":["\#(Self.bundles)/link"],"files":{}}"#),
                (["install"] + like, #"{"folders":[],"files":{"\#(Self.bundles)/link/victim":null}}"#),
            ] {
                try place.write(list, to: "libexec/pushhost/installed.json")
                let run = try place.run(command + ["--prefix", place.prefix])
                #expect(run.status == .code(73), "\(command) \(list)")
                #expect(run.standardError.contains("\(Self.bundles)/link is a link"), "\(run.standardError)")
            }
            #expect(FileManager.default.fileExists(atPath: "\(place.root)/victim"))
        }
    }
}
