internal import Contract
internal import JSON
internal import Notifications
internal import PushClient
internal import Recording

/// What a person would have seen of a recorded session, step by step.
struct SessionScenes {
    /// What is shown after something was done.
    struct Scene {
        let shown: ShownNotification
        /// The locale in which it was received; nil if none was named.
        let language: String?
        let diagnostics: [JSON]
        /// What extensions wrote to stderr since the notification was received.
        let errorLines: [PushSession.ErrorLine]
        fileprivate(set) var saved: [PushSession.SavedRecord]
        /// What was done, in a few words.
        let caption: String
        /// What was touched; nil if the user touched nothing.
        let touched: Drawing.Target?
        /// Whether the notification has just arrived.
        let isNew: Bool
        /// In milliseconds since the host started; nil if the session has no times.
        let time: Int64?
    }

    /// A call of the client that was not answered yet.
    private struct Call {
        let method: String
        let params: JSON
    }

    private static let saves = [
        "saveCustomEvent": "customEvent", "saveCustomAttribute": "customAttribute",
        "saveUserAttribute": "userAttribute",
    ]

    /// The scenes in their order; none if nothing was shown.
    private(set) var scenes: [Scene] = []
    private var calls: [String: Call] = [:]
    private var shown: [String: ShownNotification] = [:]
    private var locales: [String: String] = [:]
    /// The notifications in the order in which they were received.
    private var received: [String] = []
    private var errorLines: [PushSession.ErrorLine] = []
    private var saved: [PushSession.SavedRecord] = []
    /// What extensions are saving, by extension and id of the call.
    private var saving: [String: PushSession.SavedRecord] = [:]
    /// Records that `pending` returned, by suite and id, which has what `didSave` does not say.
    private var known: [(key: String, saved: PushSession.SavedRecord)] = []

    /// Reads a session.
    init(_ session: RecordedSession) {
        if !session.hasExtensions {
            for line in session.input.split(separator: UInt8(ascii: "\n")) { noteCalls(line) }
            for line in session.lines { noteRecords(line) }
        }
        for line in session.lines { read(line, hasExtensions: session.hasExtensions) }
        // What was saved after the last answer is seen at the end, and so is what was only asked for.
        saved += known.map(\.saved)
        if !scenes.isEmpty { scenes[scenes.count - 1].saved = saved }
    }

    /// How long each scene is seen, in milliseconds.
    ///
    /// Long waits are shortened, and what went too fast for eyes is slowed down.
    var lengths: [Int] {
        scenes.indices.map { index in
            guard index + 1 < scenes.count else { return 3_000 }
            guard let start = scenes[index].time, let end = scenes[index + 1].time else { return 1_200 }
            return Int(min(max(end - start, 1_000), 2_500))
        }
    }

    private mutating func read(_ line: WireLine, hasExtensions: Bool) {
        if !line.isMessage { return errorLines.append(PushSession.ErrorLine(bundle: line.from, text: line.text)) }
        switch (line.from, line.to) {
        case (Participant.client, _): noteCalls(line.bytes[...])
        case (_, Participant.client):
            for message in line.json?.messages ?? [] { read(message, line.time, hasExtensions: hasExtensions) }
        default:
            for message in line.json?.messages ?? [] { noteSave(message, line) }
        }
    }

    // MARK: Calls of the client

    private mutating func noteCalls(_ line: ArraySlice<UInt8>) {
        for message in (try? JSON(parsing: Array(line)))?.messages ?? [] {
            guard let id = message["id"], let method = message["method"]?.string else { continue }
            calls[id.description] = Call(method: method, params: message["params"] ?? [:])
        }
    }

    /// The notification that a call is about; a session that is written by hand may refer to one.
    private func notification(_ call: Call) -> String? {
        guard let name = call.params["notification"]?.string else { return nil }
        if name == "$last" { return received.last }
        guard name.hasPrefix("$"), let number = Int(name.dropFirst()) else { return name }
        return received.indices.contains(number - 1) ? received[number - 1] : nil
    }

    private mutating func read(_ message: JSON, _ time: Int64?, hasExtensions: Bool) {
        if let method = message["method"]?.string {
            return note(method, message["params"] ?? [:], time, hasExtensions: hasExtensions)
        }
        guard let call = calls.removeValue(forKey: message["id"]?.description ?? "") else { return }
        let before = notification(call).flatMap { shown[$0] }
        var caption = StepText.of(call.method, call.params, before)
        guard let result = message["result"] else {
            guard let before else { return }
            caption += ": \(message["error"]?["message"]?.string ?? "refused")"
            return add(before, caption, touched: Self.target(call), time)
        }
        switch call.method {
        case "didReceive":
            let new = ShownNotification(result)
            guard let id = new.id.string else { return }
            received.append(id)
            locales[id] = call.params["locale"]?.string
            errorLines = []
            add(new, caption, diagnostics: result["diagnostics"], isNew: true, time)
        case "expand", "interact", "didReceiveResponse", "mediaPlay", "mediaPause", "advanceClock", "dismiss":
            guard var new = before else { return }
            if call.method == "dismiss" { new.finish("dismissed") } else { new.show(result) }
            add(new, caption, diagnostics: result["diagnostics"], touched: Self.target(call), time)
        default: break
        }
    }

    private static func target(_ call: Call) -> Drawing.Target? {
        switch call.method {
        case "expand": .action(OfferedAction.defaultIdentifier)
        case "interact": call.params["element"]?.string.map { .element($0) }
        case "didReceiveResponse": call.params["actionIdentifier"]?.string.map { .action($0) }
        case "mediaPlay", "mediaPause": .media(call.method)
        default: nil
        }
    }

    // MARK: What happens without a call

    private mutating func note(_ method: String, _ params: JSON, _ time: Int64?, hasExtensions: Bool) {
        if method == "didSave", !hasExtensions, let suite = params["suite"]?.string, let id = params["id"] {
            guard let index = known.firstIndex(where: { $0.key == "\(suite) \(id)" }) else { return }
            return saved.append(known.remove(at: index).saved)
        }
        guard let id = params["notification"]?.string, var new = shown[id], new.end == nil else { return }
        switch method {
        case "viewDidChange":
            new.show(params)
            add(new, "The view changes", time)
        case "didDismiss":
            new.finish(params["reason"]?.string ?? "dismissed")
            add(new, "The notification goes", time)
        default: break
        }
    }

    private mutating func noteSave(_ message: JSON, _ line: WireLine) {
        let key = "\(line.peer) \(message["id"] ?? .null)"
        if let kind = message["method"]?.string.flatMap({ Self.saves[$0] }), line.from != Participant.host {
            let params = message["params"] ?? [:]
            let members = MemberList(params.object.map { $0.map { ($0.name, $0.value) } } ?? [])
            let record = JSON(present: ["kind": .string(kind)] + members)
            saving[key] = PushSession.SavedRecord(suite: params["suite"]?.string ?? "", record: record)
        } else if line.from == Participant.host, message["method"] == nil, let record = saving.removeValue(forKey: key)
        {
            guard message["error"] == nil else { return }
            saved.append(record)
        }
    }

    private mutating func noteRecords(_ line: WireLine) {
        for message in line.json?.messages ?? [] {
            guard let call = calls[message["id"]?.description ?? ""], call.method == "pending" else { continue }
            let suite = call.params["suite"]?.string ?? ""
            for record in message["result"]?["records"]?.array.map(Array.init) ?? [] {
                let key = "\(suite) \(record["id"] ?? .null)"
                guard !known.contains(where: { $0.key == key }) else { continue }
                known.append((key, PushSession.SavedRecord(suite: suite, record: record)))
            }
        }
    }

    // MARK: Scenes

    private mutating func add(
        _ new: ShownNotification,
        _ caption: String,
        diagnostics: JSON? = nil,
        touched: Drawing.Target? = nil,
        isNew: Bool = false,
        _ time: Int64?
    ) {
        let id = new.id.string ?? ""
        shown[id] = new
        scenes.append(
            Scene(
                shown: new,
                language: locales[id],
                diagnostics: diagnostics?.array.map(Array.init) ?? [],
                errorLines: errorLines,
                saved: saved,
                caption: caption,
                touched: touched,
                isNew: isNew,
                time: time
            )
        )
    }
}
