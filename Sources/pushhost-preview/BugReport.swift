internal import JSON
internal import NotificationHTML
internal import Platform
internal import PushClient

/// A report about what was done since the last push, as Markdown that an issue takes.
///
/// It has no secrets: what destinations get is hidden in the recording from which the timeline is made, and the host's
/// log, in which nothing is hidden, is left out.
struct BugReport {
    private let settings: PreviewSettings
    private let choices: Choices
    private let editor: Editor
    private let steps: RecordedSteps
    private let entries: [Timeline.Entry]
    private let titles: [String: String]
    private let status: JSON

    /// A report; `status` is the host's, empty if it does not answer.
    init(
        _ settings: PreviewSettings,
        _ choices: Choices,
        _ editor: Editor,
        _ steps: RecordedSteps,
        _ timeline: Timeline,
        status: JSON
    ) {
        (self.settings, self.choices, self.editor, self.steps, self.status) =
            (settings, choices, editor, steps, status)
        let recorded = timeline.kept.filter { $0.step.kind != .log && $0.step.time != nil }
        let start = recorded.lastIndex { $0.step.from == "client" && $0.step.text == "didReceive" } ?? 0
        entries = Array(recorded[start...])
        titles = Dictionary(timeline.lanes.map { ($0.id, $0.title) }) { $1 }
    }

    /// The report.
    var text: String {
        let parts = [
            "# \(title)\n\nWhat I expected:\n\nWhat happened instead:", section("Problem", problems),
            section("Steps", list), section("Payload", payload),
            section("Text in the editor, which was not shown", isDelivered ? "" : text(editor)),
            section("Settings", chosen),
            section("Timeline", block(lines, "text")), section("What extensions wrote to stderr", errors),
            section("Versions", versions),
            section(
                "Run it again",
                """
                Add the session.jsonl that **Save session** gives, and the bundle. `pushhost replay session.jsonl` \
                then does these steps again.
                """
            ),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private func section(_ title: String, _ text: String) -> String { text.isEmpty ? "" : "## \(title)\n\n\(text)" }

    /// A block of code; no line of the text can end it.
    private func block(_ text: String, _ language: String) -> String {
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)\(language)\n\(PlainText.escapedLines(text))\n\(fence)"
    }

    private var failures: [SequenceDiagram.Entry] { entries.map(\.step).filter { $0.kind == .error } }

    private var title: String {
        failures.last.map { PlainText.spaced(String($0.text.prefix(100))) } ?? "The notification is not as I expect it"
    }

    private var problems: String {
        failures.isEmpty ? "" : block(failures.map(\.text).joined(separator: "\n"), "text")
    }

    private var list: String {
        steps.calls.enumerated()
            .map { "\($0 + 1). \(PlainText.spaced(StepText.of($1.method, JSON(present: $1.params), nil)))" }
            .joined(separator: "\n")
    }

    /// What was delivered last; nil if nothing was.
    private var delivered: JSON? { steps.calls.first.flatMap { JSON(present: $0.params)["payload"] } }

    private var isDelivered: Bool { delivered == nil || editor.payload == delivered }

    private var payload: String {
        isDelivered ? text(editor) : block(delivered?.description ?? "", "json")
    }

    private func text(_ editor: Editor) -> String { block(String(editor.text.trimmed), "json") }

    private var chosen: String {
        let all = [
            ("Locale", choices.locale), ("Clock", choices.clock), ("Sample user", choices.profile),
            ("Device", choices.looks["device"] ?? ""), ("Appearance", choices.scheme.rawValue),
            ("Text size", choices.textSize.rawValue),
        ]
        return all.filter { !$0.1.isEmpty }.map { "- \($0): \(PlainText.spaced($1))" }.joined(separator: "\n")
    }

    private var lines: String {
        entries.map { entry in
            let step = entry.step
            let way = [step.from, step.to].compactMap { $0.map(title(of:)) }.joined(separator: " → ")
            let took = step.duration.map { " after \($0) ms" } ?? ""
            return "\(step.clock)  \(way)  \(step.kind.rawValue) \(step.text)\(took)"
        }
        .joined(separator: "\n")
    }

    private func title(of lane: String) -> String { titles[lane] ?? lane }

    private var errors: String {
        let texts = entries.map(\.step).filter { $0.kind == .standardError }
            .map { "\(title(of: $0.from)): \($0.text)" }
        return texts.isEmpty ? "" : block(texts.joined(separator: "\n"), "text")
    }

    private var versions: String {
        let parts = [("SQLite", "sqlite"), ("Jansson", "jansson"), ("Swift", "swift")]
            .compactMap { name, member in status[member]?.string.map { "- \(name) \($0)" } }
        let system = ProcessInfo.processInfo.operatingSystemVersionString
        return (["- \(settings.version)"] + parts + ["- \(system)"]).joined(separator: "\n")
    }
}
