import JSON
import JSONRPC
import Platform

/// A run of a command of this program, such as `push`.
package struct ToolRun {
    /// How a run ended, or how a service began.
    package struct End {
        /// The exit code; nil if a signal ended it, or for a service that runs.
        package let code: Int32?
        /// What it wrote on stdout, or the first line of a service.
        package let output: String
        /// What it wrote on stderr.
        package let errors: String

        package init(code: Int32?, output: String, errors: String) {
            (self.code, self.output, self.errors) = (code, output, errors)
        }
    }

    package var arguments: [String]
    /// What is on its stdin.
    package var input = ""
    /// Whether it uses the bundles of the editor's folders.
    package var usesBundles = true
    /// Whether its first line says that it serves; then it runs as long as the server.
    package var isService = false
}

/// The commands that an editor offers, by their names on the wire.
enum EditorCommand: String, CaseIterable {
    case push = "pushhost.push"
    case preview = "pushhost.preview"
    case record = "pushhost.record"
    case replay = "pushhost.replay"
    case check = "pushhost.check"

    /// What a lens is called.
    var title: String {
        switch self {
        case .push: "▶ Push"
        case .preview: "Preview"
        case .record: "Record"
        case .replay: "Replay"
        case .check: "Check"
        }
    }
}

/// Lenses, and the commands that they stand for.
extension LanguageServer {
    func lenses(_ document: OpenDocument) -> JSON {
        let commands: [EditorCommand] =
            switch document.kind {
            case .payload: [.push, .preview, .record, .check]
            case .session: document.path.hasSuffix(".replies.jsonl") ? [] : [.replay]
            case .infoPlist: Self.payload(beside: document.path) == nil ? [.check] : [.push, .preview, .check]
            case .program: isEntry(document) ? [.push, .preview, .check] : []
            case .entitlements, .strings, .json: []
            }
        return JSON(
            commands.map { command in
                [
                    "range": document.json(0..<0),
                    "command": [
                        "title": .string(command.title), "command": .string(command.rawValue),
                        "arguments": [.string(document.uri)],
                    ],
                ]
            }
        )
    }

    /// Whether a document is where the code of a bundle begins.
    private func isEntry(_ document: OpenDocument) -> Bool {
        let folder = Paths.parent(of: document.path)
        guard Self.payload(beside: document.path) != nil, let plist = Workspace.contents("\(folder)/Info.plist") else {
            return false
        }
        let executable = SyntaxTree(plist, .propertyList).root?["CFBundleExecutable"]?.text?.0
        let isSwift = document.path.hasSuffix(".swift")
        return document.path == "\(folder)/\(executable ?? "")" || isSwift && document.text.text.contains("@main")
    }

    /// The payload of the bundle in whose folder a file is.
    private static func payload(beside path: String) -> String? {
        let payload = "\(Paths.parent(of: path))/payload.apns"
        return FileStamp(of: payload)?.kind == .file ? payload : nil
    }

    // MARK: Commands

    /// Runs a command about the document of its first argument.
    ///
    /// With `{"show": false}` as the second one, the editor shows
    /// the result itself.
    func execute(_ call: Call, _ params: JSON) {
        let arguments = params["arguments"]?.elements ?? []
        guard let name = params["command"]?.string, let command = EditorCommand(rawValue: name) else {
            return refuse(call, -32_602, "there is no command \(params["command"] ?? .null)")
        }
        guard let uri = arguments.first?.string, let path = Self.path(uri) else {
            return refuse(call, -32_602, "\(name) needs the URI of a file as its first argument")
        }
        do throws(Refusal) {
            let run = try run(command, documents[uri] ?? document(at: path), path)
            start(command, run, path, call, params)
        } catch {
            refuse(call, -32_803, error.message)
        }
    }

    /// Why a command cannot run.
    private struct Refusal: Error {
        let message: String
    }

    private func run(_ command: EditorCommand, _ document: OpenDocument?, _ path: String) throws(Refusal) -> ToolRun {
        let isPayload = DocumentKind(path: path, bytes: document?.text.bytes ?? []) == .payload
        let locale = locale.map { ["--locale", $0] } ?? []
        let payload = isPayload ? path : Self.payload(beside: path)
        switch command {
        case .check where !isPayload:
            return ToolRun(arguments: ["extensions", "check", Paths.parent(of: path)], usesBundles: false)
        case .push, .check:
            let arguments = [command == .push ? "push" : "check", "-"] + locale
            return ToolRun(arguments: arguments, input: try text(payload, document, command))
        case .preview:
            guard let payload else { throw noPayload(path) }
            return ToolRun(arguments: ["preview", payload] + locale, isService: true)
        case .record:
            let text = try text(payload, document, command)
            guard let payload, let value = try? JSON(parsing: text) else {
                throw Refusal(message: "\(path) is not JSON; correct its mistakes, then record it")
            }
            return try recording(of: value, Self.session(of: payload))
        case .replay: return ToolRun(arguments: ["replay", path], usesBundles: false)
        }
    }

    private func noPayload(_ path: String) -> Refusal {
        Refusal(message: "\(Paths.parent(of: path)) has no payload.apns; write one, or run the command in a payload")
    }

    /// The text of a payload, as the editor has it if it is open.
    private func text(_ payload: String?, _ document: OpenDocument?, _ command: EditorCommand) throws(Refusal) -> String
    {
        guard let payload else { throw noPayload(document?.path ?? "") }
        if let open = self.document(at: payload) { return open.text.text }
        guard let bytes = Workspace.contents(payload) else { throw Refusal(message: "\(payload) cannot be read") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Where the session of a payload is written.
    private static func session(of payload: String) -> String {
        let stem = payload.hasSuffix(".apns") ? String(payload.dropLast(".apns".count)) : payload
        return "\(stem).jsonl"
    }

    /// Writes a session that delivers a payload; the run adds the replies.
    private func recording(of payload: JSON, _ path: String) throws(Refusal) -> ToolRun {
        guard FileStamp(of: path) == nil else {
            throw Refusal(message: "\(path) is there already; replay it, or remove it")
        }
        let request: JSON = ["jsonrpc": "2.0", "id": 1, "method": "didReceive", "params": ["payload": payload]]
        if let error = Self.write(request.bytes + [0x0A], to: path, mode: 0o644) {
            throw Refusal(message: "\(path) cannot be written: \(error)")
        }
        return ToolRun(arguments: ["replay", "--update", path])
    }

    private func start(_ command: EditorCommand, _ run: ToolRun, _ path: String, _ call: Call, _ params: JSON) {
        let shows = params["arguments"]?.elements.dropFirst().first?["show"] != false
        if command == .preview, let address = previews[path] {
            return finish(command, ToolRun.End(code: nil, output: address, errors: ""), path, call, shows)
        }
        session.track(call)
        let progress = beginProgress("\(command.title) \(Self.name(path))", token: params["workDoneToken"]) {
            [weak self, weak call] in
            if let call, !call.isAnswered { self?.refuse(call, -32_800, "cancelled") }
        }
        let stop = surroundings.run(run) { [weak self] end in
            progress.end()
            guard let self else { return }
            if command == .preview { previews[path] = end.code == nil && !end.output.isEmpty ? end.output : nil }
            guard !call.isAnswered else { return }
            finish(command, end, path, call, shows)
        }
        // Also if it is cancelled; a service that runs has its own life.
        call.onAnswer { [weak self] in if self?.previews[path] == nil { stop() } }
    }

    private func finish(_ command: EditorCommand, _ end: ToolRun.End, _ path: String, _ call: Call, _ shows: Bool) {
        let isReport = [.check, .replay].contains(command) && end.code == 1
        guard end.code == 0 || isReport || command == .preview && end.code == nil && !end.output.isEmpty else {
            if command == .record { unlink(Self.session(of: Self.payload(beside: path) ?? path)) }
            let text = end.errors.isEmpty ? end.output : end.errors
            let message = text.isEmpty ? "\(command.rawValue) was ended by a signal" : String(text.trimmed)
            return refuse(call, -32_803, message)
        }
        var result: [(String, JSON)] = []
        var uri: String?
        switch command {
        case .preview:
            let address = end.output.firstMatch(of: /http:\/\/\S+/).map { String($0.0) } ?? ""
            result = [("address", .string(address))]
            uri = address
        case .record: uri = Self.uri(Self.session(of: path))
        case .push, .replay, .check:
            result = [("text", .string(end.output))]
            if command != .push { result.append(("passed", .bool(end.code == 0))) }
            uri = page(command, end.output, path)
        }
        if command != .preview, let uri { result.append(("uri", .string(uri))) }
        call.answer(.success(.object(JSON.Object(result))))
        if shows, let uri { show(uri, end.output, isExternal: command == .preview) }
    }

    /// Writes what is shown into a file that is only read.
    private func page(_ command: EditorCommand, _ text: String, _ path: String) -> String? {
        let name = path.split(separator: "/").suffix(2).joined(separator: " ")
        let file = "\(folder)/\(name) \(command.rawValue.split(separator: ".").last ?? "").txt"
        unlink(file)
        return Self.write(Array(text.utf8), to: file, mode: 0o444) == nil ? Self.uri(file) : nil
    }

    /// Writes a new file.
    ///
    /// - Returns: Why that failed.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t) -> SystemError? {
        let descriptor = Platform.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return .last }
        defer { Platform.close(descriptor) }
        do throws(SystemError) { try Descriptors.writeAll(bytes[...], to: descriptor) } catch {
            unlink(path)
            return error
        }
        return nil
    }

    private func show(_ uri: String, _ text: String, isExternal: Bool) {
        guard client.showsDocuments else {
            return session.notify(
                "window/showMessage",
                params: ["type": 3, "message": .string(isExternal ? uri : text)]
            )
        }
        let params: JSON = ["uri": .string(uri), "external": .bool(isExternal), "takeFocus": .bool(isExternal)]
        session.request("window/showDocument", params: params) { _ in }
    }

    // MARK: Progress

    /// What the editor shows while something runs that takes long.
    final class Progress {
        fileprivate(set) var isCancelled = false
        fileprivate var send: (JSON) -> Void = { _ in }
        fileprivate var ended: () -> Void = {}

        func report(_ text: String) { send(["kind": "report", "message": .string(text)]) }

        func end() {
            send(["kind": "end"])
            ended()
            send = { _ in }
        }
    }

    /// Tells the editor that something begins, which its user may cancel.
    ///
    /// - Parameters:
    ///   - title: What happens.
    ///   - token: What the editor calls it; without one the server does, if the editor shows such progress.
    ///   - cancel: Called if the user cancels it.
    /// - Returns: What the server reports progress and the end to.
    func beginProgress(_ title: String, token: JSON?, _ cancel: @escaping () -> Void) -> Progress {
        let progress = Progress()
        lastToken += 1
        let key = token?.string ?? "pushhost-\(lastToken)"
        running[key] = { [weak progress] in
            progress?.isCancelled = true
            cancel()
        }
        progress.ended = { [weak self] in self?.running[key] = nil }
        guard token != nil || client.showsProgress else { return progress }
        let token = token ?? .string(key)
        progress.send = { [weak self] value in
            self?.session.notify("$/progress", params: ["token": token, "value": value])
        }
        if token == .string(key) {
            session.request("window/workDoneProgress/create", params: ["token": token]) { _ in }
        }
        progress.send(["kind": "begin", "title": .string(title), "cancellable": true])
        return progress
    }
}
