import ExtensionKit
import Foundation
import JSON

/// A source of the records in a file, which stores durably what became of them; the test asks for faults.
///
/// Its folder, which is the working folder, has:
/// - `records.jsonl`: the records, which the test writes; more may follow.
/// - `state.json`: what the source has stored.
/// - `calls.jsonl`: the calls that it answered, and its stop.
/// - `faults/<name>`: how often the fault `<name>` happens from now on; see ``takeFault(_:)``.
/// - `events`: a named pipe, if the test made one, into which it writes `pulled <number>`, `begun <number>`,
///   `settled <all so far>`, and `stopped`.
/// - `commands`: a named pipe, from which it reads `wake`, `revoke <id> …` and `share <number>`.
@main
final class KitSource: SourceExtension, @unchecked Sendable {
    private let context: SourceContext
    private let lock = NSRecursiveLock()
    // Guarded by the lock.
    private var state = State()
    private var held: Set<Int64> = []
    private var begun: Set<Int64> = []
    private var waiting: CheckedContinuation<Void, Never>?
    private var isStopped = false
    private var share: Double?

    init(context: SourceContext) {
        self.context = context
        state = State.stored ?? State()
        Thread.detachNewThread { [self] in readCommands() }
    }

    func pull(limit: Int, wait: Duration) async throws -> PulledRecords {
        if takeFault("pull-error") { throw ExtensionError(reason: "notNow", "the source was told to fail") }
        var records = take(limit)
        if records.isEmpty {
            await sleep(wait)
            records = take(limit)
        }
        if takeFault("pull-exit") { exit(1) }
        let isLong = takeFault("pull-long")
        return lock.withLock {
            let pending = state.pending
            return PulledRecords(
                records,
                // With so long a text the answer exceeds the host's limit for a line.
                identity: isLong ? String(repeating: "0", count: 17 << 20) : Self.identity,
                share: share,
                pending: Int64(pending.count),
                oldest: pending.first?.time
            )
        }
    }

    func begin(_ ids: [Int64]) async throws -> BegunRecords {
        if takeFault("begin-error") { throw ExtensionError(reason: "notNow", "the source was told to fail") }
        if takeFault("begin-exit-before") { exit(1) }
        let lost = lock.withLock { () -> [Int64] in
            for id in ids where held.contains(id) && begun.insert(id).inserted { state.sent[id, default: 0] += 1 }
            state.store()
            note(["begin": .array(JSON.Array(integers: ids))], "begun \(ids.count)")
            return ids.filter { !held.contains($0) }
        }
        if takeFault("begin-exit-after") { exit(1) }
        return BegunRecords(lost: lost)
    }

    func settle(_ settlement: SourceSettlement) async throws -> [Int64] {
        if takeFault("settle-error") { throw ExtensionError(reason: "notNow", "the source was told to fail") }
        if takeFault("settle-exit-before") { exit(1) }
        return lock.withLock {
            let named =
                settlement.delivered + settlement.dead.map(\.id) + settlement.uncertain + settlement.retry
                + settlement.unsent
            let lost = named.filter { !held.contains($0) }
            for id in settlement.delivered where held.remove(id) != nil { state.done[id] = "delivered" }
            for letter in settlement.dead where held.remove(letter.id) != nil {
                state.done[letter.id] = "dead: \(letter.reason)"
            }
            begun.subtract(settlement.uncertain)
            withdraw(settlement.unsent + settlement.retry)
            held.subtract(settlement.retry)
            for id in named where state.done[id] != nil { state.sent[id] = nil }
            begun.formIntersection(held)
            state.store()
            note(
                [
                    "settle": [
                        "delivered": .array(JSON.Array(integers: settlement.delivered)),
                        "dead": .array(JSON.Array(integers: settlement.dead.map(\.id))),
                        "uncertain": .array(JSON.Array(integers: settlement.uncertain)),
                        "retry": .array(JSON.Array(integers: settlement.retry)),
                        "unsent": .array(JSON.Array(integers: settlement.unsent)),
                    ]
                ],
                "settled \(state.done.count)"
            )
            // With the lock, so that nothing is handed out after the event by which the test goes on.
            if takeFault("settle-exit-after") { exit(1) }
            return lost
        }
    }

    func stop() async {
        lock.withLock {
            isStopped = true
            withdraw(Array(held))
            held = []
            state.store()
            note(["stop": true], "stopped")
        }
        wake()
    }

    /// Does not count the attempts of records that are begun.
    private func withdraw(_ ids: [Int64]) {
        for id in ids where begun.remove(id) != nil { state.sent[id, default: 0] -= 1 }
    }

    static let identity = "0123456789abcdef0123456789abcdef"

    // MARK: Records

    private func take(_ limit: Int) -> [SourceRecord] {
        lock.withLock {
            guard !isStopped else { return [] }
            state.read()
            let found = state.pending.filter { !held.contains($0.id) }
            let records = found.prefix(limit).map { record in
                SourceRecord(id: record.id, members: record.members, possiblySent: state.sent[record.id] ?? 0)
            }
            let ids = records.map(\.id)
            held.formUnion(ids)
            note(["pull": .array(JSON.Array(integers: ids))], "pulled \(ids.count)")
            return records
        }
    }

    private func sleep(_ wait: Duration) async {
        let (seconds, attoseconds) = wait.components
        DispatchQueue.global().asyncAfter(
            deadline: .now() + Double(seconds) + Double(attoseconds) / 1e18,
            execute: wake
        )
        await withCheckedContinuation { continuation in
            let isOver = lock.withLock {
                if !isStopped { waiting = continuation }
                return isStopped
            }
            if isOver { continuation.resume() }
        }
    }

    private func wake() {
        let waiting = lock.withLock {
            defer { self.waiting = nil }
            return self.waiting
        }
        waiting?.resume()
    }

    // MARK: The test

    private func readCommands() {
        // Opened for writing too, so that the end of one writer is not the end of the pipe.
        guard let file = FileHandle(forUpdatingAtPath: "commands") else { return }
        var text = ""
        while let data = try? file.read(upToCount: 1), !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
            guard text.hasSuffix("\n") else { continue }
            perform(text.split(whereSeparator: \.isWhitespace).map(String.init))
            text = ""
        }
    }

    private func perform(_ words: [String]) {
        switch words.first {
        case "revoke":
            let ids = words.dropFirst().compactMap { Int64($0) }
            lock.withLock {
                held.subtract(ids)
                for id in ids { state.done[id] = "revoked" }
                state.store()
            }
            context.revoke(ids)
            context.log(.notice, "revoked \(ids.count)")
        case "share":
            let share = words.dropFirst().first.flatMap(Double.init) ?? 1
            lock.withLock { self.share = share }
            context.setShare(share)
        default: wake()
        }
    }

    /// Whether a fault happens now; each time counts.
    private func takeFault(_ name: String) -> Bool {
        lock.withLock {
            guard let text = try? String(contentsOfFile: "faults/\(name)", encoding: .utf8),
                let count = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), count > 0
            else { return false }
            try? "\(count - 1)".write(toFile: "faults/\(name)", atomically: true, encoding: .utf8)
            return true
        }
    }

    private func note(_ call: JSON, _ event: String) {
        append("\(call)", to: open("calls.jsonl", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600))
        append(event, to: open("events", O_RDWR | O_CLOEXEC))
    }

    private func append(_ text: String, to descriptor: Int32) {
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let line = Array("\(text)\n".utf8)
        precondition(write(descriptor, line, line.count) == line.count, "a file of the test cannot be written")
    }
}

/// What the source stores: what became of records, and how often each may have been sent.
private struct State {
    struct Record {
        let id: Int64
        let time: String
        let members: JSON.Object
    }

    var done: [Int64: String] = [:]
    var sent: [Int64: Int] = [:]
    /// The records of the file, in order.
    private var records: [Record] = []
    private var length = 0

    var pending: [Record] { records.filter { done[$0.id] == nil } }

    /// Reads the file if it has grown.
    mutating func read() {
        guard let data = FileManager.default.contents(atPath: "records.jsonl"), data.count != length else { return }
        length = data.count
        records = String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let members = (try? JSON(parsing: String(line)))?.object, let id = members["id"]?.integer else {
                return nil
            }
            return Record(id: id, time: members["time"]?.string ?? "", members: members)
        }
    }

    static var stored: State? {
        guard let text = try? String(contentsOfFile: "state.json", encoding: .utf8),
            let json = try? JSON(parsing: text)
        else { return nil }
        var state = State()
        for (name, value) in json["done"]?.object.map(Array.init) ?? [] { state.done[Int64(name) ?? 0] = value.string }
        for (name, value) in json["sent"]?.object.map(Array.init) ?? [] {
            state.sent[Int64(name) ?? 0] = Int(value.integer ?? 0)
        }
        return state
    }

    func store() {
        let done = done.sorted { $0.key < $1.key }.map { (String($0.key), JSON.string($0.value)) }
        let sent = sent.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { (String($0.key), JSON($0.value)) }
        let json: JSON = ["done": .object(JSON.Object(done)), "sent": .object(JSON.Object(sent))]
        do {
            try "\(json)".write(toFile: "state.json", atomically: true, encoding: .utf8)
        } catch {
            preconditionFailure("state.json cannot be written: \(error)")
        }
    }
}
