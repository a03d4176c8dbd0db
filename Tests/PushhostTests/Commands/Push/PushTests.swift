import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost push` in a pipe.
@Suite(.waits, .wire) struct PushTests {
    private static let plugins = "\(repositoryRoot)/plugins"

    private func payload(_ bundle: String) -> String { "\(Self.plugins)/\(bundle)/payload.apns" }

    @Test(
        "A payload is drawn with its banner, its view, its elements' ids and what was saved",
        arguments: [false, true]
    )
    func draws(isShort: Bool) throws {
        let run = try CommandRun.push([payload("match-game"), "--ascii", "--width", "60"], isShort: isShort)
        #expect(run.status == .code(0))
        #expect(run.standardError.isEmpty)
        for part in ["Hi Ada, can you do it in fewer than 9 attempts?", "+- card-11 -+", "Attempts: 0", "nothing yet"] {
            #expect(run.output.contains(part), "\(run.output)")
        }
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test("With --banner nothing is opened: the banner is drawn, nothing is saved, and a tap opens the app")
    func banner() throws {
        let opened = try CommandRun.push([payload("session-progress"), "--ascii"])
        #expect(opened.output.contains("Viewed Session Progress"), "\(opened.output)")
        let banner = try CommandRun.push([payload("session-progress"), "--ascii", "--banner"])
        #expect(banner.status == .code(0), "\(banner.standardError)")
        #expect(banner.output.contains("You have completed 3 of 8 sessions."))
        #expect(banner.output.contains("nothing yet") && !banner.output.contains("Viewed Session Progress"))
        let tap = ["--action", "com.apple.UNNotificationDefaultActionIdentifier"]
        let tapped = try CommandRun.push([payload("session-progress"), "--ascii", "--banner"] + tap)
        #expect(tapped.output.contains("The app opens.") && tapped.output.contains("nothing yet"))
        let pressed = try CommandRun.push([payload("register"), "--banner", "--action", "REGISTER"])
        #expect(pressed.status == .code(1) && pressed.standardError.contains("call expand first"))
    }

    @Test("The payload may come from stdin", arguments: [false, true])
    func stdin(isShort: Bool) throws {
        let text = try String(contentsOfFile: payload("register"), encoding: .utf8)
        let run = try CommandRun.push(["-", "--plugins", "\(Self.plugins)/register"], input: text, isShort: isShort)
        #expect(run.status == .code(0), "\(run.standardError)")
        #expect(run.output.contains("Prove what you know"))
    }

    @Test(
        "A service extension fetches the picture of a payload only with --fetch-attachments",
        arguments: [false, true]
    )
    func picture(isFetched: Bool) throws {
        let server = try WebServer()
        let aps = #"{"alert":"x","category":"lab_register","mutable-content":1}"#
        let payload = #"{"aps":\#(aps),"ab":{"att":{"url":"\#(server.root)/picture","type":"png"}}}"#
        let flag = isFetched ? ["--fetch-attachments"] : []
        let run = try CommandRun.push(["-", "--plugins", Self.plugins, "--json"] + flag, input: payload)
        #expect(run.output.contains(#""url":"file:///"#) == isFetched, "\(run.output)")
        #expect(run.output.contains("fetchingOff") != isFetched)
    }

    @Test("Texts are entered and actions pressed in the order of the options")
    func steps() throws {
        let run = try CommandRun.push([
            payload("register"), "--set", "email=ada@example.com", "--action", "REGISTER", "--json",
        ])
        #expect(run.status == .code(0), "\(run.standardError)")
        let replies = try run.lines.filter { !$0.isEmpty }.map { try JSON(parsing: Array($0.utf8)) }
        #expect(replies.map { $0["method"] } == ["didReceive", "interact", "didReceiveResponse", "pending"])
        #expect(replies[1]["result"]?["actions"]?.array?.first?["identifier"] == "REGISTER")
        #expect(replies[2]["result"]?["option"] == "doNotDismiss")
        let records = try #require(replies[3]["result"]?["records"]?.array)
        #expect(records.map { $0["kind"] } == ["customEvent", "customAttribute", "userAttribute"])
        // The other order offers no action yet.
        let other = try CommandRun.push([
            payload("register"), "--action", "REGISTER", "--set", "email=ada@example.com", "--json",
        ])
        #expect(other.status == .code(1))
        #expect(other.standardError.contains("REGISTER"), "\(other.standardError)")
        #expect(other.lines.count { $0.contains(#""method":"interact""#) } == 0)
    }

    @Test("An action that asks for a text gets the text after it, and a carousel is turned to a page")
    func textAndPages() throws {
        let feedback = try CommandRun.push([payload("feedback"), "--action", "FEEDBACK", "--text", "Great!", "--ascii"])
        #expect(feedback.status == .code(0), "\(feedback.standardError)")
        #expect(feedback.output.contains("Great!"))
        let story = try CommandRun.push([payload("push-story"), "--set", "story=1", "--press", "next", "--ascii"])
        #expect(story.status == .code(0), "\(story.standardError)")
        #expect(story.output.contains("< o o * >"), "\(story.output)")
    }

    @Test("The match game is played to its end with --press, and its event is saved")
    func matchGame() throws {
        let options = [payload("match-game"), "--seed", "7", "--json"]
        // Each card is opened once, which shows where the pairs are.
        let cards = (0..<12).flatMap { ["--press", "card-\($0)"] }
        let look = try CommandRun.push(options + cards)
        #expect(look.status == .code(0), "\(look.standardError)")
        var faces: [String: String] = [:]
        for line in look.lines where line.contains(#""method":"interact""#) {
            let view = try JSON(parsing: Array(line.utf8))["result"]?["view"]
            for card in view?["children"]?.array?.first?.children ?? [] {
                if let id = card["id"]?.string, let face = card["face"]?.string { faces[id] = face }
            }
        }
        #expect(faces.count == 12)
        let pairs = Dictionary(grouping: faces.keys.sorted()) { faces[$0] }.values.flatMap { $0 }
        let run = try CommandRun.push(
            [payload("match-game"), "--seed", "7", "--ascii"] + pairs.flatMap { ["--press", $0] }
        )
        #expect(run.status == .code(0), "\(run.standardError)")
        for part in ["Attempts: 6", "play-again", "Completed Match Game", "Score: 6"] {
            #expect(run.output.contains(part), "\(run.output)")
        }
    }

    @Test("The locale and a profile for Liquid are passed on")
    func localeAndProfile() throws {
        let german = try CommandRun.push([payload("match-game"), "--locale", "de", "--ascii"])
        #expect(german.output.contains("Finde die Paare"), "\(german.output)")
        try withTemporaryDirectory { folder in
            try Data(#"{"first_name": "Grace"}"#.utf8).write(to: URL(filePath: "\(folder)/profile.json"))
            let text = #"{"aps":{"alert":"Hello {{${first_name}}}"}}"#
            let arguments = ["-", "--plugins", "\(Self.plugins)/liquid", "--profile", "\(folder)/profile.json"]
            let run = try CommandRun.push(arguments, input: text)
            #expect(run.output.contains("Hello Grace"), "\(run.output)\(run.standardError)")
        }
    }

    @Test("With --data the records are kept, and only those of this run are shown")
    func data() throws {
        try withTemporaryDirectory { folder in
            for _ in 0..<2 {
                let run = try CommandRun.push([payload("session-progress"), "--data", "\(folder)/data", "--ascii"])
                #expect(run.status == .code(0), "\(run.standardError)")
                #expect(run.lines.count { $0.contains("Viewed Session Progress") } == 1, "\(run.output)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data").isEmpty == false)
        }
    }

    @Test(
        "Each mistake has one message and its exit code",
        arguments: [
            (["/nowhere/x.apns"], "", 66, "/nowhere/x.apns: there is no such file"),
            (["/"], "", 66, "/: it is a folder"),
            (["-"], "{", 65, "stdin:1:2: it is not JSON: the text ends too early"),
            (["-"], "[]", 65, "stdin: it must be a JSON object, it is array"),
            (["-"], "", 65, "stdin:1:1: it is not JSON: the text is empty"),
            (["-"], "{}", 1, "aps"), (["-", "--set", "email"], "{}", 64, "--set email: it must be ELEMENT=TEXT"),
            (["-", "--text", "x"], "{}", 64, "--text x: it must follow the --action"),
            (["-", "--watch"], "{}", 64, "--watch: stdin cannot be watched"), ([], "", 64, "payload"),
            (["-", "--width", "3"], "{}", 64, "--width 3: it must be from 20"),
            (["-", "--profile", "/nowhere"], #"{"aps":{"alert":"x"}}"#, 66, "/nowhere: there is no such file"),
            (["-", "--press", "x"], #"{"aps":{"alert":"x"}}"#, 1, "takes no touches"),
        ] as [([String], String, Int32, String)]
    )
    func mistakes(arguments: [String], input: String, code: Int32, message: String) throws {
        let run = try CommandRun.push(arguments, input: input)
        #expect(run.status == .code(code), "\(run.standardError)")
        #expect(run.standardError.contains(message), "\(run.standardError)")
        #expect(run.standardError.hasPrefix("Error: "))
    }

    @Test("What an extension refuses is drawn as it was before, and the message says why")
    func refusal() throws {
        let run = try CommandRun.push([payload("match-game"), "--press", "card-0", "--press", "nope", "--ascii"])
        #expect(run.status == .code(1))
        #expect(run.standardError.contains("nope"))
        #expect(run.output.contains("Attempts: 0"))
    }

    @Test("A text of a payload cannot control the terminal")
    func control() throws {
        let text = #"{"aps":{"alert":{"title":"a\u001b[31mb","body":"c\u202ed"}}}"#
        let run = try CommandRun.push(["-"], input: text)
        #expect(run.output.contains("a [31mb"))
        #expect(!run.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }

    @Test("A host with --ephemeral keeps its suites in a temporary folder and leaves nothing behind")
    func ephemeral() throws {
        try withTemporaryDirectory { folder in
            let process = try PushRun.startProgram(["serve", "--ephemeral"], folder)
            try process.write(line: #"{"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"x"}}"#)
            #expect(try process.readLine() == #"{"jsonrpc":"2.0","id":1,"result":{"id":1}}"#)
            let folders = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/tmp")
            #expect(folders.count == 1 && folders[0].hasPrefix("pushhost-suites-"))
            process.closeInput()
            #expect(try process.wait() == .code(0))
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/tmp") == [])
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/home/.local"))
            let both = try CommandRun(["serve", "--ephemeral", "--data", folder])
            #expect(both.status == .code(64))
            #expect(both.standardError.contains("leave out --data"))
        }
    }

    @Test("A signal ends a host with --ephemeral, which leaves nothing behind", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signal(number: Int32) throws {
        try withTemporaryDirectory { folder in
            let process = try PushRun.startProgram(["serve", "--ephemeral"], folder)
            try process.write(line: #"{"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"x"}}"#)
            _ = try process.readLine()
            process.kill(number)
            #expect(try process.wait() == .code(128 + number))
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/tmp") == [])
        }
    }
}
