import JSON
import JSONRPC

/// Documents that are opened, changed and closed, and their diagnostics.
extension LanguageServer {
    // MARK: Documents

    func open(_ params: JSON) {
        guard let item = params["textDocument"], let uri = item["uri"]?.string, let text = item["text"]?.string else {
            return
        }
        let document = TextDocument(text, version: Int(item["version"]?.integer ?? 0), encoding: client.encoding)
        documents[uri] = OpenDocument(uri: uri, document, languageID: item["languageId"]?.string)
        check(uri)
        if documents[uri]?.kind == .infoPlist { fetchStartProblems() }
    }

    func change(_ params: JSON) {
        guard let uri = params["textDocument"]?["uri"]?.string else { return }
        let version = Int(params["textDocument"]?["version"]?.integer ?? 0)
        documents[uri]?.change(params["contentChanges"]?.elements ?? [], version: version)
        check(uri)
    }

    func close(_ params: JSON) {
        guard let uri = params["textDocument"]?["uri"]?.string, let document = documents.removeValue(forKey: uri)
        else { return }
        publish(uri, nil, [])
        // The file counts again, and not the text that was not saved.
        checkBundle(of: document)
    }

    // MARK: Files

    func watchedFilesChanged(_ params: JSON) {
        let changes = params["changes"]?.elements ?? []
        // A bundle came or went.
        if changes.contains(where: { $0["type"] != 2 && $0["uri"]?.string?.hasSuffix("/Info.plist") == true }) {
            surroundings.bundlesChanged()
        }
        filesChanged(changes.compactMap { $0["uri"] })
    }

    func foldersChanged(_ event: JSON) {
        let paths = { (name: String) in
            (event[name]?.elements ?? []).compactMap { $0["uri"]?.string.flatMap(Self.path) }
        }
        let removed = paths("removed")
        workspace.folders = workspace.folders.filter { !removed.contains($0) } + paths("added")
        surroundings.bundlesChanged()
        filesChanged([])
    }

    /// Checks the open documents again, and if files of bundles are among those that changed, every payload.
    func filesChanged(_ uris: [JSON]) {
        workspace.isStale = true
        let kinds = uris.compactMap(\.string).map { DocumentKind(path: $0, bytes: []) }
        surroundings.call("reloadExtensions", [:]) { [weak self] _ in
            guard let self else { return }
            for uri in documents.keys { check(uri) }
            fetchStartProblems()
            if kinds.contains(where: { $0 != .payload && $0 != .session && $0 != .json }) { checkWorkspace() }
        }
    }

    /// Checks the payloads that are not open, a few at a time.
    private func checkWorkspace() {
        workspace.refresh()
        var paths = workspace.files.filter { $0.kind == .payload && document(at: $0.path) == nil }.map(\.path)
        let count = paths.count
        guard count > 0 else { return }
        let progress = beginProgress("Check \(count) payloads", token: nil) { paths = [] }
        var left = count
        func next() {
            guard let path = paths.popLast() else { return }
            guard let document = OpenDocument(path, encoding: client.encoding) else { return finish(path, nil, nil) }
            surroundings.call("checkPayload", params(document)) { [weak self] in
                guard self != nil else { return }
                finish(path, document, $0)
            }
        }
        func finish(_ path: String, _ document: OpenDocument?, _ result: JSON?) {
            if let document, self.document(at: path) == nil {
                publishClosed(document, mistakes(document) + findings(result, in: document))
            }
            left -= 1
            if left % 100 == 0 { progress.report("\(count - left) of \(count)") }
            if left == 0 || paths.isEmpty && progress.isCancelled { progress.end() }
            next()
        }
        for _ in 0..<16 { next() }
    }

    /// Publishes the findings about a file that is not open, unless it had none and has none.
    private func publishClosed(_ document: OpenDocument, _ findings: [Finding]) {
        guard !findings.isEmpty || marked.contains(document.uri) else { return }
        if findings.isEmpty { marked.remove(document.uri) } else { marked.insert(document.uri) }
        publish(document.uri, document, findings)
    }

    // MARK: Checks

    /// Checks a document, unless that is under way; then it is checked again when that is done.
    func check(_ uri: String) {
        guard let document = documents[uri] else { return }
        switch document.kind {
        case .payload where document.tree.root != nil: break
        case .infoPlist, .entitlements, .strings: return checkBundle(of: document)
        case .payload, .session, .json, .program: return publish(uri, document, mistakes(document))
        }
        guard !document.isChecking else { return }
        documents[uri]?.isChecking = true
        let version = document.text.version
        surroundings.call("checkPayload", params(document)) { [weak self] result in
            guard let self, documents[uri] != nil else { return }
            documents[uri]?.isChecking = false
            guard let document = documents[uri], document.text.version == version else { return check(uri) }
            publish(uri, document, mistakes(document) + findings(result, in: document))
        }
    }

    private func params(_ document: OpenDocument) -> JSON {
        JSON(present: [
            "payload": document.tree.value, "locale": locale.map(JSON.string), "template": isTemplate ? true : nil,
        ])
    }

    private func mistakes(_ document: OpenDocument) -> [Finding] {
        document.tree.mistakes.map {
            Finding(range: $0.range, level: "error", reason: "invalidJSON", message: $0.message, advice: "", path: "")
        }
    }

    private func findings(_ result: JSON?, in document: OpenDocument) -> [Finding] {
        (result?["findings"]?.elements ?? []).map { finding in
            let path = finding["path"]?.string ?? ""
            let reason = finding["reason"]?.string ?? ""
            let place = document.tree.find(path)
            // A finding about all of the payload is marked where it begins, not from its first to its last line.
            let whole = place.map { $0.value.lowerBound..<min($0.value.lowerBound + 1, $0.value.upperBound) } ?? 0..<0
            let isObject = place.map { document.text.bytes[$0.value].first == UInt8(ascii: "{") } ?? false
            let isAboutValue = Self.isAboutValue(reason) && !isObject
            let range = path.isEmpty ? whole : isAboutValue ? place?.value : place?.name ?? place?.value
            var found = Finding(
                range: range ?? whole,
                level: finding["level"]?.string ?? "error",
                reason: reason,
                message: finding["message"]?.string ?? "",
                advice: finding["advice"]?.string ?? "",
                path: path
            )
            found.related = related(to: found, in: document)
            return found
        }
    }

    /// Whether a finding with a reason is about the value of a member, and not about its name.
    private static func isAboutValue(_ reason: String) -> Bool {
        [
            "wrongValue", "noExtension", "serviceSkipped", "unrenderedLiquid", "unknownLocalizationKey",
            "localizationArguments",
        ].contains(reason)
    }

    // MARK: Publishing

    func publish(_ uri: String, _ document: OpenDocument?, _ findings: [Finding]) {
        documents[uri]?.findings = findings
        let diagnostics = document.map { document in findings.map { diagnostic($0, document) } } ?? []
        let isOpen = documents[uri] != nil
        let params = JSON(present: [
            "uri": .string(uri), "version": isOpen ? document.map { JSON($0.text.version) } : nil,
            "diagnostics": JSON(diagnostics),
        ])
        session.notify("textDocument/publishDiagnostics", params: params)
    }

    /// What an editor draws faint (1) or struck out (2).
    private static let tags = ["ignoredMember": 1, "unknownKey": 1, "repeatedCategory": 1, "formerCategory": 2]

    func diagnostic(_ finding: Finding, _ document: OpenDocument) -> JSON {
        let severities = ["error": 1, "warning": 2, "information": 3]
        return JSON(present: [
            "range": document.json(finding.range), "severity": JSON(severities[finding.level] ?? 1),
            "code": .string(finding.reason), "source": "pushhost",
            "message": .string(finding.message + (finding.advice.isEmpty ? "" : "; \(finding.advice)")),
            "codeDescription": client.showsCodePages
                ? pages.uri(of: finding.reason, document.kind, in: folder).map { ["href": .string($0)] } : nil,
            "tags": Self.tags[finding.reason].map { [JSON($0)] },
            "relatedInformation": finding.related.isEmpty ? nil : JSON(finding.related),
        ])
    }
}
