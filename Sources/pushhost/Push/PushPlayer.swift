internal import HostClient
internal import JSON
internal import Notifications
internal import Platform
internal import PushClient
internal import Terminal

/// Plays a notification at a terminal: draws it, and presses what the keys say.
final class PushPlayer {
    /// What the last line says.
    private static let help = [
        "Tab and arrows move", "Return presses", "1-9 actions", "t taps", "x dismisses", "r shows again", "q quits",
    ]
    /// What moves while an extension works.
    private static let (spinner, asciiSpinner) = (Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"), Array("|/-\\"))
    private static let entryHelp = ["Return enters the text", "Escape leaves it", "Control-U clears"]

    private let session: PushSession
    private let settings: PushSettings
    private let screen: TerminalScreen
    /// The descriptors of the terminal's keys, and of the terminal at stdout.
    private let (input, output): (Int32, Int32)
    private let watch: PushWatch?
    /// Shows the payload as it is in its file now.
    private let reload: () throws -> Void

    private var terminal: TerminalCapabilities
    private var parser = TerminalKeyParser()
    private var focus: Drawing.Target?
    /// The targets when the focus was set.
    private var targets: [Drawing.Target] = []
    private var areas = PlayerFocus(Drawing())
    /// The text that is being entered at the focus; nil if none is.
    private var entry: String?
    /// What went wrong with the last key.
    private var problem: String?
    /// The first line that is shown.
    private var top = 0
    private var exitCode: Int32?
    /// What interrupted a call.
    private var interruption: ClientError?
    /// Why the notification could not be shown, and the exit code for that; nil if it was.
    private var refused: (message: String, code: Int32)?
    /// The keys that were read and not handled.
    private var keys: [TerminalKey] = []
    /// For how many milliseconds an extension has worked on a call; nil if none does for long.
    private var waiting: Int64?

    /// A player of what a session shows; the terminal is taken over.
    ///
    /// - Returns: nil if stdin is not a terminal.
    init?(_ session: PushSession, _ settings: PushSettings, _ watch: PushWatch?, reload: @escaping () throws -> Void) {
        (input, output) = (CommandContext.current.input, CommandContext.current.screen)
        guard let screen = TerminalScreen(input: input, output: output) else { return nil }
        (self.session, self.settings, self.screen, self.watch, self.reload) = (session, settings, screen, watch, reload)
        terminal = settings.capabilities
        session.host.pastime = HostClient.Pastime(descriptors: [input]) {
            [weak self] ready, milliseconds throws(ClientError) in
            try self?.pass(ready, milliseconds)
            return false
        }
    }

    /// Why nothing is shown in the end; nil if something is.
    var failure: String? { session.shown == nil ? refused?.message : nil }

    /// Plays until the user quits.
    ///
    /// - Returns: The exit code.
    /// - Throws: A signal, or that the host cannot be used any longer.
    func run() throws -> Int32 {
        defer {
            session.host.pastime = nil
            screen.close()
        }
        show()
        while exitCode == nil {
            draw()
            let descriptors = [input] + (watch?.descriptors ?? [])
            // Keys that came while an extension worked are there already.
            let deadline = keys.isEmpty ? watch?.deadline ?? .max : 0
            let ready = try session.host.wait(for: descriptors, until: deadline)
            if ready.contains(input) {
                let bytes = screen.read()
                if bytes.isEmpty { break }
                keys += parser.keys(in: bytes)
            }
            while exitCode == nil, !keys.isEmpty { try press(keys.removeFirst()) }
            if let watch, watch.isDue(ready), try watch.hasChanged(session) { show() }
            try session.refresh()
        }
        if let interruption { throw interruption }
        return exitCode ?? quitCode
    }

    /// The exit code if the user quits.
    private var quitCode: Int32 { session.shown == nil ? refused?.code ?? 0 : 0 }

    /// Shows the payload as it is in its file now.
    private func show() {
        let code = attempt(reload)
        refused = code == 0 ? nil : problem.map { ($0, code) }
    }

    /// Keeps the keys that come while an extension works, and draws for how long it does.
    private func pass(_ ready: Set<Int32>, _ milliseconds: Int64) throws(ClientError) {
        if ready.contains(input) {
            let bytes = screen.read()
            keys += parser.keys(in: bytes)
            // Only this key must not wait.
            guard !bytes.isEmpty, !keys.contains(.control("c")) else { throw .interrupted(signal: SIGINT) }
        }
        session.takeErrorLines()
        guard milliseconds >= 300 else { return }
        waiting = milliseconds
        draw()
        waiting = nil
    }

    /// Does something that the host or the extension may refuse.
    ///
    /// - Returns: The exit code of a command that ends with what happened.
    @discardableResult
    private func attempt(_ action: () throws -> Void) -> Int32 {
        problem = nil
        defer { updateFocus() }
        do {
            try action()
            return 0
        } catch let refusal as PushSession.Refusal {
            problem = ([refusal.message] + refusal.diagnostics.compactMap { $0["message"]?.string })
                .joined(separator: "; ")
            return 1
        } catch let error as PushFile.Problem {
            problem = error.message
            return error.code
        } catch let error as ClientError {
            if case .interrupted(let signal) = error { (interruption, exitCode) = (error, 128 + signal) }
            problem = error.text
            return EX_SOFTWARE
        } catch {
            problem = "\(error)"
            return EX_SOFTWARE
        }
    }

    // MARK: Drawing

    private func draw() {
        terminal.readSize(environment: CommandContext.current.environment, output: output)
        settings.adapt(&terminal)
        // While an extension works, perhaps nothing is shown, and the focus must keep its place.
        if waiting == nil { updateFocus() }
        let drawing = frame.draw(session)
        areas = PlayerFocus(drawing)
        let foot = foot
        let height = max(1, terminal.rows - foot.count)
        scroll(drawing.lines.count, height)
        let lines = drawing.lines[top..<min(top + height, drawing.lines.count)].map(terminal.palette.text)
        let space = Array(repeating: "", count: height - lines.count)
        screen.show(lines + space + foot.map(terminal.palette.text))
    }

    private var frame: PushFrame {
        let drawer = BoxDrawer(terminal.glyphs, focus: focus, entry: entry)
        return PushFrame(drawer: drawer, width: terminal.columns, showsErrorLines: true)
    }

    /// Moves what is shown so that the focus is in it.
    private func scroll(_ count: Int, _ height: Int) {
        if let area = focus.flatMap({ areas.areas[$0] }) {
            if area.lines.upperBound >= top + height { top = area.lines.upperBound - height + 1 }
            if area.lines.lowerBound < top { top = area.lines.lowerBound }
        }
        // Of a failed start, the end of the traceback says what happened.
        if session.shown == nil { top = count }
        top = max(0, min(top, count - height))
    }

    /// What went wrong, wrapped, and the last line: the keys, or that an extension works.
    private var foot: [Drawing.Line] {
        let width = terminal.columns - 1
        let problem = waiting == nil ? problem.map { [terminal.glyphs.text($0)] } ?? [] : []
        let wrapped = Drawing.wrapped(problem, width: width, .error).lines.prefix(max(1, terminal.rows / 2))
        let last = Drawing.Span(Drawing.cut(lastText, to: width, terminal.glyphs), .dim)
        return wrapped + [Drawing.Line([last])]
    }

    private var lastText: String {
        let separator = " \(terminal.glyphs.bullet) "
        guard let waiting else { return (entry == nil ? Self.help : Self.entryHelp).joined(separator: separator) }
        let frames = terminal.isUTF8 ? Self.spinner : Self.asciiSpinner
        let frame = frames[Int(waiting / 100) % frames.count]
        return ["\(frame) the extension is working, \(waiting / 1_000) s", "Control-C ends"].joined(
            separator: separator
        )
    }

    // MARK: The focus

    /// Keeps the focus at its place if what had it is gone.
    private func updateFocus() {
        let now = session.shown?.targets ?? []
        defer { targets = now }
        if let focus, now.contains(focus) { return }
        entry = nil
        let place = focus.flatMap { targets.firstIndex(of: $0) } ?? 0
        focus = now.isEmpty ? nil : now[min(place, now.count - 1)]
    }

    private func move(by step: Int) {
        guard let focus, let place = targets.firstIndex(of: focus) else { return }
        self.focus = targets[(place + step + targets.count) % targets.count]
    }

    private func move(_ direction: PlayerFocus.Direction) {
        guard let focus else { return }
        if let page = page(focus, direction) {
            attempt { try session.interact(page.id, .integer(page.number)) }
            return
        }
        // Keys that came together were not drawn in between.
        areas = PlayerFocus(frame.draw(session))
        if let next = areas.next(from: focus, direction, among: targets) { self.focus = next }
    }

    /// The page that left and right turn a carousel to.
    private func page(_ focus: Drawing.Target, _ direction: PlayerFocus.Direction) -> (id: String, number: Int64)? {
        guard direction == .left || direction == .right, let node = focusedNode, node["type"] == "carousel",
            case .element(let id) = focus
        else { return nil }
        let last = Int64(node.childNodes.count - 1)
        let page = node["page"]?.integer ?? 0
        return (id, max(0, min(last, page + (direction == .right ? 1 : -1))))
    }

    private var focusedNode: JSON? {
        guard case .element(let id) = focus else { return nil }
        return session.shown?.node(id)
    }

    private var isAtField: Bool { focusedNode?["type"] == "field" }

    // MARK: Keys

    private func press(_ key: TerminalKey) throws {
        problem = nil
        if key == .control("c") {
            exitCode = 128 + SIGINT
        } else if key == .control("z") {
            screen.suspend()
        } else if let entry {
            enter(key, entry)
        } else {
            command(key)
        }
        try session.refresh()
        updateFocus()
    }

    private func enter(_ key: TerminalKey, _ text: String) {
        switch key {
        case .character(let character): entry = text + String(character)
        case .backspace, .delete: entry = String(text.dropLast())
        case .control("u"): entry = ""
        // A form is filled in from field to field.
        case .enter: isAtField ? leave(text, 1) : commit(text)
        case .escape: entry = nil
        case .tab, .down: leave(text, 1)
        case .backTab, .up: leave(text, -1)
        default: break
        }
    }

    /// Sends the text of a field and moves on; an action's text is sent by Return only.
    private func leave(_ text: String, _ step: Int) {
        guard isAtField else { return }
        commit(text)
        move(by: step)
    }

    /// Sends the text that was entered.
    private func commit(_ text: String) {
        let target = focus
        entry = nil
        switch target {
        case .element(let id): attempt { try session.interact(id, .string(text)) }
        case .action(let identifier): attempt { try session.respond(identifier, text) }
        case .media, nil: break
        }
    }

    private func command(_ key: TerminalKey) {
        switch key {
        case .tab: move(by: 1)
        case .backTab: move(by: -1)
        case .up: move(.up)
        case .down: move(.down)
        case .left: move(.left)
        case .right: move(.right)
        case .pageUp: scrollPage(-1)
        case .pageDown: scrollPage(1)
        case .enter: pressFocus()
        case .backspace where isAtField: entry = String(focusedNode?.shownText("value").dropLast() ?? "")
        case .character(let character) where isAtField:
            entry = (focusedNode?.shownText("value") ?? "") + String(character)
        case .character(let character): letter(character)
        case .escape, .control("d"): exitCode = quitCode
        default: break
        }
    }

    private func letter(_ letter: Character) {
        switch letter {
        case " ": pressFocus()
        case "q": exitCode = quitCode
        case "t": attempt { try session.respond(OfferedAction.defaultIdentifier, nil) }
        case "x": attempt { try session.respond(OfferedAction.dismissIdentifier, nil) }
        case "m": attempt { try session.toggleMedia() }
        case "r": show()
        case "1"..."9":
            let actions = session.shown?.actions ?? []
            guard let number = letter.wholeNumberValue, number <= actions.count,
                let identifier = actions[number - 1]["identifier"]?.string, session.shown?.end == nil
            else { return }
            focus = .action(identifier)
            pressFocus()
        default: break
        }
    }

    private func scrollPage(_ direction: Int) {
        // The focus moves along, or else it would pull the page back.
        for _ in 0..<5 { move(direction > 0 ? .down : .up) }
    }

    private func pressFocus() {
        switch focus {
        case .element(let id):
            if isAtField {
                entry = focusedNode?.shownText("value") ?? ""
            } else if focusedNode?["type"] == "carousel" {
                move(.right)
            } else {
                attempt { try session.interact(id) }
            }
        case .action(let identifier):
            let action = session.shown?.actions.first { $0["identifier"]?.string == identifier }
            if action?["textInput"] != nil { entry = "" } else { attempt { try session.respond(identifier, nil) } }
        // The media button has its own key, and never the focus.
        case .media, nil: break
        }
    }
}
