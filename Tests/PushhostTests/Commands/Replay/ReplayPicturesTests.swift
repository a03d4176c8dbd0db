import Foundation
import JSON
import TestSupport
import Testing

/// Films and asciicasts of recorded sessions.
@Suite(.waits, .wire) struct ReplayPicturesTests {
    private static let plugins = "\(repositoryRoot)/plugins"

    /// A registration: an invitation arrives, an address is entered, the button is pressed.
    private static let lines = """
        {"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["didSave"]}}
        {"jsonrpc":"2.0","id":2,"method":"didReceive","params":{"locale":"en","payload":\
        {"aps":{"alert":"Join <us>","category":"lab_register"},"braze_id":"ada","cert_title":"C","cert_description":"D"}}}
        {"jsonrpc":"2.0","id":3,"method":"interact","params":{"notification":"$last","element":"email","value":"a@b.com"}}
        {"jsonrpc":"2.0","id":4,"method":"didReceiveResponse","params":{"notification":"$1","actionIdentifier":"REGISTER"}}
        {"jsonrpc":"2.0","id":5,"method":"pending","params":{"suite":"group.com.example.pushhost"}}

        """

    /// Runs a command line in a folder with the session `a.jsonl`, which has its replies.
    private static func withSession(_ body: (String) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            try Data(lines.utf8).write(to: URL(filePath: "\(folder)/a.jsonl"))
            let run = try CommandRun(["replay", "--update", "--plugins", plugins, "a.jsonl"], directory: folder)
            #expect(run.status == .code(0), "\(run)")
            try body(folder)
        }
    }

    private static func replay(_ words: [String], _ folder: String, outputError: Int32? = nil) throws -> CommandRun {
        try CommandRun(["replay"] + words, directory: folder, outputError: outputError)
    }

    @Test("A film has each step with its caption and the records, moves without a script, and is the same each time")
    func film() throws {
        try Self.withSession { folder in
            let run = try Self.replay(["a.jsonl", "--svg", "film.svg"], folder)
            #expect(run.status == .code(0), "\(run)")
            #expect(run.output.hasPrefix("same "), "\(run)")
            let film = try String(contentsOfFile: "\(folder)/film.svg", encoding: .utf8)
            let captions = [
                "A notification arrives", "Open the notification", "Enter “a@b.com” in “E-mail”", "Press “Register”",
            ]
            for caption in captions { #expect(film.contains(">\(caption)</p>"), "\(caption)") }
            for text in ["Registered for Certification", "email: a@b.com", "Join &lt;us&gt;", "@keyframes f0"] {
                #expect(film.contains(text), "\(text)")
            }
            #expect(!film.contains("<script") && !film.contains("Join <us>"))
            // The banner, the open notification, the entered address, and the thanks.
            #expect(film.matches(of: /class="film-layer" id="f/).count == 4)
            #expect(film.matches(of: /pn-touched"/).count == 3, "the banner, the field and the button are touched")
            let again = try Self.replay(["a.jsonl", "--svg", "-"], folder)
            #expect(again.output == film)
            #expect(again.standardError.hasPrefix("same "), "stdout has only the film")
        }
    }

    @Test("An asciicast has a header and the drawings of pushhost push in the order of time, and is the same each time")
    func cast() throws {
        try Self.withSession { folder in
            let run = try Self.replay(["a.jsonl", "--cast", "a.cast"], folder)
            #expect(run.status == .code(0), "\(run)")
            let text = try String(contentsOfFile: "\(folder)/a.cast", encoding: .utf8)
            let lines = try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
            let header = try #require(lines.first)
            #expect(header["version"] == 2 && header["width"] == 100 && header["timestamp"] == 1_767_225_600)
            let height = try #require(header["height"]?.integer)
            let events = lines.dropFirst()
            #expect(events.count == 4, "three steps, and the end")
            let times = events.compactMap { $0[0]?.number }
            #expect(times == times.sorted() && times.first == 0 && times.count == events.count)
            for event in events {
                #expect(event[1] == "o")
                let output = try #require(event[2]?.string)
                #expect(output.count { $0 == "\r\n" } < height, "no line is lost at the top")
            }
            #expect(lines[2][2]?.string?.contains("Enter “a@b.com” in “E-mail”") == true)
            #expect(lines[3][2]?.string?.contains("Registered") == true)
            #expect(try Self.replay(["a.jsonl", "--cast", "-"], folder).output == text)
        }
    }

    @Test("A film of a recording has its times, with long waits shortened, and the records that the extension saved")
    func recording() throws {
        try withTemporaryDirectory { folder in
            let payload = #"{"aps":{"alert":"x","category":"lab_register"},"braze_id":"a","cert_title":"C""#
            let calls = [
                ("didReceive", #""payload":\#(payload),"cert_description":"D"}"#),
                ("interact", #""notification":"N","element":"email","value":"a@b.com""#),
                ("didReceiveResponse", #""notification":"N","actionIdentifier":"REGISTER""#),
            ]
            let lines = calls.enumerated().map { index, call in
                #"{"jsonrpc":"2.0","id":\#(index),"method":"\#(call.0)","params":{\#(call.1)}}"#
            }
            // With a fixed seed the notification has a known identifier.
            let input = lines.joined(separator: "\n").replacing(
                "\"N\"",
                with: "\"910a2dec-8902-4cc1-beeb-8da1658eec67\""
            )
            let file = "\(folder)/a.jsonl"
            let options = ["--clock", "2026-01-01T00:00:00Z", "--seed", "1", "--ephemeral", "--record", file]
            let host = try runPushhost(["--plugins", Self.plugins] + options, input: input.utf8)
            #expect(host.status == .code(0), "\(host)")
            // The user waits for a minute before the last step.
            var isLater = false
            let recording = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
                isLater = isLater || line.contains("didReceiveResponse")
                guard isLater, let time = line.firstMatch(of: /^\{"t":(\d+)/), let number = Int(time.output.1)
                else { return String(line) }
                return String(line).replacing(/^\{"t":\d+/, with: "{\"t\":\(number + 60_000)")
            }
            try Data((recording.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
            let run = try Self.replay([file, "--cast", "-"], folder)
            let events = try run.output.split(separator: "\n").dropFirst().map { try JSON(parsing: String($0)) }
            try #require(events.count == 4, "\(run)")
            #expect(events.compactMap { $0[0]?.number } == [0, 1, 3.5, 6.5], "\(run)")
            #expect(events[2][2]?.string?.contains("Registered") == true)
        }
    }

    @Test(
        "What cannot be drawn is refused with what to do",
        arguments: [
            (["a.jsonl", "b.jsonl", "--svg", "film.svg"], 64, "--svg and --cast show one session, and 2 are named"),
            (["a.jsonl", "--svg", "a.jsonl"], 64, "--svg a.jsonl: this command reads that file"),
            (["a.jsonl", "--svg", "a.replies.jsonl"], 64, "this command reads that file"),
            (["a.jsonl", "--svg", "-", "--cast", "-"], 64, "both name -"),
            (["a.jsonl", "--svg", ""], 64, "--svg: its value is empty"),
            (["a.jsonl", "--svg", "-", "--json"], 64, "--json: stdout has the picture"),
            (["a.jsonl", "--scheme", "dark"], 64, "--scheme: it is about the film; add --svg FILE"),
            (["a.jsonl", "--svg", "no/film.svg"], 73, "no/film.svg cannot be written: No such file or directory"),
            (["a.jsonl", "--svg", "/dev/null"], 73, "/dev/null cannot be written: it is not a regular file"),
            (["b.jsonl", "--svg", "film.svg"], 73, "b.jsonl: it shows no notification, so there is nothing to draw"),
        ]
    )
    func refused(words: [String], code: Int32, text: String) throws {
        try Self.withSession { folder in
            try Data((ReplayTests.ping + "\n").utf8).write(to: URL(filePath: "\(folder)/b.jsonl"))
            #expect(try Self.replay(["--update", "b.jsonl"], folder).status == .code(0))
            let run = try Self.replay(words, folder)
            #expect(run.status == .code(code), "\(run)")
            #expect(run.standardError.contains(text), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/film.svg"))
        }
    }

    @Test("A film that stdout does not take is named with exit code 74, and a difference still counts as one")
    func lost() throws {
        try Self.withSession { folder in
            let run = try Self.replay(["a.jsonl", "--svg", "-"], folder, outputError: ENOSPC)
            #expect(run.status == .code(74), "\(run)")
            let replies = "\(folder)/a.replies.jsonl"
            let text = try String(contentsOfFile: replies, encoding: .utf8)
            try Data(text.replacing("E-mail", with: "Mail").utf8).write(to: URL(filePath: replies))
            let differs = try Self.replay(["a.jsonl", "--svg", "film.svg"], folder)
            #expect(differs.status == .code(1), "\(differs)")
            let film = try String(contentsOfFile: "\(folder)/film.svg", encoding: .utf8)
            #expect(film.contains("in “Mail”"), "the film shows what was recorded")
        }
    }
}
