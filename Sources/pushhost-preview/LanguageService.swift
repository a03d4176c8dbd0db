internal import HostClient
internal import JSON
internal import JSONRPC
internal import LanguageServer
internal import Platform

/// The language server of the payload that is edited: all windows get its diagnostics, and each may ask it.
///
/// The windows share one text, so the preview tells the server of its changes, and the windows only send requests. The
/// server computes at once what it can; what the host must say comes when the host has answered, also while a call waits.
final class LanguageService {
    private let windows: Windows
    private var server: LanguageServer!
    private var uri: String?
    private var text = ""
    private var version = 0
    /// The window that wrote the text, and its number of the change.
    private var (author, edit) = (0, 0)
    private var folders: [String] = []
    private var settings: JSON = .null
    private var host: HostClient?
    /// What to do with the replies of the host to come.
    private var waiting: [Int64: (JSON?) -> Void] = [:]

    /// - Parameters:
    ///   - windows: Those that see its diagnostics.
    ///   - folder: The folder of the preview.
    init(_ windows: Windows, folder: String) {
        self.windows = windows
        let surroundings = LanguageServer.Surroundings(
            call: { [unowned self] in call($0, $1, $2) },
            // The page has its own ways to show and to record; no window can ask for a command.
            run: { _, _ in {} },
            bundlesChanged: {}
        )
        server = LanguageServer(version: "", folder: folder, surroundings)
        let capabilities: JSON = [
            "textDocument": ["completion": ["completionItem": ["snippetSupport": true]]],
            // Otherwise it looks for changed files with each request.
            "workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]],
        ]
        send(["jsonrpc": "2.0", "id": 0, "method": "initialize", "params": ["capabilities": capabilities]])
    }

    // MARK: The text

    /// Takes over a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - file: Its file; nil if it belongs to none.
    ///   - author: The window that wrote it; 0 if none did.
    ///   - edit: The number that the window gave to the change.
    func show(_ text: String, _ file: String?, author: Int, edit: Int) {
        let uri = file.map(LanguageServer.uri) ?? "untitled:payload"
        guard text != self.text || uri != self.uri || author != self.author || edit != self.edit else { return }
        version += 1
        (self.text, self.author, self.edit) = (text, author, edit)
        let document = { (uri: String) -> JSON in ["uri": .string(uri), "version": JSON(self.version)] }
        if uri == self.uri {
            let change: JSON = ["text": .string(text)]
            return notify("textDocument/didChange", ["textDocument": document(uri), "contentChanges": [change]])
        }
        if let old = self.uri { notify("textDocument/didClose", ["textDocument": document(old)]) }
        self.uri = uri
        let item = document(uri).object?.setting("languageId", to: "apns").setting("text", to: .string(text))
        notify("textDocument/didOpen", ["textDocument": item.map(JSON.object) ?? .null])
    }

    /// Checks the payload as one in a locale, or as a template.
    func configure(_ params: MemberList) {
        let settings = JSON(present: params)
        guard settings != self.settings else { return }
        self.settings = settings
        notify("workspace/didChangeConfiguration", ["settings": settings])
    }

    // MARK: The windows

    /// Passes on the request of a window, which is about the payload.
    func answer(_ letter: WindowMailbox.Letter) {
        let message = letter.message["message"]
        guard let id = message?["id"]?.integer, let method = message?["method"]?.string, let uri,
            method.hasPrefix("textDocument/") || method == "pushhost/payload"
        else { return }
        let params = (message?["params"]?.object ?? [:]).setting("textDocument", to: ["uri": .string(uri)])
        send([
            "jsonrpc": "2.0", "id": .string("\(letter.window) \(id)"), "method": .string(method),
            "params": .object(params),
        ])
    }

    private func notify(_ method: String, _ params: JSON) {
        send(["jsonrpc": "2.0", "method": .string(method), "params": params])
    }

    private func send(_ message: JSON) {
        (message.bytes + [UInt8(ascii: "\n")]).withUnsafeBytes { server.session.consume($0) }
        flush()
    }

    /// Sends the windows what the server has written.
    private func flush() {
        var lines: [[UInt8]] = []
        server.session.output.drain { bytes in
            lines += bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
            return bytes.count
        }
        for message in lines.compactMap({ try? JSON(parsing: $0) }) {
            if message["method"] == "textDocument/publishDiagnostics", message["params"]?["uri"]?.string == uri {
                windows.publish("lsp", [("author", JSON(author)), ("edit", JSON(edit)), ("message", message)])
            }
            guard let id = message["id"]?.string?.split(separator: " ").compactMap({ Int($0) }), id.count == 2 else {
                continue
            }
            let answer = message.object?.setting("id", to: JSON(id[1])) ?? [:]
            windows.send(["type": "lsp", "message": .object(answer)], to: id[0])
        }
    }

    // MARK: The host

    /// Asks another host from now on; what the last one has not answered is given up.
    func use(_ host: HostClient?) {
        self.host = host
        host?.onReply = { [unowned self] id, message in
            waiting.removeValue(forKey: id)?(message["result"])
            flush()
        }
        let completions = waiting.values
        waiting = [:]
        for completion in completions { completion(nil) }
    }

    /// Takes note that files of bundles may have changed, and of the folders in which they are now.
    func filesChanged(_ folders: [String]) {
        let uris = { (paths: [String]) -> JSON in JSON(paths.map { ["uri": .string(LanguageServer.uri($0))] }) }
        let (added, removed) = (
            folders.filter { !self.folders.contains($0) }, self.folders.filter { !folders.contains($0) }
        )
        self.folders = folders
        let event: JSON = ["added": uris(added), "removed": uris(removed)]
        notify("workspace/didChangeWorkspaceFolders", ["event": event])
    }

    private func call(_ method: String, _ params: JSON, _ completion: @escaping (JSON?) -> Void) {
        // The preview itself makes the host read bundles again.
        guard let host, method != "reloadExtensions" else { return completion(nil) }
        waiting[host.send(method, params)] = completion
    }
}
