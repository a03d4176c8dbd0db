internal import CSystem
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform

/// Makes entries for people of what goes between the user, the host, its extensions, suites and destinations.
struct Timeline {
    /// The greatest number of characters of a line that are shown.
    private static let lineLimit = 8_000
    /// The greatest number of calls whose answers are waited for.
    private static let callLimit = 1_000
    /// The number of the newest entries that are kept.
    static let entryLimit = 300
    /// The calls of the preview that are the user's; it makes others to find out what it shows.
    private static let userCalls: Set = [
        "didReceive", "expand", "interact", "didReceiveResponse", "mediaPlay", "mediaPause", "advanceClock", "dismiss",
        "flushPending",
    ]
    /// The calls that save a record, with the word for it and the member that names it.
    private static let saves = [
        "saveCustomEvent": ("event", "name"), "saveCustomAttribute": ("attribute", "key"),
        "saveUserAttribute": ("user attribute", "field"),
    ]

    /// An entry, and the line that it is about.
    struct Entry {
        var step: SequenceDiagram.Entry
        var raw: String?
        let edit: Edit?
    }

    /// An edit of the text: the how many-th of those that follow one another with nothing else between them.
    struct Edit {
        let run: Int
        let number: Int
    }

    private struct Call {
        let method: String
        let text: String
        let params: JSON?
        /// That of its entry; nil if it has none.
        let number: Int?
        let time: Int64?

        init(_ method: String, _ text: String, _ params: JSON?, number: Int?, time: Int64?) {
            (self.method, self.text, self.params, self.number, self.time) = (method, text, params, number, time)
        }
    }

    /// A line of a recording: who wrote it to whom, and when.
    private struct Line {
        let time: Int64?
        let from: String
        let to: String
        let raw: String
    }

    private var count = 0
    /// The calls that were not answered yet, by who called and the id.
    private var calls: [String: Call] = [:]
    /// What is being saved for which notification, the oldest first; the host tells soon in which suite.
    private var saving: [(notification: String, text: String)] = []
    private var runs = 0
    private var edit: Edit?
    /// The newest entries.
    private(set) var kept: [Entry] = []
    /// Who was in an entry, in the order of the diagram.
    private(set) var lanes = [
        SequenceDiagram.Lane(id: "client", title: "You"), SequenceDiagram.Lane(id: "host", title: "Host"),
    ]

    /// What follows comes from an edit of the text.
    mutating func edited() {
        if edit == nil { runs += 1 }
        edit = Edit(run: runs, number: (edit?.number ?? 0) + 1)
    }

    /// What follows comes from something else that the user does.
    mutating func endEdits() { edit = nil }

    /// The entries of records of a recording; what only concerns the host and this client has none.
    mutating func entries(_ records: [JSON], _ catalog: Catalog) -> [JSON] {
        added { timeline in records.flatMap { timeline.entries($0, catalog) } }
    }

    /// The entries of lines of the host's log.
    mutating func entries(ofLog lines: [String]) -> [JSON] {
        added { timeline in lines.map { timeline.entry(nil, .log, "host", text: $0) } }
    }

    /// An entry about the host that the preview makes itself.
    mutating func failure(_ text: String) -> [JSON] { added { [$0.entry(nil, .error, "host", text: text)] } }

    private mutating func added(_ make: (inout Timeline) -> [Entry]) -> [JSON] {
        let new = make(&self)
        kept = (kept + new).suffix(Self.entryLimit)
        return new.map(\.json)
    }

    private mutating func entries(_ record: JSON, _ catalog: Catalog) -> [Entry] {
        guard let from = record["from"]?.string, record["exit"] == nil else { return [] }
        let to = record["to"]?.string ?? ""
        for name in [from, to] { addLane(name, catalog) }
        let time = record["t"]?.integer
        if let end = record["ended"] ?? record["closed"] {
            guard from != "client" else { return [] }
            let code = end["exitCode"].map { "ended with exit code \($0)" }
            let how = code ?? end["signal"].map { "ended by signal \($0)" } ?? "closed its stdout"
            return [entry(time, .end, from, text: how)]
        }
        let line = Line(time: time, from: from, to: to, raw: record["raw"]?.string ?? "bytes that are not UTF-8")
        // Blank lines between messages are allowed and mean nothing.
        guard !line.raw.allSatisfy(\.isWhitespace) else { return [] }
        if to == "stderr" { return [entry(time, .standardError, from, text: line.raw)] }
        guard let message = try? JSON(parsing: line.raw) else {
            return [entry(.error, of: line, "a line that is not JSON; print to stderr, because stdout is for messages")]
        }
        return entries(message, line, catalog)
    }

    private mutating func entries(_ message: JSON, _ line: Line, _ catalog: Catalog) -> [Entry] {
        let id = message["id"]
        guard let method = message["method"]?.string else {
            return answer(message, line, catalog)
        }
        let params = message["params"]
        // Lines of stderr were shown already.
        guard line.from != "client" || Self.userCalls.contains(method), method != "$/stderr" else { return [] }
        if method == "didSave" { return [saved(params, line)] }
        let names = ["element", "actionIdentifier", "name", "key", "field", "message", "reason", "url", "to"]
        let subject = names.lazy.compactMap { params?[$0]?.string }.first
        let isDry = params?["dryRun"] == true ? "(dry run)" : nil
        let text = [method, subject.map(Self.word), isDry].compactMap(\.self).joined(separator: " ")
        // The page asks what a flush would do, not the user; the destination's lane has the answer.
        let isShown = method != "flushPending"
        let new = isShown ? [entry(id == nil ? .notification : .call, of: line, text)] : []
        if let id, calls.count < Self.callLimit {
            let call = Call(method, text, params, number: new.first?.step.number, time: line.time)
            calls["\(line.from) \(line.to) \(id)"] = call
        }
        if let (word, name) = Self.saves[method], let notification = params?["notification"]?.string {
            saving = saving.suffix(Self.callLimit) + [(notification, "\(word) \(params?[name]?.string ?? "")")]
        }
        return new
    }

    private mutating func answer(_ message: JSON, _ line: Line, _ catalog: Catalog) -> [Entry] {
        let call = calls.removeValue(forKey: "\(line.to) \(line.from) \(message["id"] ?? .null)")
        // The preview asks for more than what the user does.
        guard call != nil || line.to != "client" else { return [] }
        let error = message["error"]
        if let call, call.number == nil { return [flush(message, call, line, catalog)] }
        let method = call?.text ?? "a call"
        if error != nil, let call, Self.saves[call.method] != nil, let name = call.params?["notification"]?.string,
            let refused = saving.lastIndex(where: { $0.notification == name })
        {
            saving.remove(at: refused)
        }
        let text = error.map { "\(method): \($0["message"]?.string ?? "an error")" } ?? method
        var new = entry(error == nil ? .answer : .error, of: line, text)
        new.step.call = call?.number
        if let time = line.time, let start = call?.time { new.step.duration = time - start }
        return [new]
    }

    /// A record at its suite.
    private mutating func saved(_ params: JSON?, _ line: Line) -> Entry {
        let suite = params?["suite"]?.string ?? ""
        let notification = params?["notification"]?.string ?? ""
        addLane(SequenceDiagram.Lane(id: "suite \(suite)", title: suite, role: "suite"))
        let text = saving.firstIndex { $0.notification == notification }.map { saving.remove(at: $0).text }
        let number = params?["id"]?.description ?? ""
        return entry(line.time, .saved, "host", "suite \(suite)", text: text ?? "record \(number)", raw: line.raw)
    }

    /// What a dry run says, at the destination.
    private mutating func flush(_ message: JSON, _ call: Call, _ line: Line, _ catalog: Catalog) -> Entry {
        let name = call.params?["to"]?.string ?? ""
        let lane = catalog.destination(name) ?? "destination \(name)"
        if lane.hasPrefix("destination ") {
            addLane(SequenceDiagram.Lane(id: lane, title: name, role: "destination"))
        }
        if let problem = message["error"]?["message"]?.string {
            return entry(line.time, .note, lane, text: "would send nothing: \(problem)", raw: line.raw)
        }
        let counts = [("records", "record"), ("requests", "request")].compactMap { member, word -> String? in
            let value = message["result"]?[member]
            let count = value?.integer ?? value?.array.map { Int64($0.count) }
            return count.map { "\($0) \(word)\($0 == 1 ? "" : "s")" }
        }
        let text = "would send \(counts.joined(separator: " in "))"
        return entry(line.time, .flush, "host", lane, text: text, raw: line.raw)
    }

    private mutating func entry(_ kind: SequenceDiagram.Kind, of line: Line, _ text: String) -> Entry {
        entry(line.time, kind, line.from, line.to, text: text, raw: line.raw)
    }

    private mutating func entry(
        _ time: Int64?,
        _ kind: SequenceDiagram.Kind,
        _ from: String,
        _ to: String? = nil,
        text: String,
        raw: String? = nil
    ) -> Entry {
        count += 1
        let step = SequenceDiagram.Entry(
            number: count,
            time: time,
            kind: kind,
            from: from,
            to: to,
            text: Self.cut(text)
        )
        return Entry(step: step, raw: raw.map(Self.cut), edit: edit)
    }

    /// What a diagram calls the actions of the system, whose identifiers are long.
    private static func word(_ subject: String) -> String {
        switch subject {
        case OfferedAction.defaultIdentifier: "default action"
        case OfferedAction.dismissIdentifier: "dismiss action"
        default: subject
        }
    }

    private static func cut(_ text: String) -> String {
        // Counting bytes is enough: a character has at least one.
        text.utf8.count <= lineLimit ? text : String(text.prefix(lineLimit)) + "…"
    }

    // MARK: Lanes

    /// Adds the lane of a participant that a recording names.
    private mutating func addLane(_ name: String, _ catalog: Catalog) {
        guard !name.isEmpty, name != "stderr", !lanes.contains(where: { $0.id == name }) else { return }
        let title = name.split(separator: ".").last.map(String.init) ?? name
        addLane(SequenceDiagram.Lane(id: name, title: title, role: catalog.role(of: name)))
    }

    /// Adds a lane after those of its kind: extensions, suites, destinations.
    private mutating func addLane(_ lane: SequenceDiagram.Lane) {
        guard !lanes.contains(where: { $0.id == lane.id }) else { return }
        let rank = { (lane: SequenceDiagram.Lane) in
            switch lane.role {
            case "": 0
            case "suite": 2
            case "destination": 3
            default: 1
            }
        }
        let place = lanes.firstIndex { rank($0) > rank(lane) } ?? lanes.count
        lanes.insert(lane, at: place)
    }

    /// The lanes for the windows.
    var laneMembers: [(String, JSON)] {
        [("lanes", JSON(lanes.map { ["id": .string($0.id), "title": .string($0.title), "role": .string($0.role)] }))]
    }

    /// The entries after a number as a picture.
    func diagram(after number: Int) -> SequenceDiagram {
        SequenceDiagram(lanes: lanes, entries: kept.map(\.step).filter { $0.number > number })
    }
}

extension Timeline.Entry {
    /// The entry for the windows.
    fileprivate var json: JSON {
        JSON(present: [
            "n": JSON(step.number), "t": step.time.map(JSON.integer), "kind": .string(step.kind.rawValue),
            "from": .string(step.from), "to": JSON(step.to), "text": .string(step.text), "raw": JSON(raw),
            "call": step.call.map { JSON($0) }, "duration": step.duration.map(JSON.integer),
            "run": edit.map { JSON($0.run) }, "edit": edit.map { JSON($0.number) },
        ])
    }
}

/// Reads a recording while the host writes it.
final class WireTail {
    /// Records that were read are removed from the file in steps of this size.
    private static let step = 1 << 20

    private let descriptor: Int32
    private var rest: [UInt8] = []
    private var position = 0
    private var removed = 0

    /// The tail of a recording that a host has begun.
    init(path: String) { descriptor = open(path, O_RDWR | O_CLOEXEC) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The records that were written since.
    func records() -> [JSON] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var found: [JSON] = []
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(position))
            guard count > 0 else { break }
            position += count
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                if let record = try? JSON(parsing: Array(rest[..<end])) { found.append(record) }
                rest.removeSubrange(...end)
            }
        }
        removeRead()
        return found
    }

    /// Gives the space of what was read back to the file system; a preview runs for days.
    private func removeRead() {
        guard position - removed >= Self.step,
            csystem_free_space(descriptor, off_t(removed), off_t(position - removed)) == 0
        else { return }
        removed = position
    }
}

/// The lines of a host's log that were not shown yet.
final class HostLog {
    private var bytes: [UInt8] = []

    /// Adds what the host wrote.
    func add(_ more: ArraySlice<UInt8>) { bytes += more }

    /// Takes the whole lines; the beginning of another one stays.
    func takeLines() -> [String] {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        bytes.removeSubrange(...end)
        return lines
    }
}
