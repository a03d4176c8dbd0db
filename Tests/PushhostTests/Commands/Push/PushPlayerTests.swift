import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost push` at a terminal.
@Suite(.waits, .wire) struct PushPlayerTests {
    private static let plugins = "\(repositoryRoot)/plugins"
    private static let down = "\u{1B}[B"
    private static let right = "\u{1B}[C"

    private func payload(_ bundle: String) -> String { "\(Self.plugins)/\(bundle)/payload.apns" }

    /// Passes a terminal with a payload to the closure; it must leave nothing behind.
    private func play(
        _ arguments: [String],
        rows: Int = 40,
        _ environment: [String: String] = [:],
        _ body: (PushTerminal) throws -> Void
    ) throws {
        try withTemporaryDirectory { folder in
            try body(try PushTerminal(arguments, folder, rows: rows, environment))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    @Test("A record that an extension saves between two calls is shown at once")
    func lateSave() throws {
        try withTemporaryDirectory { root in
            let (bundle, gate) = ("\(root)/late", "\(root)/gate")
            guard mkfifo(gate, 0o600) == 0 else { throw TestFailure("mkfifo: \(errno)") }
            let program = """
                #!/usr/bin/env python3
                import threading
                from pushhost_extension import NotificationContentExtension, View, main


                class Late(NotificationContentExtension):
                    def did_receive(self, notification):
                        self.context.view = View.text("Waiting")
                        threading.Thread(target=self.save, daemon=True).start()

                    def save(self):
                        open("\(gate)").read()
                        self.context.save_custom_event("Saved Late")


                main(Late)
                """
            try Kit.python.makeBundle(bundle, program: program, name: "late")
            let payload = "\(bundle)/payload.apns"
            try Data(#"{"aps":{"alert":"x","category":"kit"}}"#.utf8).write(to: URL(filePath: payload))
            try play([payload]) { terminal in
                try terminal.wait(for: "Waiting", "nothing yet")
                let opened = try FileHandle(forWritingTo: URL(filePath: gate))
                try opened.close()
                try terminal.wait(for: "Saved Late")
                #expect(try terminal.end(typing: "q").code == .code(0))
            }
        }
    }

    @Test("The match game is played to its end by keys, and its event is saved and shown")
    func matchGame() throws {
        // Opening each card once shows where the pairs are.
        let options = [payload("match-game"), "--seed", "7"]
        let look = try CommandRun.push(options + ["--json"] + (0..<12).flatMap { ["--press", "card-\($0)"] })
        var faces: [Int: String] = [:]
        for line in look.lines where line.contains(#""method":"interact""#) {
            let view = try JSON(parsing: Array(line.utf8))["result"]?["view"]
            for (number, card) in (view?["children"]?.array?.first?.children ?? []).enumerated() {
                if let face = card["face"]?.string { faces[number] = face }
            }
        }
        let pairs = Dictionary(grouping: faces.keys.sorted()) { faces[$0] }.values.sorted { $0[0] < $1[0] }
        #expect(pairs.count == 6)
        try play(options) { terminal in
            try terminal.wait(for: "Attempts: 0")
            // What can be reached with Tab, and the place of the focus in it.
            var (cards, place) = (Array(0..<12), 0)
            for pair in pairs {
                for card in pair {
                    let next = try #require(cards.firstIndex(of: card))
                    let tabs = (next - place + cards.count) % cards.count
                    try terminal.type(String(repeating: "\t", count: tabs) + "\r")
                    place = next
                }
                cards.removeAll { pair.contains($0) }
                // The focus keeps its place when what had it goes.
                place = min(place, max(0, cards.count - 1))
            }
            try terminal.wait(for: "Score: 6", "Attempts: 6", "Play Again", "Completed Match Game")
            try terminal.type("q")
            let end = try terminal.end()
            #expect(end.code == .code(0))
        }
    }

    @Test("Arrow keys move to the neighbour, Tab back and forth, and Return presses it")
    func arrows() throws {
        let options = [payload("match-game"), "--seed", "7"]
        let reply = try CommandRun.push(options + ["--press", "card-5", "--json"]).lines.first {
            $0.contains(#""face":"#)
        }
        let face = try #require(reply?.firstMatch(of: #/"face":"(?<name>[^"]+)"/#)).output.name
        try play(options) { terminal in
            try terminal.wait(for: "Attempts: 0")
            try terminal.type(Self.down + Self.right + "\r")
            // The sixth card is open and has the focus; a long name is cut.
            let frame = try terminal.wait(for: String(face.prefix(6)))
            let row = try #require(frame.split(separator: "\r\n").first { $0.contains("┃") })
            #expect(row.prefix { $0 != "┃" }.count { $0 == "░" } == 9, "\(frame)")
            try terminal.type("\t\u{1B}[Zq")
            #expect(try terminal.end().code == .code(0))
        }
    }

    @Test("A text is typed into a field, and an action is pressed by its number")
    func form() throws {
        try play([payload("register")]) { terminal in
            try terminal.wait(for: "E-mail")
            try terminal.type("adx\u{7F}a@example.com")
            try terminal.wait(for: "ada@example.com▏")
            try terminal.type("\r")
            try terminal.wait(for: "▸1  Register")
            try terminal.type("1")
            let frame = try terminal.wait(for: "email: ada@example.com")
            #expect(frame.contains("Thanks for registering!"), "\(frame)")
            try terminal.type("\r")
            try terminal.wait(for: "The notification was dismissed.")
            try terminal.type("r")
            try terminal.wait(for: "Prove what you know")
            try terminal.type("\u{1B}")
            #expect(try terminal.end().code == .code(0))
        }
    }

    @Test("An action that asks for a text gets the text that is typed, which Escape leaves")
    func actionText() throws {
        try play([payload("feedback")]) { terminal in
            try terminal.wait(for: "Write")
            try terminal.type("1no")
            try terminal.wait(for: "Write: no_")
            terminal.forget()
            try terminal.type("\u{1B}")
            try terminal.wait(for: "asks for a text")
            terminal.forget()
            try terminal.type("1Quite good\r")
            try terminal.wait(for: "Quite good ")
            // A field that has the focus would take a letter.
            try terminal.type("\u{4}")
            #expect(try terminal.end().code == .code(0))
        }
    }

    @Test("Left and right turn a carousel")
    func carousel() throws {
        try play([payload("push-story")]) { terminal in
            try terminal.wait(for: "● ○ ○")
            try terminal.type(Self.right + Self.right)
            try terminal.wait(for: "○ ○ ●")
            try terminal.type("\u{1B}[D")
            try terminal.wait(for: "○ ● ○")
            try terminal.type("q")
            #expect(try terminal.end().code == .code(0))
        }
    }

    @Test("A low terminal shows the part that has the focus, and a message about what is refused")
    func scrolls() throws {
        try play([payload("match-game")], rows: 8) { terminal in
            try terminal.wait(for: "┏")
            terminal.forget()
            try terminal.type(Self.down + Self.down)
            let frame = try terminal.wait(for: "┗")
            #expect(!frame.contains("Hi Ada"), "\(frame)")
            try terminal.type("m")
            try terminal.wait(for: "media")
            #expect(try terminal.end(typing: "q").code == .code(0))
        }
    }

    @Test("The terminal is given back as it was, however the program ends", arguments: ["q", "\u{4}", "\u{3}"])
    func restores(keys: String) throws {
        try play([payload("match-game")], ["NO_COLOR": "1"]) { terminal in
            try terminal.wait(for: "Attempts: 0")
            let end = try terminal.end(typing: keys)
            #expect(end.code == .code(keys == "\u{3}" ? 130 : 0))
            #expect(end.output.contains("\u{1B}[?1049h"))
            let last = try #require(end.output.components(separatedBy: "\u{1B}[?25h\u{1B}[?1049l").last)
            #expect(last.contains("Attempts: 0"), "the last drawing stays on the screen")
            #expect(!end.output.contains("\u{1B}[9"), "NO_COLOR")
        }
    }

    @Test("A signal gives the terminal back too")
    func signal() throws {
        try play([payload("match-game")]) { terminal in
            try terminal.wait(for: "Attempts: 0")
            terminal.kill(SIGTERM)
            let end = try terminal.end()
            #expect(end.code == .code(128 + SIGTERM))
            #expect(end.output.contains("\u{1B}[?1049l"))
        }
    }

    @Test("A change of the terminal's size draws the notification again")
    func resize() throws {
        try play([payload("match-game")]) { terminal in
            #expect(try terminal.wait(for: "Attempts: 0").contains("  ╭─ Saved"))
            terminal.forget()
            terminal.narrow()
            let frame = try terminal.wait(for: "╭─ Saved ──────────────────────────────────────────────────╮")
            #expect(!frame.contains("  ╭─ Saved"))
            try terminal.type("q")
            #expect(try terminal.end().code == .code(0))
        }
    }

    // MARK: --watch

    /// A copy of a bundle, to change it.
    private func withCopy(_ body: (String) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let copy = "\(folder)/like"
            try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(Self.plugins)/like") {
                let source = URL(filePath: "\(Self.plugins)/like/\(name)").resolvingSymlinksInPath().path
                try FileManager.default.copyItem(atPath: source, toPath: "\(copy)/\(name)")
            }
            try body(copy)
        }
    }

    private func replace(_ text: String, by other: String, in path: String, atomically: Bool) throws {
        let old = try String(contentsOfFile: path, encoding: .utf8)
        #expect(old.contains(text))
        try old.replacing(text, with: other).write(toFile: path, atomically: atomically, encoding: .utf8)
    }

    @Test("With --watch a saved payload, and a saved file of the bundle, are shown again", arguments: [false, true])
    func watches(atomically: Bool) throws {
        try withCopy { bundle in
            let payload = "\(bundle)/payload.apns"
            try play([payload, "--watch"]) { terminal in
                try terminal.wait(for: "Attic flat")
                try replace("Attic flat", by: "Cellar flat", in: payload, atomically: atomically)
                try terminal.wait(for: "Cellar flat")
                try replace(
                    "Do you like it?",
                    by: "Is it nice?",
                    in: "\(bundle)/en.lproj/Localizable.strings",
                    atomically: atomically
                )
                try terminal.wait(for: "Is it nice?")
                try replace("{", by: "", in: payload, atomically: atomically)
                try terminal.type("q")
                #expect(try terminal.end().code == .code(0))
            }
        }
    }

    @Test("With --watch in a pipe each version is printed, a mistake is reported, and a signal ends it")
    func watchesInPipe() throws {
        try withCopy { bundle in
            let payload = "\(bundle)/payload.apns"
            try withTemporaryDirectory { folder in
                let process = try PushRun.start(["push", payload, "--watch", "--json"], folder)
                try process.awaitLine("Attic flat")
                try replace("Attic flat", by: "Cellar flat", in: payload, atomically: true)
                try process.awaitLine("Cellar flat")
                let text = try String(contentsOfFile: payload, encoding: .utf8)
                try "no JSON".write(toFile: payload, atomically: true, encoding: .utf8)
                try process.awaitError("it is not JSON")
                try text.replacing("Cellar flat", with: "Garden flat")
                    .write(toFile: payload, atomically: true, encoding: .utf8)
                try process.awaitLine("Garden flat")
                process.kill(SIGTERM)
                #expect(try process.wait() == .code(128 + SIGTERM))
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/tmp") == [])
            }
        }
    }
}
