import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost install`.
@Suite(.waits, .wire) struct InstallTests {
    private static let bundles = "libexec/pushhost/plugins"

    @Test("Everything is installed, with the same modes whatever the umask is, and runs without the checkout")
    func whole() throws {
        try Installation.with { place in
            let run = try place.runProgram(["install", "--prefix", place.prefix, Installation.dynamic])
            #expect(run.status == .code(0), "\(run.standardError)")
            let source = "\(repositoryRoot)/plugins"
            let names = try FileManager.default.contentsOfDirectory(atPath: source)
                .filter { FileManager.default.fileExists(atPath: "\(source)/\($0)/Info.plist") }
            #expect(run.output.contains("\(names.count) bundles"), "\(run.output)")
            #expect(run.output.contains("bin is not in PATH"), "\(run.output)")
            let tree = try place.tree()
            for name in names {
                #expect(tree["\(Self.bundles)/\(name)/Info.plist"] != nil, "\(name)")
                let programs = tree.filter {
                    $0.key.hasPrefix("\(Self.bundles)/\(name)/") && $0.value.hasPrefix("100755 ")
                }
                #expect(!programs.isEmpty, "\(name)")
            }
            #expect(tree.keys.filter { $0.hasSuffix(".swift") || $0.contains("__pycache__") } == [])
            #expect(Set(tree.values.map { $0.split(separator: " ")[0] }) == ["40755", "100644", "100755"])

            // The installed host finds the installed bundles, and nothing is wrong with them.
            let command = try hostCommand()
            let host = try ChildProcess(
                "\(place.prefix)/bin/pushhost",
                Array(command.dropFirst()),
                environment: ["HOME": "\(place.root)/home", "PATH": "/usr/bin:/bin"],
                directory: place.root
            )
            try host.write(#"{"jsonrpc":"2.0","id":1,"method":"extensions"}"#.utf8)
            host.closeInput()
            let result = try JSON(parsing: try host.readToEnd())["result"]
            #expect(result?["extensions"]?.array?.count == names.count)
            #expect(result?["problems"] == [], "\(String(describing: result?["problems"]))")
            let payload = "\(place.prefix)/\(Self.bundles)/match-game/payload.apns"
            let push = try place.runProgram(["push", payload, "--press", "card-0"], installed: true)
            #expect(push.status == .code(0) && push.output.contains("Find the pairs"), "\(push)")
        }
    }

    @Test("There is a manual page for each command, which names its options")
    func manual() throws {
        try Installation.with { place in
            try place.install()
            let folder = "\(place.prefix)/share/man/man1"
            let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(pages.contains("pushhost.1") && pages.count > 10)
            for page in pages {
                let text = try String(contentsOfFile: "\(folder)/\(page)", encoding: .utf8)
                let lines = text.split(separator: "\n").map(String.init)
                #expect(lines[0].hasPrefix(".TH ") && lines[0].contains("\"pushhost "), "\(page)")
                let sections = lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(5).dropLast() }
                #expect(sections.prefix(2) == ["NAME", "SYNOPSIS"], "\(page)")
                #expect(sections.last == "SEE ALSO", "\(page)")
                // A line that begins so is a request; any other use must be escaped.
                let requests = lines.filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
                let known = #/\.(TH|SH|SS|TP|B|PP|RS|RE|nf|fi|nh|ad l)( ".*")*/#
                #expect(requests.filter { $0.wholeMatch(of: known) == nil } == [], "\(page)")
                let name = page.dropLast(2).split(separator: "-", maxSplits: 1)
                guard name.count == 2 else { continue }
                let help = try place.run([String(name[1]), "--help"]).output
                let options = help.matches(of: #/(?m)^  (?<name>--[a-z-]+)/#).map { String($0.output.name) }
                let missing = options.filter { !text.contains($0.replacing("-", with: "\\-")) }
                #expect(missing == [], "\(page)")
            }
        }
    }

    @Test("The completions are in the folders of the shells")
    func completions() throws {
        try Installation.with { place in
            try place.install()
            for (shell, path) in [
                ("bash", "bash-completion/completions/pushhost"), ("zsh", "zsh/site-functions/_pushhost"),
                ("fish", "fish/vendor_completions.d/pushhost.fish"),
            ] {
                let script = try String(contentsOfFile: "\(place.prefix)/share/\(path)", encoding: .utf8)
                #expect(try script == CommandRun(["--generate-completion-script", shell]).output)
            }
        }
    }

    @Test("A second installation replaces the first, and removes what it has no longer")
    func replaces() throws {
        try Installation.with { place in
            try place.install("feedback")
            let before = try place.files()
            try place.install("like")
            let after = try place.files()
            #expect(before.contains { $0.hasPrefix("\(Self.bundles)/feedback/") })
            #expect(!after.contains { $0.hasPrefix("\(Self.bundles)/feedback") })
            #expect(!FileManager.default.fileExists(atPath: "\(place.prefix)/\(Self.bundles)/feedback"))
            #expect(after.contains("\(Self.bundles)/like/like.mjs"))
            // An installed program installs itself elsewhere, with its bundles.
            let copy = try place.run(
                ["install", "--prefix", "\(place.root)/copy", Installation.dynamic],
                installed: true
            )
            #expect(copy.status == .code(0), "\(copy.standardError)")
            #expect(FileManager.default.fileExists(atPath: "\(place.root)/copy/\(Self.bundles)/like/like.mjs"))
        }
    }

    @Test("A file of somebody else, and one that was changed, are replaced only with --force")
    func foreign() throws {
        try Installation.with { place in
            try place.write("other", to: "bin/pushhost")
            let before = try place.tree()
            let arguments = [
                "install", "--prefix", place.prefix, "--plugins", "\(repositoryRoot)/plugins/like",
                Installation.dynamic,
            ]
            let refused = try place.run(arguments)
            #expect(refused.status == .code(73))
            #expect(refused.standardError.contains("\(place.prefix)/bin/pushhost exists"), "\(refused.standardError)")
            #expect(refused.standardError.contains("--force"), "\(refused.standardError)")
            #expect(try place.tree() == before)
            #expect(try place.runProgram(arguments + ["--force"]).status == .code(0))
            #expect(try place.runProgram(["--version"], installed: true).status == .code(0))
            #expect(try place.run(arguments).status == .code(0))
            try place.write("mine", to: "\(Self.bundles)/like/item.mjs")
            #expect(try place.run(arguments).standardError.contains("like/item.mjs exists"))
            #expect(try place.run(arguments + ["--force"]).status == .code(0))
        }
    }

    #if os(Linux)
    @Test("A program that needs a toolchain is not installed without --allow-dynamic")
    func dynamic() throws {
        try Installation.with { place in
            let run = try place.run(["install", "--prefix", place.prefix])
            #expect(run.status == .code(69))
            #expect(
                run.standardError.contains("\n  swift build -c release --static-swift-stdlib\n"),
                "\(run.standardError)"
            )
            #expect(!FileManager.default.fileExists(atPath: place.prefix))
        }
    }
    #endif

    @Test("What cannot be installed is reported before anything is changed")
    func errors() throws {
        try Installation.with { place in
            func refused(_ arguments: [String], _ code: Int32, _ text: String) throws {
                let run = try place.run(["install", Installation.dynamic] + arguments)
                #expect(run.status == .code(code), "\(run.standardError)")
                #expect(run.standardError.contains(text), "\(run.standardError)")
                #expect(!FileManager.default.fileExists(atPath: place.prefix))
            }
            let bundle = "\(place.root)/swift-bundle"
            try FileManager.default.copyItem(atPath: "\(repositoryRoot)/plugins/match-game", toPath: bundle)
            try refused(["--prefix", place.prefix, "--plugins", bundle], 65, "its executable match-game is missing")
            try refused(["--prefix", place.prefix, "--plugins", "/nonexistent"], 65, "/nonexistent: the folder cannot")
            let like = ["--plugins", "\(repositoryRoot)/plugins/like"]
            try refused(like + ["--prefix", "/"], 64, "name a folder")
            try refused(like + ["--prefix", "\(bundle)/Info.plist/x"], 73, "Info.plist/x: Not a directory")
            try refused(like + ["--prefix", "/sys/pushhost"], 73, "choose a folder in which you may write")
        }
    }

    /// A bundle of a script in a folder of bundles.
    private func makeBundle(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/de.lproj", withIntermediateDirectories: true)
        for name in ["Info.plist", "like.mjs"] {
            let source = "\(repositoryRoot)/plugins/like/\(name)"
            try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/\(name)")
        }
    }

    @Test("A link out of a bundle is refused by install, and extensions check says so, unless it leads to a neighbour")
    func links() throws {
        try Installation.with { place in
            let bundle = "\(place.root)/plugins/pic"
            let secret = "\(place.root)/secret"
            try makeBundle(bundle)
            try FileManager.default.createDirectory(
                atPath: "\(place.root)/plugins/private",
                withIntermediateDirectories: true
            )
            try Data("s".utf8).write(to: URL(filePath: secret))
            let arguments = ["install", "--prefix", place.prefix, "--plugins", bundle, Installation.dynamic]
            for (target, text) in [
                (secret, "leaves the bundle, to \(secret)"), ("/etc", "leaves the bundle"),
                ("../private", "leaves the bundle"), ("..", "leaves the bundle"), ("nothing", "a link to nothing"),
                ("docs", "cannot be read"), (".", "a folder that it is in"), ("/dev/zero", "not a regular file"),
            ] {
                try FileManager.default.createSymbolicLink(atPath: "\(bundle)/docs", withDestinationPath: target)
                let run = try place.run(arguments)
                #expect(run.status == .code(65), "\(target): \(run.output)")
                #expect(
                    run.standardError.contains("\(bundle)/docs: ") && run.standardError.contains(text),
                    "\(run.standardError)"
                )
                #expect(!FileManager.default.fileExists(atPath: place.prefix))
                if target == secret {
                    let check = try place.run(["extensions", "check", bundle, "--only", "stop"])
                    #expect(check.output.contains("warning  docs: it is a link that leaves"), "\(check.output)")
                    #expect(check.output.contains("pushhost install refuses"), "\(check.output)")
                }
                try FileManager.default.removeItem(atPath: "\(bundle)/docs")
            }
        }
    }

    @Test("A copy is not open to more users than the file is where it lies")
    func modes() throws {
        try Installation.with { place in
            let bundle = "\(place.root)/plugins/pic"
            try makeBundle(bundle)
            let manager = FileManager.default
            try manager.createDirectory(atPath: "\(place.root)/plugins/private", withIntermediateDirectories: true)
            func write(_ path: String, _ mode: Int) throws {
                try Data("s".utf8).write(to: URL(filePath: "\(place.root)/plugins/\(path)"))
                try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(place.root)/plugins/\(path)")
            }
            try write("pic/key", 0o600)
            try write("pic/group", 0o664)
            try write("pic/de.lproj/text", 0o644)
            try write("private/key", 0o644)
            for folder in ["private", "pic/de.lproj"] {
                try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(place.root)/plugins/\(folder)")
            }
            try manager.createSymbolicLink(atPath: "\(bundle)/link", withDestinationPath: "../private/key")
            let run = try place.run(["install", "--prefix", place.prefix, "--plugins", bundle, Installation.dynamic])
            #expect(run.status == .code(0), "\(run.standardError)")
            #expect(
                run.standardError.contains("is not readable by other users") == (geteuid() == 0),
                "\(run.standardError)"
            )
            let tree = try place.tree()
            for (name, mode) in [
                ("key", "600"), ("group", "644"), ("de.lproj/text", "600"), ("link", "600"), ("like.mjs", "755"),
            ] {
                #expect(tree["\(Self.bundles)/pic/\(name)"]?.hasPrefix("100\(mode) ") == true, "\(name)")
            }
        }
    }

    @Test("A bundle of which something cannot be read is not installed", .needsSuperuser)
    func unreadable() throws {
        try Installation.with { place in
            let plugins = "\(place.root)/plugins"
            try makeBundle("\(plugins)/pic")
            try Data().write(to: URL(filePath: "\(plugins)/pic/text"))
            try FileManager.default.createDirectory(atPath: "\(place.root)/own", withIntermediateDirectories: true)
            #expect(chmod(place.root, 0o755) == 0 && chmod("\(place.root)/own", 0o777) == 0)
            let program = try hostCommand(unchecked: "it serves no client")[0]
            for path in ["\(plugins)/pic/de.lproj", "\(plugins)/pic/text", "\(plugins)/pic", plugins] {
                #expect(chmod(path, 0) == 0)
                let process = try ChildProcess(
                    "setpriv",
                    ["--reuid=65534", "--regid=65534", "--clear-groups", program, "install", Installation.dynamic]
                        + ["--prefix", "\(place.root)/own/prefix", "--plugins", plugins],
                    environment: ["HOME": "\(place.root)/own", "PATH": "/usr/bin:/bin"],
                    directory: "\(place.root)/own"
                )
                process.closeInput()
                _ = try process.readToEnd()
                #expect(try process.wait() == .code(65), "\(path): \(process.standardError)")
                #expect(process.standardError.contains(path), "\(process.standardError)")
                #expect(process.standardError.contains("Permission denied"), "\(process.standardError)")
                #expect(!FileManager.default.fileExists(atPath: "\(place.root)/own/prefix"))
                #expect(chmod(path, 0o755) == 0)
            }
        }
    }

    @Test("While another process installs or uninstalls below the prefix, nothing is changed")
    func locked() throws {
        try Installation.with { place in
            try place.install()
            let before = try place.tree()
            let descriptor = open(place.prefix, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(descriptor) }
            try #require(flock(descriptor, LOCK_EX) == 0)
            let like = ["--plugins", "\(repositoryRoot)/plugins/like", Installation.dynamic]
            for command in [["install", "--prefix", place.prefix] + like, ["uninstall", "--prefix", place.prefix]] {
                let run = try place.run(command)
                #expect(run.status == .code(75))
                #expect(
                    run.standardError.contains("another pushhost install or uninstall works in"),
                    "\(run.standardError)"
                )
                #expect(try place.tree() == before)
            }
            try #require(flock(descriptor, LOCK_UN) == 0)
            #expect(try place.run(["uninstall", "--prefix", place.prefix]).status == .code(0))
        }
    }

    @Test("push uses the installed bundle if the one beside the payload is not built, and says so")
    func unbuilt() throws {
        try Installation.with { place in
            let game = ["--plugins", "\(repositoryRoot)/plugins/match-game", Installation.dynamic]
            #expect(try place.runProgram(["install", "--prefix", place.prefix] + game).status == .code(0))
            let clone = "\(place.root)/clone"
            try FileManager.default.copyItem(atPath: "\(repositoryRoot)/plugins/match-game", toPath: clone)
            let push = try place.run(["push", "\(clone)/payload.apns", "--press", "card-0"], installed: true)
            #expect(push.status == .code(0) && push.output.contains("Find the pairs"), "\(push)")
            #expect(
                push.standardError.contains("\(clone) is not built; \(place.prefix)/\(Self.bundles)/match-game is used")
            )
            // A bundle that is not installed is reported as what it is.
            let other = try place.run(["push", "\(repositoryRoot)/plugins/register/payload.apns"], installed: true)
            #expect(other.status == .code(0), "what the checkout has built is found: \(other.standardError)")
        }
    }
}
