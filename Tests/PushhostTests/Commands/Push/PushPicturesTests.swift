import Foundation
import TestSupport
import Testing

/// `pushhost push --html` and `--svg`.
@Suite(.waits, .wire) struct PushPicturesTests {
    private static let plugins = "\(repositoryRoot)/plugins"
    private static let payload = "\(plugins)/match-game/payload.apns"

    @Test("A picture shows the state after the steps, and nothing else is printed", arguments: ["--html", "--svg"])
    func steps(option: String) throws {
        let run = try CommandRun.push([
            Self.payload, "--seed", "6", "--press", "card-0", "--press", "card-1", option, "-",
        ])
        #expect(run.status == .code(0), "\(run.standardError)")
        #expect(run.standardError.isEmpty)
        #expect(run.output.hasPrefix(option == "--svg" ? "<svg " : "<!DOCTYPE html>\n<html "))
        #expect(run.output.components(separatedBy: ", matched\"").count == 3)
        #expect(!run.output.contains("nothing yet"))
    }

    @Test("The same command writes the same bytes, both files at once, with the permissions of any new file")
    func files() throws {
        try withTemporaryDirectory { folder in
            let files = ["--html", "\(folder)/a.html", "--svg", "\(folder)/a.svg"]
            var written: [[Data?]] = []
            for _ in 0..<2 {
                let run = try CommandRun.push([Self.payload, "--seed", "1", "--locale", "en"] + files)
                #expect(run.status == .code(0) && run.output.isEmpty, "\(run.standardError)")
                written.append(["html", "svg"].map { FileManager.default.contents(atPath: "\(folder)/a.\($0)") })
            }
            #expect(written[0] == written[1] && !written[0].contains(nil))
            let manager = FileManager.default
            #expect(try manager.contentsOfDirectory(atPath: folder).sorted() == ["a.html", "a.svg"])
            close(open("\(folder)/other", O_WRONLY | O_CREAT | O_CLOEXEC, 0o666))
            let modes = try ["a.html", "a.svg", "other"].map { name in
                try manager.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
            }
            #expect(Set(modes).count == 1, "\(modes)")
        }
    }

    @Test("Locales stand side by side, each with its texts")
    func locales() throws {
        let run = try CommandRun.push([Self.payload, "--locale", "en", "--locale", "de", "--svg", "-"])
        #expect(run.status == .code(0), "\(run.standardError)")
        for text in [">en<", ">de<", ">Find the pairs<", ">Finde die Paare<", "lang=\"de\""] {
            #expect(run.output.contains(text), "\(text)")
        }
    }

    @Test("Options choose the scheme, the part, the text size and the app's name")
    func options() throws {
        let run = try CommandRun.push([
            Self.payload, "--html", "-", "--scheme", "dark", "--part", "banner", "--text-size", "accessibility-large",
            "--app-name", "Pairs",
        ])
        #expect(run.output.contains("class=\"pn pn-dark\"") && run.output.contains("--body:33px"))
        #expect(run.output.contains(">Pairs<") && run.output.contains("data-part=\"banner\""))
        #expect(!run.output.contains("data-part=\"expanded\""))
    }

    @Test("The icon and the images of a bundle's asset catalogs are in the document, in the scheme of the picture")
    func assetCatalogs() throws {
        try withTemporaryDirectory { root in
            let bundle = "\(root)/mirror"
            try FileManager.default.copyItem(atPath: "\(repositoryRoot)/Tests/Fixtures/browser/mirror", toPath: bundle)
            let dark = #""appearances": [{"appearance": "luminosity", "value": "dark"}]"#
            func add(_ set: String) throws {
                let folder = "\(bundle)/Assets.xcassets/\(set)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let contents = #"{"images": [{"filename": "dark", \#(dark)}, {"filename": "light"}]}"#
                try Data(contents.utf8).write(to: URL(filePath: "\(folder)/Contents.json"))
                for name in ["light", "dark"] {
                    try Data("GIF89a\(set)\(name)".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
                }
            }
            for set in ["AppIcon.appiconset", "Food/Cup.imageset"] { try add(set) }
            let url = "file://\(bundle)/Assets.xcassets/Food/Cup.imageset"
            let reply = #"{"view": {"type": "image", "url": "\#(url)", "alt": "Cup"}}"#
            try Data(reply.utf8).write(to: URL(filePath: "\(root)/reply.json"))
            let payload = #"{"aps": {"alert": "x", "category": "mirror"}, "replyFile": "\#(root)/reply.json"}"#
            let run = try CommandRun.push(
                ["-", "--plugins", root, "--html", "-", "--scheme", "dark", "--part", "expanded"],
                input: payload
            )
            #expect(run.status == .code(0), "\(run.standardError)")
            for (name, isThere) in [
                ("AppIcon.appiconsetlight", true), ("AppIcon.appiconsetdark", false),
                ("Food/Cup.imagesetdark", true), ("Food/Cup.imagesetlight", false),
            ] {
                #expect(run.output.contains(Data("GIF89a\(name)".utf8).base64EncodedString()) == isThere, "\(name)")
            }
            #expect(!run.output.contains(root))
        }
    }

    @Test("An attachment is in the document, and the path of its file is not")
    func attachment() throws {
        let server = try WebServer()
        let aps = #"{"alert":"x","mutable-content":1}"#
        let payload = #"{"aps":\#(aps),"ab":{"att":{"url":"\#(server.root)/picture","type":"png"}}}"#
        let run = try CommandRun.push(
            ["-", "--plugins", Self.plugins, "--fetch-attachments", "--html", "-"],
            input: payload
        )
        #expect(run.status == .code(0), "\(run.standardError)")
        // The thumbnail of the banner, and the large picture.
        #expect(run.output.components(separatedBy: "src=\"data:image/png;base64,").count == 3)
        #expect(!run.output.contains("file:") && !run.output.contains("pushhost-attachments"))
    }

    @Test("A step that is refused writes nothing, and the old file stays")
    func refusedStep() throws {
        try withTemporaryDirectory { folder in
            try Data("old".utf8).write(to: URL(filePath: "\(folder)/a.svg"))
            let run = try CommandRun.push([Self.payload, "--press", "none", "--svg", "\(folder)/a.svg"])
            #expect(run.status == .code(1) && run.standardError.hasPrefix("Error: "))
            #expect(try String(contentsOfFile: "\(folder)/a.svg", encoding: .utf8) == "old")
        }
    }

    @Test("A picture does not replace the payload or the profile, also behind a link")
    func ownInput() throws {
        try withTemporaryDirectory { folder in
            let (payload, link) = ("\(folder)/a.apns", "\(folder)/link.svg")
            try Data("{}".utf8).write(to: URL(filePath: payload))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: payload)
            for arguments in [
                [payload, "--svg", payload], [payload, "--html", link],
                [Self.payload, "--profile", payload, "--svg", link],
            ] {
                let run = try CommandRun.push(arguments)
                #expect(run.status == .code(64), "\(run)")
                #expect(run.standardError.contains("this command reads that file; name another one"))
                #expect(try String(contentsOfFile: payload, encoding: .utf8) == "{}")
            }
        }
    }

    @Test(
        "Diagnostics are on stderr, and a category that no extension shows is a failure",
        arguments: ["--svg", "--html"]
    )
    func diagnostics(option: String) throws {
        let payload = #"{"aps":{"alert":"x","category":"nobodys","bagde":1}}"#
        let run = try CommandRun.push(["-", "--plugins", Self.plugins, option, "-"], input: payload)
        #expect(run.status == .code(1))
        #expect(run.output.contains("</svg>") || run.output.contains("</html>"))
        let lines = run.standardError.split(separator: "\n").map { $0.split(separator: ": ").prefix(2) }
        #expect(lines == [["Warning", "/aps/bagde"], ["Error", "/aps/category"]], "\(run.standardError)")
        let drawn = try CommandRun.push(["-", "--plugins", Self.plugins], input: payload)
        #expect(drawn.status == .code(1))
        #expect(drawn.standardError.hasPrefix("Error: /aps/category: "), "\(drawn.standardError)")
    }

    @Test("A file that cannot be written is named before a host is started: exit code 73")
    func unwritable() throws {
        try withTemporaryDirectory { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/sub", withIntermediateDirectories: true)
            for (file, reason) in [
                ("\(folder)/none/a.svg", "No such file or directory"), ("\(folder)/sub", "it is not a regular file"),
                ("/dev/null", "it is not a regular file"),
            ] {
                let run = try CommandRun.push([Self.payload, "--svg", file])
                #expect(run.status == .code(73))
                #expect(run.standardError == "Error: \(file) cannot be written: \(reason)\n")
            }
        }
    }

    @Test(
        "Options that make no sense together are refused",
        arguments: [
            (["--json", "--svg", "-"], "--json:"), (["--watch", "--html", "-"], "--watch:"),
            (["--width", "60", "--svg", "-"], "--width, --appearance"), (["--scheme", "dark"], "--scheme:"),
            (["--remote-images"], "--remote-images:"), (["--text-size", "small"], "--text-size:"),
            (["--locale", "en", "--locale", "de"], "--locale:"), (["--svg", "-", "--html", "-"], "--html and --svg:"),
            (["--svg", "-", "--locale", "en", "--locale", "de", "--data", "x"], "--data:"),
            (["--svg", "-", "--locale", "en", "--locale", "en"], "--locale: one is given twice"),
            (["--svg", ""], "--svg: its value is empty"), (["--svg", "-", "--text-size", "huge"], "huge"),
        ]
    )
    func refused(options: [String], reason: String) throws {
        let run = try CommandRun.push([Self.payload] + options)
        #expect(run.status == .code(64), "\(run.output)")
        #expect(run.standardError.contains(reason), "\(run.standardError)")
    }
}
