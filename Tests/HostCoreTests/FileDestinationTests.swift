import Configuration
import Delivery
import Foundation
import JSON
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import Delivering
@testable import JSONRPC

/// What one attempt of the destination `file` does with the file, without the retries of a flush.
@Suite struct FileDestinationTests {
    /// The destination, and the thread on which it writes.
    private final class Bench {
        let destination: FileDestination
        private let disk = DiskWork()

        init(_ file: String?, data: String = "/nonexistent", limit: Int64 = .max) {
            var configuration = HostConfiguration(dataFolder: data, pluginFolders: [], hostFolder: "/nonexistent")
            configuration.delivery.file = file
            configuration.delivery.fileBytes = limit
            destination = FileDestination(configuration, disk)
        }

        /// Delivers an event, and waits for the outcome.
        func deliver(_ id: Int64) throws -> Result<DeliveryReply, DeliveryFailure> {
            var result: Result<DeliveryReply, DeliveryFailure>?
            destination.deliver(batch(id)) { result = $0.result }
            while !disk.isIdle {
                var entry = pollfd(fd: try #require(disk.descriptor), events: Int16(POLLIN), revents: 0)
                try #require(poll(&entry, 1, 30_000) == 1, "the attempt does not end")
                disk.didWake()
            }
            return try #require(result)
        }

        /// What the destination says about its file.
        func check() throws -> CheckReply? {
            var reply: CheckReply?
            destination.check(try arguments("checkDestination")) { reply = try? $0.get() }
            return reply
        }

        /// What the destination would do with events.
        func dryRun(_ ids: Int64...) throws -> DryRunReply? {
            var reply: DryRunReply?
            destination.dryRun(batch(ids), try arguments("flushPending")) { reply = try? $0.get() }
            return reply
        }

        private func arguments(_ method: String) throws -> Arguments {
            let params: JSON = ["to": "file"]
            return try Signature(method, ["to"]).bind(params)
        }
    }

    private func accepted(_ id: Int64) -> Result<DeliveryReply, DeliveryFailure> {
        .success(DeliveryReply(accepting: [id]))
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The line of an event.
    private func line(_ id: Int64) -> String { String(decoding: batch(id).lines, as: UTF8.self) }

    /// A line of so many bytes that a host has written.
    private static func hostLine(bytes: Int) -> String {
        let (start, end) = (#"{"suite":""#, "\"}\n")
        return start + String(repeating: "x", count: bytes - start.utf8.count - end.utf8.count) + end
    }

    @Test(
        "A full file gets a number, and the next file is begun in the same attempt",
        arguments: [("out.jsonl", "out.1.jsonl"), ("out", "out.1"), ("out.2.log", "out.2.1.log")]
    )
    func rotation(name: String, numbered: String) throws {
        try withTemporaryDirectory { folder throws in
            let bench = Bench("\(folder)/\(name)", limit: 1)
            for id in 1...2 as ClosedRange<Int64> { #expect(try bench.deliver(id) == accepted(id)) }
            #expect(try text("\(folder)/\(numbered)") == line(1))
            #expect(try text("\(folder)/\(name)") == line(2))
        }
    }

    @Test("What a host left at the end and is removed does not count for the size")
    func removedSize() throws {
        try withTemporaryDirectory { folder in
            try #"{"suite":"a","na"#.write(toFile: "\(folder)/out", atomically: false, encoding: .utf8)
            let bench = Bench("\(folder)/out", limit: Int64(line(1).utf8.count))
            #expect(try bench.deliver(1) == accepted(1))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["out"])
            #expect(try text("\(folder)/out") == line(1))
        }
    }

    @Test("While another host has locked the file, nothing is written, and the next attempt follows soon")
    func locked() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/out"
            let other = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            try #require(other >= 0)
            defer { close(other) }
            #expect(flock(other, LOCK_EX) == 0)
            let bench = Bench(path)
            let failure = DeliveryFailure("another host writes to \(path)", mayHaveArrived: false, retryAfter: 50)
            #expect(try bench.deliver(1) == .failure(failure))
            #expect(try text(path) == "")
            #expect(flock(other, LOCK_UN) == 0)
            #expect(try bench.deliver(1) == accepted(1))
            #expect(try text(path) == line(1))
        }
    }

    @Test("A full file behind links gets its number where it is, and the links stay")
    func linked() throws {
        try withTemporaryDirectory { folder throws in
            for name in ["a", "b"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
            }
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/out", withDestinationPath: "a/link")
            let link = "\(folder)/a/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder)/b/out")
            let bench = Bench("\(folder)/out", limit: 1)
            for id in 1...2 as ClosedRange<Int64> { #expect(try bench.deliver(id) == accepted(id)) }
            #expect(try text("\(folder)/b/out.1") == line(1) && text("\(folder)/b/out") == line(2))
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/a") == ["link"])
            #expect(try text("\(folder)/out") == line(2))
        }
    }

    @Test("A folder that an operator named is not made if it is missing, and the failure says so")
    func missingFolder() throws {
        try withTemporaryDirectory { folder throws in
            let path = "\(folder)/gone/out"
            let text = "cannot open \(path): No such file or directory"
            #expect(try Bench(path).deliver(1) == .failure(DeliveryFailure(text, mayHaveArrived: false)))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    @Test("A check expects the data folder to be made, and makes nothing itself")
    func missingDataFolder() throws {
        try withTemporaryDirectory { folder throws in
            let bench = Bench(nil, data: "\(folder)/data")
            let path = "\(folder)/data/delivered.jsonl"
            let good = CheckReply(isReachable: true, isAccepted: true, message: "\(path) can be written")
            #expect(try bench.check() == good)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            #expect(try bench.deliver(1) == accepted(1))
            #expect(try bench.check() == good)
            #expect(try text(path) == line(1))
            let lost = Bench(nil, data: "\(folder)/gone/data")
            let reason = "cannot open \(folder)/gone/data/delivered.jsonl: No such file or directory"
            #expect(try lost.check() == CheckReply(isReachable: false, isAccepted: false, message: reason))
        }
    }

    @Test("A file in place of a folder is reported by a check", arguments: ["out", "data/out"])
    func fileAsFolder(name: String) throws {
        try withTemporaryDirectory { folder in
            try "x".write(toFile: "\(folder)/file", atomically: false, encoding: .utf8)
            let path = "\(folder)/file/\(name)"
            let reply = CheckReply(
                isReachable: false,
                isAccepted: false,
                message: "cannot open \(path): Not a directory"
            )
            #expect(try Bench(path).check() == reply)
        }
    }

    /// What is in a file, and what of it must be removed.
    private static let remains: [(whole: String, torn: String)] = [
        // It begins with a block.
        (hostLine(bytes: 65_536), #"{"suite":"a","na"#),
        // It ends with the second block.
        (hostLine(bytes: 100), String(hostLine(bytes: 131_072 - 99).dropLast())),
        // The zeros of a whole line are in the first or in the last of its blocks.
        (hostLine(bytes: 100), "{\"suite\":\"\0" + hostLine(bytes: 100_000)),
        (hostLine(bytes: 100), String(hostLine(bytes: 100_000).dropLast()) + "\0\n"),
        (hostLine(bytes: 65_536), "\0\0" + hostLine(bytes: 65_536)),
    ]

    @Test(
        "What a host left at the end is removed, however it lies in the blocks of 64 KiB that are read",
        arguments: remains.indices
    )
    func removed(index: Int) throws {
        let (whole, torn) = Self.remains[index]
        try withTemporaryDirectory { folder in
            let path = "\(folder)/out"
            try (whole + torn).write(toFile: path, atomically: false, encoding: .utf8)
            #expect(try Bench(path).deliver(1) == accepted(1))
            // Not compared by the macro, which would print both texts.
            let isRemoved = try text(path) == whole + line(1)
            #expect(isRemoved)
        }
    }

    @Test("Zeros behind a line that no host wrote are left, and nothing is added")
    func foreignZeros() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/letter"
            try "to Ada\n\0\0".write(toFile: path, atomically: false, encoding: .utf8)
            let reason = "ends with zeros behind a line that no host wrote; name another file with --deliver-file"
            let failure = DeliveryFailure("\(path) \(reason)", mayHaveArrived: false)
            #expect(try Bench(path).deliver(1) == .failure(failure))
            #expect(try text(path) == "to Ada\n\0\0")
        }
    }

    @Test("A dry run shows the lines and where they would be appended, and makes no file")
    func dryRun() throws {
        try withTemporaryDirectory { folder in
            let lines = try [1, 2].map { try JSON(parsing: line($0)) }
            let request: JSON = ["method": "append", "url": .string("file://\(folder)/out"), "body": JSON(lines)]
            #expect(try Bench("\(folder)/out").dryRun(1, 2) == DryRunReply([request]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    @Test("A failure of one file is none of another one")
    func settings() {
        #expect(Bench("/a").destination.settingsToHash != Bench("/b").destination.settingsToHash)
    }
}

/// A batch of events of the suite `a`.
private func batch(_ ids: [Int64]) -> OutgoingBatch {
    let records = ids.map { StoredRecord(id: $0, kind: .customEvent, name: "e", value: nil, time: 0, user: nil) }
    return OutgoingBatch(queue: "a", records: records, user: nil)
}

private func batch(_ id: Int64) -> OutgoingBatch { batch([id]) }
