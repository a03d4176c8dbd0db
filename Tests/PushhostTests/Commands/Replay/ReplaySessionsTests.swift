import Foundation
import JSON
import TestSupport
import Testing

/// The sessions in `protocol/sessions`, replayed; `pushhost replay --update` records them again.
@Suite(.waits, .wire) struct ReplaySessionsTests {
    private static let folder = "\(repositoryRoot)/protocol/sessions"
    private static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    private static let repliesSuffix = ".replies.jsonl"
    /// The sessions' names: recordings, and request lines with their replies.
    private static let names = files.filter { !$0.hasSuffix(repliesSuffix) }

    @Test("There are sessions of both kinds, and every file of replies has a session")
    func pairs() {
        #expect(Self.names.contains("tour.jsonl"))
        #expect(Self.names.contains("editor.session.jsonl"))
        let replies = Self.files.filter { $0.hasSuffix(Self.repliesSuffix) }
        let requests = replies.map { $0.dropLast(Self.repliesSuffix.count) + ".jsonl" }
        #expect(Set(requests).subtracting(Self.names.map { Substring($0) }) == [])
    }

    @Test("Every session replays as recorded, from any folder and repeatedly", arguments: 1...2)
    func sessions(time: Int) throws {
        try withTemporaryDirectory { elsewhere in
            let run = try runPushhost(["replay"] + Self.files.map { "\(Self.folder)/\($0)" }, directory: elsewhere)
            #expect(run.status == .code(0), "\(run.output)\(run.error)")
            #expect(run.output.split(separator: "\n").count { $0.hasPrefix("same ") } == Self.names.count)
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == [], "it leaves nothing behind")
        }
    }

    @Test("No session contains an absolute path of a machine", arguments: files)
    func paths(name: String) throws {
        let text = String(decoding: try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)")), as: UTF8.self)
        #expect(!text.contains(repositoryRoot))
        #expect(!text.contains("/tmp/"))
    }

    @Test("A changed byte in any reply is found, and its line is shown", arguments: names)
    func changedByte(name: String) throws {
        let isRecording = name.hasSuffix(".session.jsonl")
        let replies = isRecording ? name : name.dropLast(".jsonl".count) + Self.repliesSuffix
        let bytes = Array(try Data(contentsOf: URL(filePath: "\(Self.folder)/\(replies)")))
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
        let replyLines = lines.indices.filter { index in
            index > 0 && (!isRecording || String(decoding: lines[index], as: UTF8.self).contains(#""to":"client""#))
        }
        #expect(replyLines.count > 5, "a session without replies shows nothing")
        // More lines in a recording, which runs without the extensions; fewer otherwise, since each takes a run.
        var random = SeededGenerator(seed: 5)
        for index in replyLines.shuffled(using: &random).prefix(isRecording ? 6 : 2) {
            try withTemporaryDirectory { folder in
                var changed = lines
                let place = Self.place(in: changed[index], isRecording: isRecording, using: &random)
                changed[index][place] =
                    changed[index][place] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
                let file = "\(folder)/\(replies)"
                try Data(changed.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")]).write(
                    to: URL(filePath: file)
                )
                if !isRecording {
                    try FileManager.default.copyItem(atPath: "\(Self.folder)/\(name)", toPath: "\(folder)/\(name)")
                }
                let run = try runPushhost(["replay", "--plugins", "\(repositoryRoot)/plugins", "\(folder)/\(name)"])
                #expect(run.status == .code(1), "byte \(place) of line \(index + 1) of \(replies)")
                #expect(run.output.contains("\(file):\(index + 1)\n"), "\(run.output)")
            }
        }
    }

    /// A random byte within the reply, not in the recording's own members and not in an escape sequence.
    private static func place(in line: [UInt8], isRecording: Bool, using random: inout SeededGenerator) -> Int {
        let text = String(decoding: line, as: UTF8.self)
        let start = isRecording ? text.range(of: #""raw":""#)?.upperBound.utf16Offset(in: text) ?? 0 : 0
        let letters = line.indices.filter { index in
            index > start && index < line.count - 3 && (0x61...0x7A).contains(line[index])
                && line[index - 1] != UInt8(ascii: "\\")
        }
        return letters.randomElement(using: &random) ?? start
    }
}
