import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost pictures --baseline` and `pushhost pictures accept`.
@Suite(.waits, .wire) struct PicturesReviewTests {
    private static let baseline = ["payloads", "--baseline", "accepted"]

    /// The pictures that a run lists, by state.
    private static func listed(_ run: CommandRun) -> [String: [String]] {
        run.output.split(separator: "\n").reduce(into: [:]) { states, line in
            let words = line.split(separator: " ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard ["changed", "new", "gone", "failed"].contains(words[0]) else { return }
            states[words[0], default: []].append(words[1])
        }
    }

    @Test("What is changed, new or gone is listed in every report until it is accepted")
    func review() throws {
        try PicturesRun.use { run in
            for name in ["same", "changes", "goes/away", "goes/stays"] {
                try run.writeAlert("1", to: "payloads/\(name).apns")
            }
            let first = try run.pictures(Self.baseline)
            #expect(first.status == .code(1))
            #expect(Self.listed(first) == ["new": ["changes", "goes/away", "goes/stays", "same"]])
            #expect(try run.accept([]).output == "4 accepted; the baseline is accepted\n")
            #expect(try run.pictures(Self.baseline).status == .code(0))

            try run.writeAlert("2", to: "payloads/changes.apns")
            try run.writeAlert("2", to: "payloads/it's | new.apns")
            try FileManager.default.removeItem(atPath: "\(run.folder)/payloads/goes/away.apns")
            let second = try run.pictures(Self.baseline + ["--junit", "junit.xml", "--summary", "summary.md"])
            #expect(second.status == .code(1))
            #expect(Self.listed(second) == ["changed": ["changes"], "gone": ["goes/away"], "new": ["it's | new"]])
            #expect(
                second.output.contains("\n5 pictures: 2 unchanged, 1 changed, 1 new, 1 gone; see pictures/index.html\n")
            )
            #expect(try run.text("junit.xml").contains(#"tests="5" failures="3" errors="0""#))
            let summary = try run.text("summary.md")
            #expect(
                summary.contains("\n| changed | changes |\n| gone | goes/away |\n| new | it's \\| new |\n"),
                "\(summary)"
            )
            let page = try run.text("pictures/index.html")
            #expect(
                page.matches(of: /"accepted":/).count == 2,
                "the page has the old pictures of what changed and went"
            )
            #expect(!FileManager.default.fileExists(atPath: "\(run.folder)/pictures/goes/away.svg"))

            #expect(
                try run.accept(["it's | new", "goes/away"]).output
                    == "1 accepted, 1 removed; the baseline is accepted\n"
            )
            let third = try run.pictures(Self.baseline)
            #expect(Self.listed(third) == ["changed": ["changes"]])
            #expect(try run.accept([]).status == .code(0))
            #expect(try run.pictures(Self.baseline).status == .code(0))
            let accepted = try run.files(in: "accepted").keys.sorted()
            #expect(accepted == ["changes.svg", "goes/stays.svg", "it's | new.svg", "same.svg"])
        }
    }

    @Test("A payload that cannot be drawn is not gone, and is not accepted")
    func failed() throws {
        try PicturesRun.use { run in
            try run.writeAlert("1", to: "payloads/a.apns")
            _ = try run.pictures(Self.baseline)
            _ = try run.accept([])
            try run.write("{", to: "payloads/a.apns")
            #expect(Self.listed(try run.pictures(Self.baseline)) == ["failed": ["a"]])
            #expect(try run.accept([]).output == "0 accepted; the baseline is accepted\n")
            #expect(try run.accept(["a"]).status == .code(66))
            #expect(try run.files(in: "accepted").keys.sorted() == ["a.svg"])
        }
    }

    @Test("A wrong name accepts nothing, and a name in the list cannot lead out of the folders")
    func refusals() throws {
        try PicturesRun.use { run in
            #expect(try run.accept([]).status == .code(66))
            #expect(try CommandRun(["pictures", "accept"], directory: run.folder).status == .code(64))
            try run.writeAlert("1", to: "payloads/a.apns")
            _ = try run.pictures(Self.baseline)
            let wrong = try run.accept(["a", "b"])
            #expect(wrong.status == .code(66))
            #expect(wrong.standardError == "Error: b: pictures has no such picture; its index.html shows their names\n")
            #expect(!FileManager.default.fileExists(atPath: "\(run.folder)/accepted"))
            try run.write("precious", to: "precious.svg")
            try run.write(#"{"pictures":[{"name":"../precious","state":"gone"}]}"#, to: "pictures/pictures.json")
            #expect(try run.accept([]).output == "0 accepted; the baseline is accepted\n")
            #expect(try run.pictures(Self.baseline).status == .code(1))
            #expect(try run.text("precious.svg") == "precious")
        }
    }

    @Test("A picture that changed since it was drawn, or whose accepted one did, is refused with all others")
    func unseen() throws {
        try PicturesRun.use { run in
            for name in ["a", "b"] { try run.writeAlert("1", to: "payloads/\(name).apns") }
            _ = try run.pictures(Self.baseline)
            try run.write("<svg/>", to: "pictures/b.svg")
            let again = "run pushhost pictures once more, and look at what differs\n"
            for names in [[], ["b"]] {
                let refused = try run.accept(names)
                #expect(refused.status == .code(66))
                #expect(refused.standardError.hasSuffix("/b.svg: the picture is not the one that was drawn; \(again)"))
                #expect(!FileManager.default.fileExists(atPath: "\(run.folder)/accepted"))
            }
            #expect(try run.accept(["a"]).output == "1 accepted; the baseline is accepted\n")
            try FileManager.default.removeItem(atPath: "\(run.folder)/pictures/b.svg")
            #expect(try run.accept(["b"]).standardError.contains("/b.svg: the picture is missing; "))
            _ = try run.pictures(Self.baseline)
            #expect(try run.accept([]).output == "1 accepted; the baseline is accepted\n")

            try run.writeAlert("2", to: "payloads/a.apns")
            _ = try run.pictures(Self.baseline)
            // Another branch was merged, for example.
            try run.write("<svg/>", to: "accepted/a.svg")
            let stale = try run.accept([])
            let reason = "the accepted picture is not the one that was compared; \(again)"
            #expect(stale.status == .code(66))
            #expect(stale.standardError.hasSuffix("/accepted/a.svg: \(reason)"), "\(stale)")
            #expect(try run.text("accepted/a.svg") == "<svg/>")
        }
    }

    /// A change of a payload of the bundle `register` that can be seen.
    private static func mutated(_ payload: JSON, _ number: Int, _ random: inout SeededGenerator) throws -> JSON {
        let word = (0..<8).map { _ in String("abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a") }
            .joined()
        var members = payload.members
        var aps = payload["aps"]?.members ?? [:]
        switch number % 5 {
        case 0: members = members + ["cert_title": .string(word)]
        case 1: members = members + ["cert_description": .string(word)]
        case 2: aps = aps + ["alert": ["title": .string(word), "body": "Body"]]
        case 3: aps = aps + ["alert": ["title": "Title", "subtitle": .string(word), "body": "Body"]]
        default: aps = aps + ["category": .string(word)]
        }
        return JSON(present: members + ["aps": JSON(present: aps)])
    }

    @Test("50 seeded changes of payloads, views and texts are found, and what did not change is not reported")
    func changes() throws {
        var random = SeededGenerator(seed: 50)
        try PicturesRun.use { run in
            let bundle = "\(repositoryRoot)/plugins/register"
            try FileManager.default.copyItem(atPath: bundle, toPath: "\(run.folder)/register")
            let host = URL(filePath: try hostCommand(unchecked: "a bundle outside of the package has a link")[0])
            let program = host.deletingLastPathComponent().appending(path: "register").path
            try FileManager.default.createSymbolicLink(
                atPath: "\(run.folder)/register/register",
                withDestinationPath: program
            )
            let words = ["payloads", "register", "--locale", "en", "--baseline", "accepted"]
            let payload = try JSON(authored: Array(Data(contentsOf: URL(filePath: "\(bundle)/payload.apns"))))
            let call: JSON = ["jsonrpc": "2.0", "id": 1, "method": "didReceive", "params": ["payload": payload]]
            func session(_ email: String) -> String {
                let params: JSON = ["notification": "$last", "element": "email", "value": .string(email)]
                let touch: JSON = ["jsonrpc": "2.0", "id": 2, "method": "interact", "params": params]
                return "\(call)\n\(touch)\n"
            }
            let sessions = (0..<10).map { "s\($0).jsonl" }
            for index in 0..<30 { try run.write(payload.description, to: "payloads/p\(index).apns") }
            for name in sessions { try run.write(session("ada@example.com"), to: name) }
            func draw() throws -> [String: [String]] {
                Self.listed(try run.pictures(words + sessions, bundles: "\(run.folder)/register"))
            }
            _ = try draw()
            _ = try run.accept([])
            #expect(try draw() == [:])

            // 30 payloads and 10 states of a view at once, since no picture depends on another one; half are changed.
            for half in 0..<2 {
                let indexes = (0..<30).filter { $0 % 2 == half }
                for index in indexes {
                    let text = try Self.mutated(payload, index / 2, &random).description
                    try run.write(text, to: "payloads/p\(index).apns")
                }
                let touched = sessions.enumerated().filter { $0.offset % 2 == half }.map(\.element)
                for name in touched { try run.write(session("eve\(half)@example.com"), to: name) }
                let expected = indexes.map { "payloads/p\($0).en" } + touched.map { "\($0.dropLast(6)).en" }
                #expect(try draw() == ["changed": expected.sorted()])
                _ = try run.accept([])
            }

            // The texts of the bundle, one after the other: each is in its own picture.
            let file = "\(run.folder)/register/en.lproj/Localizable.strings"
            let texts = try String(contentsOfFile: file, encoding: .utf8)
            for number in 0..<10 {
                let changed = texts.replacing(#/("INVITATION_(?:TITLE|BODY)" = ")/#) { "\($0.output.1)\(number) " }
                try Data(changed.utf8).write(to: URL(filePath: file))
                #expect(try draw()["changed"]?.contains("register.en") == true, "\(number)")
                _ = try run.accept([])
            }
        }
    }

    @Test("100 runs without a change report nothing and write nothing")
    func unchanged() throws {
        try PicturesRun.use { run in
            try run.writeAlert("1", to: "payloads/alert.apns")
            let game = try String(contentsOfFile: "\(repositoryRoot)/plugins/match-game/payload.apns", encoding: .utf8)
            try run.write(game, to: "payloads/game.apns")
            _ = try run.pictures(Self.baseline)
            _ = try run.accept([])
            _ = try run.pictures(Self.baseline)
            let files = try run.files(in: "pictures")
            for number in 0..<100 {
                let result = try run.pictures(Self.baseline)
                #expect(result.status == .code(0) && Self.listed(result) == [:], "\(number): \(result)")
            }
            #expect(try run.files(in: "pictures") == files)
        }
    }
}
