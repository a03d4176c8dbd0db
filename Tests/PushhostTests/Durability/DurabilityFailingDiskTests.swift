import Foundation
import JSON
import TestSupport
import Testing

/// A disk that fails to sync or to write, once or from some call on: what was answered is true after the next start.
@Suite(.waits, .wire, .enabled(if: isLinux)) struct DurabilityFailingDiskTests {
    /// How a host ends after its last reply.
    enum End: String, CaseIterable {
        case orderly, killed
    }

    /// A call that fails: the nth of its thread, or this and all later ones.
    struct Fault: CustomStringConvertible {
        let call: String
        let number: Int
        let isLasting: Bool

        var description: String { "\(call):error=EIO:when=\(number)\(isLasting ? "+" : "")" }
    }

    @Test(
        "Each sync of the log that fails refuses what it held, and neither loses nor restores a record",
        arguments: End.allCases
    )
    func fdatasync(_ end: End) throws { try failEach("fdatasync", end) }

    @Test(
        "Each sync of a folder or of the database that fails does no harm, and a log without a durable name takes nothing",
        arguments: End.allCases
    )
    func fsync(_ end: End) throws { try failEach("fsync", end) }

    @Test(
        "Each write that fails refuses what it held, and neither loses nor restores a record",
        arguments: End.allCases
    )
    func pwrite(_ end: End) throws { try failEach("pwrite64", end) }

    @Test(
        "A host that ends while its log is in doubt leaves this to the next one, whose first save begins a new log",
        arguments: End.allCases
    )
    func doubt(_ end: End) throws {
        try withTemporaryDirectory { folder in
            let first = try startHost(folder, ["--no-control"])
            try first.write(save(1).utf8)
            _ = try first.replies(1)
            kill(first.pid, SIGKILL)
            _ = try first.wait()

            let strace = try Tool(name: "strace", package: "strace").path()
            let failing = try startHost(
                folder,
                ["--no-control"],
                under: [
                    strace, "-f", "-qq", "-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO", "-o",
                    "\(folder)/trace",
                ],
                unchecked: "the disk fails"
            )
            try failing.write(save(2).utf8)
            #expect(try failing.reply()["error"]?["data"]?["reason"] == "notStored")
            if end == .killed { for pid in try Processes.children(of: failing.pid) { kill(pid, SIGKILL) } }
            failing.closeInput()
            _ = try failing.remainingReplies()
            _ = try failing.wait()

            // The name of a log's frames, which changes when the log begins again.
            let log = URL(filePath: "\(folder)/data/standard.sqlite-wal")
            func salt() throws -> Data { try Data(contentsOf: log)[16..<24] }
            let doubtful = try salt()
            let next = try startHost(folder, ["--no-control"])
            try next.write(save(3).utf8)
            _ = try next.replies(1)
            #expect(try salt() != doubtful)
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/data/standard.lock")).isEmpty)
            try next.finish()
        }
    }

    @Test(
        "A data folder takes no suite while its name is not durable, whoever made the folder",
        arguments: [false, true]
    )
    func folderName(isThere: Bool) throws {
        try withTemporaryDirectory { folder in
            let data = "\(folder)/data"
            if isThere { try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false) }
            let host = try startHost(
                folder,
                ["--no-control"],
                under: try failingSyncs(of: folder, when: "1..3"),
                unchecked: "the disk fails"
            )
            for number in 1...3 {
                try host.write(save(number).utf8)
                #expect(try host.reply()["error"]?["data"]?["reason"] == "notStored")
                #expect(!FileManager.default.fileExists(atPath: "\(data)/standard.sqlite"))
                // A new folder changes its parent again, which the system may otherwise not write any more.
                #expect(FileManager.default.fileExists(atPath: data) == isThere)
            }
            try host.write(save(4).utf8)
            #expect(try host.reply()["result"]?["id"] == 1)
            try host.finish()
        }
    }

    @Test(
        "A new suite whose file cannot be locked or synced gets no name, and one that another process locks is made anew",
        arguments: [
            ("flock:error=EIO:when=2", "lock"), ("fsync:error=EIO:when=3", "sync"), ("flock:error=EAGAIN:when=2", nil),
        ] as [(String, String?)]
    )
    func newSuite(fault: String, refused: String?) throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(
                folder,
                ["--no-control"],
                under: [
                    try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-e",
                    "trace=\(fault.prefix { $0 != ":" })", "-e", "inject=\(fault)", "-o", "\(folder)/trace",
                ],
                unchecked: "the disk fails"
            )
            try host.write(save(1).utf8)
            let reply = try host.reply()
            if let refused {
                let message = try #require(reply["error"]?["message"]?.string, "\(reply)")
                #expect(message.contains("cannot \(refused) \(folder)/data/.standard.new-"), "\(message)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data") == [".lock"])
                try host.write(save(2).utf8)
                #expect(try host.reply()["result"]?["id"] == 1)
            } else {
                #expect(reply["result"]?["id"] == 1, "\(reply)")
            }
            try host.finish()
            let trace = try String(contentsOfFile: "\(folder)/trace", encoding: .utf8)
            #expect(trace.contains("(INJECTED)"), "\(trace)")
        }
    }

    @Test("An empty file whose name cannot be synced takes no record, and is made again")
    func fileName() throws {
        try withTemporaryDirectory { folder in
            let (place, file) = ("\(folder)/out", "\(folder)/out/log.jsonl")
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            try Data().write(to: URL(filePath: file))
            let host = try startHost(
                folder,
                ["--no-control", "--deliver-file", file, "--retry-patience", "0"],
                under: try failingSyncs(of: place),
                unchecked: "the disk fails"
            )
            try host.write(save(1).utf8)
            _ = try host.replies(1)
            try host.write(line(2, "flushPending", #"{"to":"file"}"#).utf8)
            let error = try host.reply()["error"]
            #expect(error?["data"]?["reason"] == "destinationUnavailable", "\(String(describing: error))")
            #expect(!FileManager.default.fileExists(atPath: file))
            try host.finish()
        }
    }

    @Test("Lines of records whose sync failed are taken back, because the system may forget them")
    func unsyncedLines() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/log.jsonl"
            let host = try startHost(
                folder,
                ["--no-control", "--deliver-file", file, "--retry-patience", "0"],
                under: try failingSyncs(of: file, trace: "\(folder)/trace"),
                unchecked: "the disk fails"
            )
            try host.write((save(1) + line(2, "flushPending", #"{"to":"file"}"#)).utf8)
            let error = try host.replies(2).last?["error"]
            #expect(error?["data"]?["possiblySent"] == 1, "\(String(describing: error))")
            #expect(try Data(contentsOf: URL(filePath: file)).isEmpty)
            let trace = try String(contentsOfFile: "\(folder)/trace", encoding: .utf8)
            #expect(trace.contains("EIO (Input/output error) (INJECTED)"), "\(trace)")
            try host.finish()
        }
    }

    @Test("A full file of delivered records keeps its name while it cannot be synced")
    func fullFile() throws {
        try withTemporaryDirectory { folder in
            let (place, file) = ("\(folder)/out", "\(folder)/out/log.jsonl")
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            try Data("{}\n".utf8).write(to: URL(filePath: file))
            let host = try startHost(
                folder,
                ["--no-control", "--deliver-file", file, "--deliver-file-bytes", "1", "--retry-patience", "0"],
                under: try failingSyncs(of: file),
                unchecked: "the disk fails"
            )
            try host.write((save(1) + line(2, "flushPending", #"{"to":"file"}"#)).utf8)
            let error = try host.replies(2).last?["error"]
            #expect(error?["data"]?["reason"] == "destinationUnavailable", "\(String(describing: error))")
            #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["log.jsonl"])
            #expect(try Data(contentsOf: URL(filePath: file)) == Data("{}\n".utf8))
            try host.finish()
        }
    }

    @Test(
        "A copy or a list of a suite whose name is not durable is an error that names it",
        arguments: [("exportSuite", "path", "/out/list.plist"), ("backUpSuite", "folder", "/out")]
    )
    func copies(method: String, member: String, path: String) throws {
        try withTemporaryDirectory { folder in
            let place = "\(folder)/out"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            let host = try startHost(
                folder,
                ["--no-control"],
                under: try failingSyncs(of: place),
                unchecked: "the disk fails"
            )
            try host.write((save(1) + line(2, method, #"{"\#(member)":"\#(folder + path)"}"#)).utf8)
            let message = try #require(try host.replies(2).last?["error"]?["message"]?.string)
            #expect(message.contains("\(folder + path): Input/output error"), "\(message)")
            try host.finish()
        }
    }

    /// A wrapper for a host, for which the syncs of a file or folder fail: all, or those that `when` says.
    private func failingSyncs(of path: String, when: String = "1+", trace: String = "/dev/null") throws -> [String] {
        [
            try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-P", path, "-e", "trace=fsync,fdatasync",
            "-e", "inject=fsync,fdatasync:error=EIO:when=\(when)", "-o", trace,
        ]
    }

    /// Runs the session with each call of a kind failing in turn, until the session has no further one.
    private func failEach(_ call: String, _ end: End) throws {
        var refusals = 0
        for isLasting in [false, true] {
            for number in 1... {
                let fault = Fault(call: call, number: number, isLasting: isLasting)
                guard let refused = try run(fault, end) else { break }
                refusals += refused
            }
        }
        // Otherwise nothing of what this tests has happened.
        #expect(refusals > 0)
    }

    /// Runs a session under a fault, and compares what a new host finds with what was answered.
    ///
    /// - Returns: How many requests were refused; nil if the fault did not come.
    private func run(_ fault: Fault, _ end: End) throws -> Int? {
        try withTemporaryDirectory { folder in
            let first = try startHost(folder, ["--no-control"])
            for id in 1...2 { try first.write(save(id).utf8) }
            _ = try first.replies(2)
            _ = try first.result("store", #"{"key":"old","value":1}"#)
            try first.finish()

            var model = Model()
            let host = try startHost(
                folder,
                ["--no-control"],
                under: [
                    try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-e", "trace=\(fault.call)", "-e",
                    "inject=\(fault)", "-o", "\(folder)/trace",
                ],
                unchecked: "the disk fails at any place"
            )
            for request in Model.session {
                try host.write(line(1, request.method, request.params).utf8)
                model.note(request, try host.reply())
            }
            switch end {
            case .orderly:
                host.closeInput()
                #expect(try host.remainingReplies() == [])
                _ = try host.wait()
            case .killed:
                for pid in try Processes.children(of: host.pid) { kill(pid, SIGKILL) }
                _ = try host.remainingReplies()
                _ = try host.wait()
            }
            guard try String(contentsOfFile: "\(folder)/trace", encoding: .utf8).contains("(INJECTED)") else {
                return nil
            }

            let next = try startHost(folder, ["--no-control"])
            let names = Set(try next.stored().values)
            #expect(names == model.records, "\(fault) \(end)")
            for (key, value) in model.values {
                #expect(try next.result("retrieve", #"{"key":"\#(key)"}"#)["value"] == value, "\(key): \(fault) \(end)")
            }
            try next.finish()
            return model.refused
        }
    }

    /// What a suite holds if each answer is true.
    private struct Model {
        struct Request {
            let method: String
            let params: String
        }

        static let session = [
            Request(method: "saveCustomEvent", params: #"{"name":"e3"}"#),
            Request(method: "store", params: #"{"key":"new","value":2}"#),
            Request(method: "flushPending", params: "{}"),
            Request(method: "saveCustomEvent", params: #"{"name":"e4","idempotencyKey":"k"}"#),
            Request(method: "removeObject", params: #"{"key":"old"}"#),
            Request(method: "saveCustomEvent", params: #"{"name":"e5"}"#),
        ]

        var records: Set<String> = ["e1", "e2"]
        var values: [(key: String, value: JSON)] = [("old", 1), ("new", .null)]
        var refused = 0

        mutating func note(_ request: Request, _ reply: JSON) {
            guard reply["result"] != nil else {
                refused += 1
                return
            }
            switch request.method {
            case "flushPending": records = []
            case "store": values[1].value = 2
            case "removeObject": values[0].value = .null
            default: if let digit = request.params.first(where: \.isNumber) { records.insert("e\(digit)") }
            }
        }
    }
}
