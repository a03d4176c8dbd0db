import Foundation
import JSON
import TestSupport
import Testing

/// A source made with the kit, destinations in Python, and relays between them.
struct RelayWorkspace {
    let destinations: DestinationWorkspace
    /// The folder of the source's bundle, which is also its working directory.
    let source: String
    /// What the source writes when it has pulled or settled.
    let events: EventPipe
    /// The log of the relays.
    let log: EventPipe
    private let commands: EventPipe

    /// Creates a workspace for the closure, and removes it with its contents afterwards.
    static func open(_ body: (RelayWorkspace) throws -> Void) throws {
        try DestinationWorkspace.open { destinations in
            let folder = try destinations.bundles.add(
                named: "kit",
                point: "pushhost.source",
                script: nil,
                attributes: ["PushhostSourceName": "kit"]
            )
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/run",
                withDestinationPath: try builtProduct("kit-source")
            )
            try FileManager.default.createDirectory(atPath: "\(folder)/faults", withIntermediateDirectories: true)
            let events = try EventPipe("\(folder)/events")
            let commands = try EventPipe("\(folder)/commands")
            let workspace = RelayWorkspace(
                destinations: destinations,
                source: folder,
                events: events,
                log: try EventPipe("\(destinations.bundles.root)/log"),
                commands: commands
            )
            try body(workspace)
        }
    }

    /// Starts a relay with the shortest possible retry delays, so that no test waits for them.
    func relay(
        to destination: String,
        _ options: [String] = [],
        unchecked reason: String? = nil
    ) throws -> HostProcess {
        let pauses = ["--retry-base", "1", "--retry-limit", "1", "--restart-budget", "1000000"]
        let ends = ["--from", "kit", "--to", destination]
        let bundles = destinations.bundles
        let arguments = ["relay"] + bundles.arguments(ends + pauses + ["--log-level", "info"] + options)
        return try HostProcess(
            arguments,
            under: ["/bin/sh", "-c", "exec \"$@\" 2>>'\(bundles.root)/log'", "sh"],
            unchecked: reason
        )
    }

    /// Adds a destination, and returns its folder and its events: `tell(text)` in the program writes one.
    func addDestination(_ program: String) throws -> (folder: String, events: EventPipe) {
        let tell = """
            def tell(text):
                with open("events", "w") as file: file.write(text + "\\n")
            """
        let folder = try destinations.add("\(tell)\n\(program)")
        return (folder, try EventPipe("\(folder)/events"))
    }

    // MARK: Records

    /// Appends events of some users to the source.
    func addRecords(_ ids: ClosedRange<Int64>, users: Int64 = 5, suite: String = "outbox") throws {
        try addRecords(
            ids.map { id in
                [
                    "id": .integer(id), "suite": .string(suite), "kind": "customEvent", "name": .string("E\(id)"),
                    "time": "2026-01-01T00:00:00.000Z", "user": ["external_id": .string("u\(id % users)")],
                ]
            }
        )
    }

    /// Appends records to the source.
    func addRecords(_ records: [JSON]) throws {
        let path = "\(source)/records.jsonl"
        let old = FileManager.default.contents(atPath: path) ?? Data()
        try (old + Data(records.map { "\($0)\n" }.joined().utf8)).write(to: URL(filePath: path), options: .atomic)
    }

    /// Makes a fault of the source happen so many times.
    func setFault(_ name: String, times: Int = 1) throws {
        try Data("\(times)".utf8).write(to: URL(filePath: "\(source)/faults/\(name)"))
    }

    /// Sends the source a command.
    func command(_ text: String) throws { try commands.send(text) }

    /// Waits until the source has settled so many records.
    func awaitSettled(_ count: Int) throws { try events.await("settled \(count)") }

    // MARK: What happened

    /// What became of each record: `delivered`, `dead: <reason>` or `revoked`.
    func done() throws -> [Int64: String] { try stored("done").compactMapValues(\.string) }

    /// How often each record that is not settled may have been sent.
    func possiblySent() throws -> [Int64: Int64] { try stored("sent").compactMapValues(\.integer) }

    private func stored(_ name: String) throws -> [Int64: JSON] {
        let state = try JSON(parsing: String(contentsOfFile: "\(source)/state.json", encoding: .utf8))
        let members = state[name]?.object.map(Array.init) ?? []
        return Dictionary(uniqueKeysWithValues: try members.map { (try #require(Int64($0.name)), $0.value) })
    }

    /// The calls that the source answered.
    func calls() throws -> [JSON] {
        try String(contentsOfFile: "\(source)/calls.jsonl", encoding: .utf8).split(separator: "\n")
            .map { try JSON(parsing: String($0)) }
    }

    /// Expects that the records of each user arrived in their order, apart from repetitions, in a file of a destination.
    static func expectOrder(_ records: [JSON]) {
        var last: [String: Int64] = [:]
        var seen: Set<Int64> = []
        for record in records {
            guard let id = record["id"]?.integer, seen.insert(id).inserted else { continue }
            let user = record["user"]?.description ?? ""
            #expect(id > last[user] ?? 0, "record \(id) of \(user)")
            last[user] = id
        }
    }
}

/// A named pipe, from which a test reads lines or into which it writes them.
final class EventPipe {
    private let descriptor: Int32
    private var text: [UInt8] = []
    /// The lines that were read so far.
    private(set) var lines: [String] = []

    init(_ path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw TestFailure("cannot create the named pipe \(path)") }
        // Opened for reading and writing, so that opening blocks neither side.
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw TestFailure("the named pipe \(path) cannot be opened") }
    }

    deinit { close(descriptor) }

    /// Reads lines until one is the expected one.
    func await(_ expected: String) throws { try awaitLine(expected) { $0 == expected } }

    /// Reads lines until one contains a text.
    func await(containing text: String) throws { try awaitLine(text) { $0.contains(text) } }

    private func awaitLine(_ expected: String, _ isExpected: (String) -> Bool) throws {
        let limit = Date(timeIntervalSinceNow: ChildProcess.patience)
        while true {
            while let line = nextLine() {
                if isExpected(line) { return }
            }
            let rest = Int32(max(0, limit.timeIntervalSinceNow * 1_000))
            guard readMore(wait: rest) else {
                throw TestFailure("waited for \(expected); came \(lines.suffix(20).joined(separator: ", "))")
            }
        }
    }

    /// Everything that was written so far.
    func all() -> String {
        while readMore(wait: 0) {}
        while nextLine() != nil {}
        return lines.joined(separator: "\n")
    }

    private func nextLine() -> String? {
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        lines.append(String(decoding: text[..<end], as: UTF8.self))
        text.removeFirst(end + 1)
        return lines.last
    }

    /// Reads what there is, or waits for it at most so many milliseconds.
    private func readMore(wait: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, wait) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 { text += bytes[..<count] }
        return count > 0
    }

    /// Whether another process has read everything that was sent.
    var isRead: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 0
    }

    /// Writes a line.
    func send(_ line: String) throws {
        guard write(descriptor, "\(line)\n", line.utf8.count + 1) == line.utf8.count + 1 else {
            throw TestFailure("cannot write \(line) into the named pipe")
        }
    }
}
