import Foundation
import JSON
import TestSupport
import Testing

/// How a host exits, and what it has stored by then.
@Suite(.waits, .wire) struct DurabilityEndTests {
    @Test("After a signal during saves the host exits with 128 plus its number, and everything it answered is stored")
    func signals() throws {
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            try withTemporaryDirectory { folder in
                let host = try startHost(folder)
                try host.write(saves(0..<1_500).utf8)
                var replies = [try host.reply()]
                host.kill(signal)
                replies += try host.remainingReplies()
                #expect(try host.wait() == .code(128 + signal))
                let promises = try confirmed(replies)
                let found = try stored(in: folder)
                for (id, name) in promises { #expect(found[id] == name) }
                #expect(!promises.isEmpty)
            }
        }
    }

    @Test("At the end of a pipe everything received before is answered and stored, and the exit code is 0")
    func endOfPipe() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write(saves(0..<3_000).utf8)
            host.closeInput()
            let promises = try confirmed(host.remainingReplies())
            #expect(try host.wait() == .code(0))
            #expect(promises.count == 3_000)
            #expect(try stored(in: folder) == promises)
        }
    }

    @Test("A regular file on stdin is served to its end, even if the last line has no newline")
    func file() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/session"
            try String(saves(0..<3_000).dropLast()).write(toFile: file, atomically: true, encoding: .utf8)
            let host = try startHost(folder, input: .file(file))
            let replies = try host.remainingReplies()
            #expect(try host.wait() == .code(0))
            #expect(ids(replies) == Array(0..<3_000))
            #expect(try stored(in: folder) == confirmed(replies))
        }
    }

    @Test("When the reader of stdout is gone, the host commits what it started, starts nothing more, and exits with 0")
    func gone() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/session"
            try saves(0..<20_000).write(toFile: file, atomically: true, encoding: .utf8)
            // Only head holds the shell's descriptor for the client's end, and it exits after one line.
            let script = #"{ "$0" "$@"; echo "$?" >&2; } | head -n 1"#
            let host = try startHost(folder, under: ["/bin/sh", "-c", script], input: .file(file))
            let replies = try host.remainingReplies()
            #expect(try host.wait() == .code(0))
            #expect(host.standardError == "0\n")
            let found = try stored(in: folder)
            #expect(try confirmed(replies) == [1: "e0"])
            let names = found.sorted { $0.key < $1.key }.map(\.value)
            #expect(names == names.indices.map { "e\($0)" })
            #expect(!names.isEmpty)
            #expect(names.count < 20_000)
        }
    }

    @Test("Saves before shutdown are stored, and lines after it are ignored")
    func shutdown() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write((saves(0..<10) + line(10, "shutdown") + save(11)).utf8)
            let replies = try host.remainingReplies()
            #expect(try host.wait() == .code(0))
            #expect(ids(replies) == Array(0...10))
            #expect(try stored(in: folder).count == 10)
        }
    }
}
