import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost pictures` without a baseline.
@Suite(.waits, .wire) struct PicturesDrawTests {
    private static let game = "\(repositoryRoot)/plugins/match-game/payload.apns"

    @Test("Every combination is a picture whose name has the place of its payload and the values, on one page")
    func matrix() throws {
        try PicturesRun.use { run in
            for name in ["payloads/a/grüße an alle.apns", "payloads/b/grüße an alle.apns", "payloads/c/payload.apns"] {
                try run.writeAlert("Hello", to: name)
            }
            let result = try run.pictures(["payloads", "--locale", "en", "--locale", "de", "--scheme", "dark"])
            #expect(result.status == .code(0) && result.standardError == "", "\(result)")
            #expect(result.output == "6 pictures; see pictures/index.html\n")
            let sources = ["a/grüße an alle", "b/grüße an alle", "c"]
            let names = sources.flatMap { source in ["de", "en"].map { "\(source).\($0).dark" } }
            let files = try run.files(in: "pictures")
            #expect(files.keys.sorted() == (names.map { "\($0).svg" } + ["index.html", "pictures.json"]).sorted())
            let list = try JSON(parsing: try run.text("pictures/pictures.json"))["pictures"]
            #expect(list?.array?.compactMap { $0["name"]?.string } == names)
            #expect(list?.array?.first?["locale"] == "de" && list?.array?.first?["scheme"] == "dark")
            let page = try run.text("pictures/index.html")
            for name in names { #expect(page.contains("\"name\":\"\(name)\""), "\(name)") }
            #expect(!page.contains(run.folder) && !page.contains("<script src") && !page.contains("<link"))
            #expect(page.matches(of: #/<\/script>/#).count == 2, "no text of a picture ends the data")
        }
    }

    @Test("A picture is the one that push draws, whatever was drawn, saved and stored before it")
    func independence() throws {
        try PicturesRun.use { run in
            let game = try String(contentsOfFile: Self.game, encoding: .utf8)
            for name in ["pressed/a.apns", "pressed/b.apns", "shown.apns"] { try run.write(game, to: name) }
            let own = ["--plugins", "\(repositoryRoot)/plugins", "--locale", "en", "--seed", "1", "--svg", "-"]

            // The order of the cards is random.
            let result = try run.pictures(["pressed", "--locale", "en", "--press", "card-0"])
            #expect(result.status == .code(0), "\(result)")
            let pressed = try CommandRun.push([Self.game] + own + ["--press", "card-0"])
            for name in ["a", "b"] { #expect(try run.text("pictures/\(name).en.svg") == pressed.output, "\(name)") }

            // The best score is stored.
            let cards = [0, 8, 1, 9, 2, 11, 3, 5, 4, 10, 6, 7]
            try run.write(Self.session(game, cards), to: "played.jsonl")
            #expect(try run.pictures(["played.jsonl", "shown.apns", "--locale", "en"]).status == .code(0))
            #expect(try run.text("pictures/played.en.svg").contains("Best: 6"))
            #expect(try run.text("pictures/shown.en.svg") == CommandRun.push([Self.game] + own).output)
        }
    }

    /// A session that receives a payload, with French texts, and presses cards.
    private static func session(_ payload: String, _ cards: [Int]) throws -> String {
        let receive: JSON = ["payload": try JSON(authored: payload), "locale": "fr"]
        let presses = cards.map { card -> (String, JSON) in
            ("interact", ["notification": "$last", "element": .string("card-\(card)")])
        }
        return ([("didReceive", receive)] + presses).enumerated().map { index, call in
            let line: JSON = ["jsonrpc": "2.0", "id": JSON(index), "method": .string(call.0), "params": call.1]
            return "\(line)\n"
        }
        .joined()
    }

    @Test("A session is drawn as it leaves its notification, with the locale of the matrix")
    func session() throws {
        try PicturesRun.use { run in
            let payload = try String(contentsOfFile: Self.game, encoding: .utf8)
            try run.write(Self.session(payload, [0]), to: "game.jsonl")
            try run.write(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, to: "ping.jsonl")
            let result = try run.pictures(["game.jsonl", "ping.jsonl", "--locale", "de"])
            #expect(result.status == .code(1), "\(result)")
            let mistake = "Error: ping.jsonl: no line of the session calls didReceive; record a notification\n"
            #expect(result.standardError == mistake)
            let pushed = try CommandRun.push([
                Self.game, "--plugins", "\(repositoryRoot)/plugins", "--locale", "de", "--seed", "1", "--press",
                "card-0", "--svg", "-",
            ])
            #expect(try run.text("pictures/game.de.svg") == pushed.output)
        }
    }

    @Test("A payload with a mistake is reported once, and the others are drawn")
    func mistakes() throws {
        try PicturesRun.use { run in
            try run.write("{\n  \"aps\": nothing\n}", to: "payloads/bad.apns")
            try run.writeAlert("Hello", to: "payloads/good.apns")
            let options = ["--locale", "de", "--locale", "en", "--junit", "junit.xml", "--summary", "summary.md"]
            let result = try run.pictures(["payloads"] + options)
            #expect(result.status == .code(1), "\(result)")
            #expect(result.standardError.hasPrefix("Error: payloads/bad.apns:2:"), "\(result)")
            #expect(result.standardError.components(separatedBy: "Error:").count == 2)
            let lines = ["failed    bad.de", "failed    bad.en", "4 pictures: 2 failed; see pictures/index.html", ""]
            #expect(result.output == lines.joined(separator: "\n"))
            let svg = try run.files(in: "pictures").keys.filter { $0.hasSuffix(".svg") }
            #expect(svg.sorted() == ["good.de.svg", "good.en.svg"])
            let junit = try run.text("junit.xml")
            #expect(junit.contains(#"name="pushhost pictures" tests="4" failures="0" errors="2""#), "\(junit)")
            #expect(try run.text("summary.md").contains("| failed | bad.de: payloads/bad.apns:2:"))
        }
    }

    @Test(
        "Without a payload, and with a folder that cannot be written, nothing is drawn",
        arguments: [
            (["empty"], 66, "empty: there is no payload, that is, no file whose name ends in .apns"),
            (["none.apns"], 66, "none.apns: there is no such file"),
            (["-"], 64, "-: a picture is named after its file"),
            (["a.apns", "--output", "a.apns"], 64, "/a.apns is not a folder"),
            (["a.apns", "--output", "/proc/pictures"], 64, "--output /proc/pictures: cannot make a folder in /proc"),
            (["a.apns", "--output", "taken"], 73, "/taken/a.svg cannot be written: "),
            (["a.apns", "--baseline", "pictures"], 64, "--baseline pictures: it is the folder of --output"),
            (["a.apns", "--scheme", "dark", "--scheme", "dark"], 64, "--scheme: one is given twice"),
            (["a.apns", "--junit", "none/junit.xml"], 64, "there is no folder "),
        ]
    )
    func refusals(words: [String], code: Int32, text: String) throws {
        try PicturesRun.use { run in
            try FileManager.default.createDirectory(atPath: "\(run.folder)/empty", withIntermediateDirectories: false)
            try run.writeAlert("Hello", to: "a.apns")
            // A folder in place of the picture.
            try run.write("x", to: "taken/a.svg/x")
            let result = try run.pictures(words)
            #expect(result.status == .code(code) && result.output == "", "\(result)")
            #expect(result.standardError.contains(text), "\(result)")
            #expect(!FileManager.default.fileExists(atPath: "\(run.folder)/pictures"))
        }
    }

    @Test("A full disk is reported as such, and the next run repairs the folder", .noThreadSanitizer)
    func fullDisk() throws {
        try PicturesRun.use { run in
            for index in 0..<8 { try run.writeAlert("Hello", to: "payloads/\(index).apns") }
            // Files of this shell and of what it starts may not be larger than 8 blocks, which the page is.
            let program = try hostCommand(unchecked: "the command starts its own host")[0]
            let code = "trap '' XFSZ; ulimit -f 8; exec \(program) pictures payloads"
            let shell = try ChildProcess("/bin/sh", ["-c", code], directory: run.folder)
            let result = try CommandRun(shell)
            #expect(result.status == .code(73), "\(result)")
            #expect(result.standardError.contains("cannot be written: File too large"), "\(result)")
            #expect(try run.pictures(["payloads"]).status == .code(0))
            #expect(try run.files(in: "pictures").count == 10)
        }
    }

    @Test("--png says that there is no Chromium, and uses the one that there is")
    func png() throws {
        try PicturesRun.use { run in
            try run.writeAlert("Hello", to: "ä,%41.apns")
            let without = try run.pictures(["ä,%41.apns", "--png"], environment: ["PATH": run.folder])
            #expect(
                without.status == .code(0) && without.standardError.contains("no Chromium is in PATH"),
                "\(without)"
            )
            #expect(try run.files(in: "pictures").count == 3)
            let browser = URL(filePath: try Tool(name: "chromium", package: "chromium").path())
            let path = "\(browser.deletingLastPathComponent().path):/usr/bin:/bin"
            let with = try run.pictures(["ä,%41.apns", "--png"], environment: ["PATH": path])
            #expect(with.status == .code(0) && with.standardError == "", "\(with)")
            let png = try #require(try run.files(in: "pictures")["ä,%41.png"])
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            // The width in the header, at twice the size of the picture.
            #expect(png[16..<20].reduce(0) { $0 << 8 | Int($1) } == 834)
        }
    }
}
