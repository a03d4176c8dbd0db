internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient

/// What the windows ask for.
extension Preview {
    /// Does what a message of a window asks for.
    func handle(_ letter: WindowMailbox.Letter) throws(ClientError) {
        let message = letter.message
        let text = { (name: String) in message[name]?.string ?? "" }
        if text("type") == "edit" { timeline.edited() } else { timeline.endEdits() }
        switch text("type") {
        case "edit":
            editor.change(text("text"), by: letter.window, edit: Int(clamping: message["edit"]?.integer ?? 0))
            textChanged()
            try push()
        case "push":
            // As on a phone, it arrives as a banner, above the one that is there.
            choices.part = .banner
            arrivals += 1
            try push(keepsBanner: true)
        case "touch":
            try change("interact", ["element": .string(text("element")), "value": message["value"]])
        case "action":
            let input = message["text"]?.string.map(JSON.string)
            let id = message["notification"]
            if let id, isEarlier(id), text("action") == OfferedAction.dismissIdentifier {
                try attempt { try $0.session.clear(earlier: id) }
                return publishPicture()
            }
            try bringForward(id)
            try change("didReceiveResponse", ["actionIdentifier": .string(text("action")), "userText": input])
        case "media": try change(message["play"] == true ? "mediaPlay" : "mediaPause", [:])
        case "expand":
            try bringForward(message["notification"])
            try choose("part", "expanded")
        case "leaveApp":
            leftApp = host?.session.shown?.id
            publishPicture()
        case "choose": try choose(text("name"), text("value"))
        case "bundle":
            guard let sample = catalog.sample(of: text("bundle")) else { return }
            try open(sample, letter)
        case "load":
            guard let file = editor.file else { return }
            try open(file, letter)
        case "open":
            guard payloads.contains(text("path")) else { return tell(letter, "the list has no payload of this path") }
            try open(text("path"), letter)
        case "payloads":
            payloads.find(in: catalog.folders) { [windows] in windows.send($0, to: letter.window) }
        case "clearRecords": try clearRecords()
        case "save": save(letter)
        case "record": try record(letter)
        case "export": try export(letter)
        default: tell(letter, "the preview knows no message \(text("type").prefix(40))")
        }
    }

    private func choose(_ name: String, _ value: String) throws(ClientError) {
        switch choices.choose(name, value) {
        case .nothing: break
        case .picture: publishPicture()
        case .part:
            guard let shown = host?.session.shown, shown.end == nil else { return try push() }
            switch (choices.part, shown.isExpanded) {
            case (.banner, false), (.expanded, true): break
            case (.expanded, false): try change("expand", [:])
            // iOS ends the extension of a notification that is closed; the banner is one that was never opened.
            case (.banner, true): try push()
            }
        case .push: try push()
        case .flush: records.isStale = true
        case .refused(let text): windows.publish("notice", [("text", .string(text)), ("isError", true)])
        case .host:
            // The clock of a host is fixed when it starts.
            stopHost()
            try push()
        }
    }

    /// Shows a file; a text with changes is only given up if the user wants that.
    private func open(_ path: String, _ letter: WindowMailbox.Letter) throws(ClientError) {
        guard !editor.isDirty || letter.message["discard"] == true else {
            let command = letter.message.object?.setting("discard", to: true)
            let question = "Discard unsaved changes?"
            return windows.send(
                ["type": "ask", "question": .string(question), "message": command.map(JSON.object) ?? .null],
                to: letter.window
            )
        }
        do {
            try editor.open(path)
        } catch {
            return tell(letter, error.message)
        }
        if let host { host.watch.add(file: path) }
        textChanged()
        arrivals += 1
        try push()
    }

    /// Shows the extensions that were built, or why they could not be.
    func projectWasBuilt(_ problem: String) throws(ClientError) {
        guard problem.isEmpty else {
            self.problem = Picture.Problem(message: problem)
            return publishPicture()
        }
        try push()
    }

    private func save(_ letter: WindowMailbox.Letter) {
        guard let file = editor.file else { return tell(letter, "the payload belongs to no file") }
        do throws(SystemError) {
            try editor.save()
            tell(letter, "saved \(file)", isError: false)
        } catch {
            tell(letter, "\(file) cannot be written: \(error)")
        }
    }

    private func record(_ letter: WindowMailbox.Letter) throws(ClientError) {
        addWait()
        do throws(ClientError) {
            let text = try steps.recording(settings, clock: choices.clock, signals)
            windows.send(["type": "session", "name": "session.jsonl", "text": .string(text)], to: letter.window)
        } catch {
            if case .interrupted = error { throw error }
            tell(letter, "the session cannot be saved: \(error.text)")
        }
    }

    /// Gives a window a picture of the entries that it shows, or a report about what was done since the last push.
    private func export(_ letter: WindowMailbox.Letter) throws(ClientError) {
        let (name, text): (String, String)
        if letter.message["format"] == "picture" {
            guard let shown = host?.session.shown else { return tell(letter, "there is no notification to save") }
            (name, text) = ("notification.svg", Picture(choices, settings, isInteractive: false).svg(shown))
        } else if letter.message["format"] == "svg" {
            let after = letter.message["after"]?.integer.flatMap { Int(exactly: $0) } ?? 0
            (name, text) = ("timeline.svg", timeline.diagram(after: after).svg(title: "Timeline of a notification"))
        } else {
            var status: JSON = [:]
            try attempt(startsHost: false) { status = try $0.session.host.result("status") }
            let report = BugReport(settings, choices, editor.text, steps, timeline, status: status)
            (name, text) = ("bug-report.md", report.text)
        }
        windows.send(["type": "export", "name": .string(name), "text": .string(text)], to: letter.window)
    }

    /// Begins again without records, in suites that are new; those of the user's own folder stay.
    private func clearRecords() throws(ClientError) {
        guard settings.dataFolder == nil else { return }
        stopHost()
        clearCount += 1
        records = SavedRecords()
        try push()
    }

    private func tell(_ letter: WindowMailbox.Letter, _ text: String, isError: Bool = true) {
        windows.send(["type": "notice", "text": .string(text), "isError": .bool(isError)], to: letter.window)
    }
}
