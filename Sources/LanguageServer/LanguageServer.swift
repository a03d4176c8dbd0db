import BundleChecks
package import JSON
package import JSONRPC

/// A server of the Language Server Protocol 3.17 for payloads and bundles: what it answers, without input and output.
///
/// Its owner passes the editor's bytes to ``session`` and writes that session's output, and carries out what the server
/// asks of its ``Surroundings``. The host finds the mistakes; the server knows their places.
package final class LanguageServer {
    /// What the server needs besides the editor.
    ///
    /// Each completion is called once, at once or later.
    package struct Surroundings {
        /// Sends a call to the host; its result is nil if it failed.
        package var call: (_ method: String, _ params: JSON, _ completion: @escaping (JSON?) -> Void) -> Void
        /// Runs a command of this program; returns what stops it.
        ///
        /// The completion of a service is called again at its end.
        package var run: (_ run: ToolRun, _ completion: @escaping (ToolRun.End) -> Void) -> () -> Void
        /// Called when the editor's folders, or the bundles in them, are others.
        package var bundlesChanged: () -> Void

        package init(
            call: @escaping (_ method: String, _ params: JSON, _ completion: @escaping (JSON?) -> Void) -> Void,
            run: @escaping (_ run: ToolRun, _ completion: @escaping (ToolRun.End) -> Void) -> () -> Void,
            bundlesChanged: @escaping () -> Void
        ) {
            (self.call, self.run, self.bundlesChanged) = (call, run, bundlesChanged)
        }
    }

    /// The connection with the editor.
    package let session: Session
    /// How the process ends, once the editor has asked for that.
    package private(set) var exitCode: Int32?
    /// The folders that the editor has open.
    package var folders: [String] { workspace.folders }

    private enum State { case created, running, shutDown }

    private var state = State.created
    private let version: String
    let surroundings: Surroundings
    /// Where the server writes what it shows.
    let folder: String
    var client = ClientCapabilities()
    /// The locale of texts that are shown, by the editor's configuration.
    var locale: String?
    /// Whether payloads are templates whose Liquid is rendered before they are shown, by the editor's configuration.
    var isTemplate = false
    var documents: [String: OpenDocument] = [:]
    var workspace = Workspace()
    /// The files that are not open and have diagnostics.
    var marked: Set<String> = []
    var pages = CodePages()
    /// Why the host cannot start bundles, by their folders, as it said last.
    var startProblems: [String: JSON] = [:]
    /// What a copy of each bundle would lack, by its folder.
    var incompleteCopies: [String: [BundleFinding]] = [:]
    /// The addresses of the previews that run, by the path of the document.
    var previews: [String: String] = [:]
    /// What stops the commands that run, by the token of their progress.
    var running: [String: () -> Void] = [:]
    var lastToken = 0

    /// - Parameters:
    ///   - version: The version that the editor is told.
    ///   - folder: An empty folder for what the server shows.
    ///   - plugins: The folders with bundles that the user named.
    ///   - surroundings: The host, and the program.
    package init(version: String, folder: String, plugins: [String] = [], _ surroundings: Surroundings) {
        (self.version, self.folder, self.surroundings) = (version, folder, surroundings)
        session = Session(lineLimit: 64 << 20, acceptsHeaders: true)
        workspace.plugins = plugins
        session.onCall = { [unowned self] in handle($0) }
    }

    // MARK: Life

    private func handle(_ call: Call) {
        let params = call.params ?? [:]
        switch (state, call.method) {
        case (_, "exit"):
            exitCode = state == .shutDown ? 0 : 1
            call.answer(.success(.null))
        case (.created, "initialize"): call.answer(.success(initialize(params)))
        case (.created, _): refuse(call, -32_002, "the first request must be initialize")
        case (.running, "shutdown"):
            state = .shutDown
            for stop in running.values { stop() }
            call.answer(.success(.null))
        case (.running, _): answer(call, params)
        case (.shutDown, _): refuse(call, -32_600, "the server was shut down; only exit may follow")
        }
    }

    func refuse(_ call: Call, _ code: Int, _ message: String) {
        call.answer(.failure(RPCError(code: .init(rawValue: code), message: message, data: nil)))
    }

    private func initialize(_ params: JSON) -> JSON {
        state = .running
        var roots = params["workspaceFolders"]?.elements.compactMap { $0["uri"]?.string } ?? []
        if roots.isEmpty, let root = params["rootUri"]?.string { roots = [root] }
        workspace.folders = roots.compactMap(Self.path)
        client = ClientCapabilities(params["capabilities"] ?? [:])
        configure(params["initializationOptions"])
        return [
            "serverInfo": ["name": "pushhost", "version": .string(version)],
            "capabilities": [
                "positionEncoding": .string(client.encoding.rawValue),
                "textDocumentSync": ["openClose": true, "change": 2, "save": true],
                "completionProvider": ["triggerCharacters": ["\"", ":", "{", "|", ".", " "]],
                "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
                "renameProvider": ["prepareProvider": true], "documentSymbolProvider": true,
                "foldingRangeProvider": true, "documentFormattingProvider": true, "inlayHintProvider": true,
                "codeActionProvider": ["codeActionKinds": ["quickfix"]], "codeLensProvider": [:],
                "executeCommandProvider": [
                    "commands": JSON(EditorCommand.allCases.map { .string($0.rawValue) }), "workDoneProgress": true,
                ],
                "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
            ],
        ]
    }

    private func answer(_ call: Call, _ params: JSON) {
        // An editor that watches no files does not say when one has changed.
        if !call.isNotification, workspace.isStale || !client.registersWatchers { workspace.refresh() }
        switch call.method {
        case "initialized": register()
        case "textDocument/didOpen": open(params)
        case "textDocument/didChange": change(params)
        case "textDocument/didSave": filesChanged(params["textDocument"]?["uri"].map { [$0] } ?? [])
        case "textDocument/didClose": close(params)
        case "workspace/didChangeWatchedFiles": watchedFilesChanged(params)
        case "workspace/didChangeWorkspaceFolders": foldersChanged(params["event"] ?? [:])
        case "workspace/didChangeConfiguration":
            configure(params["settings"])
            fetchConfiguration()
        case "textDocument/completion": return complete(call, params)
        case "textDocument/hover": return call.answer(.success(at(params, hover) ?? .null))
        case "textDocument/definition": return call.answer(.success(at(params, definition) ?? .null))
        case "textDocument/references":
            let declarations = params["context"]?["includeDeclaration"] != false
            return call.answer(.success(at(params) { references($0, $1, declarations) } ?? .null))
        case "textDocument/prepareRename": return call.answer(.success(at(params, prepareRename) ?? .null))
        case "textDocument/rename": return rename(call, params)
        case "textDocument/documentSymbol":
            return call.answer(.success(inDocument(params) { symbols($0.tree.root, $0) } ?? .null))
        case "textDocument/foldingRange": return call.answer(.success(inDocument(params, folds) ?? .null))
        case "textDocument/formatting": return call.answer(.success(inDocument(params) { format($0, params) } ?? .null))
        case "textDocument/codeAction": return call.answer(.success(inDocument(params) { fixes($0, params) } ?? []))
        case "pushhost/payload": return call.answer(.success(inDocument(params, outline) ?? .null))
        case "textDocument/inlayHint": return call.answer(.success(inDocument(params) { hints($0, params) } ?? []))
        case "textDocument/codeLens": return call.answer(.success(inDocument(params, lenses) ?? []))
        case "workspace/executeCommand": return execute(call, params)
        case "window/workDoneProgress/cancel": params["token"]?.string.flatMap { running[$0] }?()
        case "$/cancelRequest":
            if let id = params["id"], let other = session.call(withID: id) { refuse(other, -32_800, "cancelled") }
        case let method where method.hasPrefix("$/") || call.isNotification: break
        default: return call.answer(.failure(.methodNotFound(call.method)))
        }
        call.answer(.success(.null))
    }

    // MARK: Configuration

    /// Asks the editor to tell of changed files, and for its configuration.
    private func register() {
        if client.registersWatchers {
            let patterns = [
                "*.apns", "*.apns.json", "Info.plist", "*.entitlements", "*.lproj/*", "*.xcstrings", "*.jsonl",
                "profile.json",
            ]
            let watchers = patterns.map { ["globPattern": .string("**/\($0)")] as JSON }
            let options: JSON = ["watchers": JSON(watchers)]
            let registration: JSON = [
                "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": options,
            ]
            session.request("client/registerCapability", params: ["registrations": [registration]]) { _ in }
        }
        fetchConfiguration()
    }

    private func fetchConfiguration() {
        guard client.hasConfiguration else { return }
        session.request("workspace/configuration", params: ["items": [["section": "pushhost"]]]) { [weak self] result in
            if case .success(let values) = result { self?.configure(values.elements.first) }
        }
    }

    /// Reads settings, alone or in a member `pushhost`.
    private func configure(_ settings: JSON?) {
        guard let settings, settings.object != nil else { return }
        let own = settings["pushhost"] ?? settings
        let new = (own["locale"]?.string, own["template"] == true)
        guard new != (locale, isTemplate) else { return }
        (locale, isTemplate) = new
        for uri in documents.keys { check(uri) }
    }

    // MARK: Places

    /// The path that a URI of a file names.
    static func path(_ uri: String) -> String? {
        guard uri.hasPrefix("file://"), let start = uri.dropFirst(7).firstIndex(of: "/") else { return nil }
        var bytes: [UInt8] = []
        var rest = uri[start...].utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The URI of a file.
    package static func uri(_ path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        return "file://"
            + path.utf8.map { byte in
                let digits = String(byte, radix: 16, uppercase: true)
                return plain.contains(byte) ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
            }
            .joined()
    }

    /// The last part of a path.
    static func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

    /// The open document with a path, whose URI the editor may write in another form.
    func document(at path: String) -> OpenDocument? {
        documents[Self.uri(path)] ?? documents.values.first { $0.path == path }
    }

    func inDocument(_ params: JSON, _ body: (OpenDocument) -> JSON) -> JSON? {
        params["textDocument"]?["uri"]?.string.flatMap { documents[$0] }.map(body)
    }

    func place(_ params: JSON) -> (OpenDocument, Int)? {
        guard let uri = params["textDocument"]?["uri"]?.string, let document = documents[uri],
            let position = params["position"].flatMap(TextDocument.position)
        else { return nil }
        return (document, document.text.offset(of: position))
    }

    private func at(_ params: JSON, _ body: (OpenDocument, Int) -> JSON?) -> JSON? { place(params).flatMap(body) }
}

/// What the editor can do.
struct ClientCapabilities {
    var encoding = TextDocument.PositionEncoding.utf16
    var hasSnippets = false
    var registersWatchers = false
    var hasConfiguration = false
    var showsDocuments = false
    var showsProgress = false
    var confirmsChanges = false
    var showsRelatedPlaces = false
    var showsCodePages = false

    init() {}

    init(_ capabilities: JSON) {
        let (text, workspace) = (capabilities["textDocument"], capabilities["workspace"])
        let encodings = capabilities["general"]?["positionEncodings"]?.elements ?? []
        encoding = encodings.contains("utf-8") ? .utf8 : .utf16
        hasSnippets = text?["completion"]?["completionItem"]?["snippetSupport"] == true
        registersWatchers = workspace?["didChangeWatchedFiles"]?["dynamicRegistration"] == true
        hasConfiguration = workspace?["configuration"] == true
        showsDocuments = capabilities["window"]?["showDocument"]?["support"] == true
        showsProgress = capabilities["window"]?["workDoneProgress"] == true
        showsRelatedPlaces = text?["publishDiagnostics"]?["relatedInformation"] == true
        showsCodePages = text?["publishDiagnostics"]?["codeDescriptionSupport"] == true
        let edits = workspace?["workspaceEdit"]
        confirmsChanges = edits?["documentChanges"] == true && edits?["changeAnnotationSupport"] != nil
    }
}

extension JSON {
    /// The elements of an array; empty for another value.
    var elements: [JSON] {
        guard let array else { return [] }
        return [JSON](array)
    }

    /// The pointer to what steps lead to.
    static func pointer(_ steps: some Sequence<String>) -> String {
        steps.map { "/" + JSONPointer.escape($0) }.joined()
    }
}
