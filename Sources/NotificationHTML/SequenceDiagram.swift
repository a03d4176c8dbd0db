internal import Platform

/// A sequence diagram: who called whom, from top to bottom, and what came of it.
package struct SequenceDiagram {
    /// A participant.
    package struct Lane: Equatable {
        package let id: String
        package let title: String
        /// What it is, such as `content extension`; empty if the title says it.
        package let role: String

        package init(id: String, title: String, role: String = "") {
            (self.id, self.title, self.role) = (id, title, role)
        }
    }

    /// What happened.
    package enum Kind: String {
        case call, notification, answer
        /// An answer or a line that something is wrong with.
        case error
        /// A record that was saved, and what a flush sends or would send.
        case saved, flush
        /// What is said beside the calls.
        case standardError = "stderr"
        case end, log, note
    }

    /// Something that happened.
    package struct Entry {
        package let number: Int
        /// In milliseconds since the host started; nil if that is unknown.
        package let time: Int64?
        package let kind: Kind
        package let from: String
        /// Nil if it concerns only one participant.
        package let to: String?
        package let text: String
        /// Of an answer: the number of the entry that called.
        package var call: Int?
        /// Of an answer: the milliseconds since the call.
        package var duration: Int64?

        package init(number: Int, time: Int64?, kind: Kind, from: String, to: String? = nil, text: String) {
            (self.number, self.time, self.kind, self.from, self.to, self.text) = (number, time, kind, from, to, text)
        }

        /// Whether its text may be long, so that it goes on to the right.
        fileprivate var isLong: Bool { to == nil || kind == .error }

        /// The time in seconds, as it stands beside an entry; empty if it is unknown.
        package var clock: String { time.map { "\($0 / 1_000).\(String($0 % 1_000 + 1_000).dropFirst())" } ?? "" }
    }

    private let lanes: [Lane]
    private let entries: [Entry]

    /// A diagram of entries in their order; lanes without an entry are left out.
    package init(lanes: [Lane], entries: [Entry]) {
        self.lanes = lanes.filter { lane in entries.contains { $0.from == lane.id || $0.to == lane.id } }
        self.entries = entries
    }

    // MARK: The picture

    private static let (timeWidth, laneWidth, headHeight, rowHeight) = (72, 190, 56, 30)
    private static let lineHeight = 15
    /// About so many characters fit between two lanes.
    private static let textLimit = 27
    /// A text that goes on to the right has at most so many lines.
    private static let lineLimit = 6

    private static let style = """
        svg{--page:#fff;--ink:#1d1d1f;--dim:#5c5c61;--line:#d2d2d7;--call:#0040dd;--bad:#c40013;--good:#1d7332;\
        font:12px -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
        @media (prefers-color-scheme:dark){svg{--page:#161618;--ink:#f5f5f7;--dim:#aeaeb2;--line:#424245;\
        --call:#6cb0ff;--bad:#ff8a80;--good:#5bd778}}
        text{fill:var(--ink)}.page{fill:var(--page)}.lane{stroke:var(--line)}.dim{fill:var(--dim)}
        .title{font-weight:600;text-anchor:middle}.role{fill:var(--dim);font-size:11px;text-anchor:middle}
        .time{fill:var(--dim);text-anchor:end;font-variant-numeric:tabular-nums}
        .label{text-anchor:middle;paint-order:stroke;stroke:var(--page);stroke-width:5px;stroke-linejoin:round}
        .arrow,.head{stroke:var(--call);fill:none;stroke-width:1.5}
        .answer .arrow,.notification .arrow{stroke-dasharray:4 3}.answer :is(.arrow,.head){stroke:var(--dim)}.answer .label{fill:var(--dim);font-size:11px}
        .long{text-anchor:start}.error :is(.arrow,.head){stroke:var(--bad)}
        :is(.error,.stderr,.end) .label{fill:var(--bad)}:is(.log,.note) .label{fill:var(--dim)}
        :is(.saved,.flush) :is(.arrow,.head){stroke:var(--good)}.dot{fill:var(--good)}
        """

    /// The diagram as one SVG file, light or dark as the reader prefers, with texts that can be selected.
    package func svg(title: String) -> String {
        let width = Self.timeWidth + max(1, lanes.count) * Self.laneWidth
        var (rows, top) = ([Markup](), Self.headHeight)
        for entry in entries {
            let lines = lines(of: entry)
            rows.append(row(entry, lines, top))
            top += Self.rowHeight + Self.lineHeight * (lines.count - 1)
        }
        let height = top + 16
        let heads = lanes.enumerated().flatMap { index, lane in
            [
                Markup.element("path", ["class": "lane", "d": "M\(x(index)) \(Self.headHeight - 8)V\(height - 8)"]),
                text(lane.title, "title", x: x(index), y: 24), text(lane.role, "role", x: x(index), y: 40),
            ]
        }
        let size: [Markup] = [.element("rect", ["class": "page", "width": "100%", "height": "100%", "rx": "12"])]
        return Markup.element(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": "\(width)", "height": "\(height)",
                "viewBox": "0 0 \(width) \(height)",
            ],
            [.element("title", [:], [.text(title)]), .element("style", [:], [.text(Self.style)])] + size + heads + rows
        )
        .html + "\n"
    }

    private func x(_ lane: Int) -> Int { Self.timeWidth + lane * Self.laneWidth + Self.laneWidth / 2 }

    private func text(_ text: String, _ style: StaticString, x: Int, y: Int) -> Markup {
        guard !text.isEmpty else { return Markup() }
        return .element("text", ["class": "\(style)", "x": "\(x)", "y": "\(y)"], [.text(text)])
    }

    /// The lanes of an entry; none if they are not in the diagram.
    private func ends(of entry: Entry) -> (start: Int, end: Int)? {
        let ends = [entry.from, entry.to].compactMap { id in lanes.firstIndex { $0.id == id } }
        return ends.first.map { ($0, ends[ends.count - 1]) }
    }

    /// The text of an entry: between its lanes, or on from the first one if it is long.
    private func lines(of entry: Entry) -> [String] {
        guard let (start, end) = ends(of: entry) else { return [""] }
        guard entry.isLong else {
            let text = entry.kind == .answer ? entry.duration.map { "\($0) ms" } ?? "" : entry.text
            let limit = max(1, abs(end - start)) * Self.textLimit
            return [text.count <= limit ? text : text.prefix(limit - 1) + "…"]
        }
        let limit = max(2 * (lanes.count - min(start, end)) - 1, 1) * Self.textLimit / 2
        var lines = [""]
        for word in entry.text.split(separator: " ", omittingEmptySubsequences: false) {
            let line = lines[lines.count - 1]
            if line.isEmpty || line.count + 1 + word.count <= limit {
                lines[lines.count - 1] = String((line.isEmpty ? word : line + " " + word).prefix(limit))
            } else {
                lines.append(String(word.prefix(limit)))
            }
        }
        return lines.count <= Self.lineLimit ? lines : lines.prefix(Self.lineLimit - 1) + ["…"]
    }

    /// An entry: its time, the arrow between the lanes or the note on one of them, and the text.
    private func row(_ entry: Entry, _ lines: [String], _ top: Int) -> Markup {
        guard let ends = ends(of: entry) else { return Markup() }
        let (start, end) = (x(ends.start), x(ends.end))
        let first = top + Self.rowHeight - 13
        let line = first + Self.lineHeight * (lines.count - 1) + 5
        var parts = [text(entry.clock, "time", x: Self.timeWidth - 12, y: first)]
        for (index, each) in lines.enumerated() {
            let (place, style): (Int, StaticString) =
                entry.isLong ? (min(start, end) + 8, "label long") : ((start + end) / 2, "label")
            parts.append(text(each, style, x: place, y: first + Self.lineHeight * index))
        }
        if start != end {
            let back = end > start ? -7 : 7
            let head = "M\(end + back) \(line - 4)L\(end) \(line)L\(end + back) \(line + 4)"
            parts.append(.element("path", ["class": "arrow", "d": "M\(start) \(line)H\(end)"]))
            if entry.kind != .saved { parts.append(.element("path", ["class": "head", "d": head])) }
        }
        if entry.kind == .saved {
            parts.append(.element("circle", ["class": "dot", "cx": "\(end)", "cy": "\(line)", "r": "5"]))
        }
        return .element("g", ["class": entry.kind.rawValue], [.element("title", [:], [.text(entry.text)])] + parts)
    }
}
