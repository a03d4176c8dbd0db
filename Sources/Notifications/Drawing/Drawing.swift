package import JSON

/// Lines of text whose pieces know what they are for, so that a terminal can colour them and find what can be pressed.
package struct Drawing: Equatable {
    /// What a piece of a line is for; a terminal or an editor gives each role a style.
    package enum Role: String, Sendable {
        case body, title
        /// Borders, captions, placeholders, the backs of cards: what may stand back.
        case dim
        /// What can be pressed, and the action of which that cannot be undone.
        case button, destructive
        /// A pair that was found, and the filled part of a progress bar.
        case done
        /// The element or action that has the focus.
        case focus
        case warning, error
    }

    /// What can be pressed.
    package enum Target: Hashable, Sendable {
        /// A node of the view, by its id.
        case element(String)
        /// An action, by its identifier.
        case action(String)
        /// The media button, by the method that presses it.
        case media(String)

        fileprivate var json: JSON {
            switch self {
            case .element(let id): ["element": .string(id)]
            case .action(let identifier): ["action": .string(identifier)]
            case .media(let method): ["media": .string(method)]
            }
        }
    }

    /// A piece of a line.
    package struct Span: Equatable {
        package var text: String
        package var role: Role
        package var target: Target?
        /// What the extension wants to look different from the role.
        package var style: NodeStyle

        package init(_ text: String, _ role: Role = .body, _ target: Target? = nil, _ style: NodeStyle = NodeStyle()) {
            (self.text, self.role, self.target, self.style) = (text, role, target, style)
        }
    }

    /// A line: its pieces from left to right.
    package struct Line: Equatable {
        package var spans: [Span]

        package init(_ spans: [Span] = []) { self.spans = spans.filter { !$0.text.isEmpty } }

        /// The columns that it occupies.
        package var width: Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }

        /// The text without roles.
        package var text: String { spans.map(\.text).joined() }

        /// The line as `render` returns it: neighbours that differ in their texts only are one.
        package var json: JSON {
            var merged: [Span] = []
            for span in spans {
                if let last = merged.last, (last.role, last.target, last.style) == (span.role, span.target, span.style)
                {
                    merged[merged.count - 1].text += span.text
                } else {
                    merged.append(span)
                }
            }
            return JSON(
                merged.map { span in
                    JSON(
                        present: [
                            "text": .string(span.text), "role": span.role == .body ? nil : .string(span.role.rawValue),
                            "target": span.target?.json,
                        ] + span.style.json
                    )
                }
            )
        }

        /// The line with spaces around it, so that it has a width.
        package func padded(to width: Int, _ alignment: Alignment = .start) -> Line {
            let room = max(0, width - self.width)
            let left =
                switch alignment {
                case .start: 0
                case .center: room / 2
                case .end: room
                }
            return Line([Self.space(left)] + spans + [Self.space(room - left)])
        }

        private static func space(_ count: Int) -> Span { Span(String(repeating: " ", count: count)) }
    }

    /// The alignment of lines in their column.
    package enum Alignment: Sendable { case start, center, end }

    package var lines: [Line]

    package init(_ lines: [Line] = []) { self.lines = lines }

    /// One line of one role.
    package init(_ text: String, _ role: Role = .body, _ target: Target? = nil) {
        lines = [Line([Span(text, role, target)])]
    }

    /// The columns of the widest line.
    package var width: Int { lines.map(\.width).max() ?? 0 }

    /// The drawings one below the other.
    package static func below(_ parts: [Drawing]) -> Drawing { Drawing(parts.flatMap(\.lines)) }

    /// The drawings side by side, in columns of these widths.
    package static func beside(_ parts: [Drawing], widths: [Int], gap: Int) -> Drawing {
        let space = Span(String(repeating: " ", count: gap))
        return Drawing(
            (0..<(parts.map(\.lines.count).max() ?? 0)).map { row in
                var spans: [Span] = []
                for (index, (part, width)) in zip(parts, widths).enumerated() {
                    let line = row < part.lines.count ? part.lines[row] : Line()
                    spans += (index == 0 ? [] : [space]) + line.padded(to: width).spans
                }
                return Line(spans).trimmed
            }
        )
    }

    /// The drawing with a look for the pieces that have none of their own; a background needs lines of one width.
    func styled(_ style: NodeStyle) -> Drawing {
        Drawing(
            lines.map { line in
                Line(
                    line.spans.map { span in
                        var span = span
                        span.style = span.style.over(style)
                        return span
                    }
                )
            }
        )
    }

    /// The drawing without what is beyond a width.
    package func cut(to width: Int) -> Drawing { Drawing(lines.map { $0.cut(to: width) }) }
}

extension Drawing.Line {
    /// The line without what is beyond a width.
    fileprivate func cut(to width: Int) -> Drawing.Line {
        guard self.width > width else { return self }
        var room = width
        return Drawing.Line(
            spans.map { span in
                var cut = span
                cut.text = ""
                for character in span.text {
                    room -= TextWidth.of(String(character))
                    guard room >= 0 else { break }
                    cut.text.append(character)
                }
                return cut
            }
        )
    }

    /// The line without the spaces at its end that nobody sees.
    var trimmed: Drawing.Line {
        var rest = spans
        while var last = rest.last, last.style.background == nil {
            let text = last.text[
                ..<(last.text.lastIndex { $0 != " " }.map(last.text.index(after:)) ?? last.text.startIndex)
            ]
            rest.removeLast()
            guard text.isEmpty else {
                last.text = String(text)
                rest.append(last)
                break
            }
        }
        return Drawing.Line(rest)
    }
}

extension Drawing {
    /// The drawing in a box of that many columns, at least 4.
    ///
    /// The target is pressed by pressing the box. The title stands in the upper line, if there is room for it.
    package func boxed(
        _ box: Glyphs.Box,
        width: Int,
        _ role: Role = .dim,
        _ target: Target? = nil,
        title: String = ""
    ) -> Drawing {
        let room = width - 4
        let sides = [Span("\(box.left) ", role, target), Span(" \(box.right)", role, target)]
        let inside = lines.map { line in
            let spans = line.padded(to: room).spans.map { Span($0.text, $0.role, $0.target ?? target, $0.style) }
            return Line([sides[0]] + spans + [sides[1]])
        }
        let bottom = box.bottomLeft + String(repeating: box.bottom, count: width - 2) + box.bottomRight
        return Drawing(
            [Self.top(box, width, role, target, title)] + inside + [Line([Span(bottom, role, target)])]
        )
    }

    private static func top(_ box: Glyphs.Box, _ width: Int, _ role: Role, _ target: Target?, _ title: String) -> Line {
        let room = width - 2 - TextWidth.of(title) - 3
        guard !title.isEmpty, room >= 0 else {
            let line = box.topLeft + String(repeating: box.top, count: width - 2) + box.topRight
            return Line([Span(line, role, target)])
        }
        return Line(
            [
                Span("\(box.topLeft)\(box.top) ", role, target), Span(title, .dim, target),
                Span(" \(String(repeating: box.top, count: room))\(box.topRight)", role, target),
            ]
        )
    }

    /// A line across a box, from side to side.
    package static func divider(_ box: Glyphs.Box, width: Int) -> Line {
        Line([Span(box.leftTee + String(repeating: box.top, count: width - 2) + box.rightTee, .dim)])
    }

    /// A text in lines of at most so many columns, broken between words if possible.
    package static func wrapped(
        _ lines: [String],
        width: Int,
        _ role: Role = .body,
        _ alignment: Alignment = .start,
        _ target: Target? = nil
    ) -> Drawing {
        let width = max(1, width)
        return Drawing(
            lines.flatMap { wrap($0, width) }.map { line in
                let drawn = Line([Span(line, role, target)])
                return alignment == .start ? drawn : drawn.padded(to: width, alignment)
            }
        )
    }

    private static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if TextWidth.of(longer) <= width {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            // A word that is longer than the line is cut.
            let pieces = fold(word, width)
            lines += pieces.dropLast()
            line = pieces[pieces.count - 1]
        }
        return lines + [line]
    }

    /// Lines with all their spaces, such as those of a program, broken where they have so many columns.
    package static func folded(_ lines: [String], width: Int, _ role: Role = .body) -> Drawing {
        Drawing(lines.flatMap { fold($0, max(1, width)) }.map { Line([Span($0, role)]) })
    }

    private static func fold(_ text: some StringProtocol, _ width: Int) -> [String] {
        var (lines, line, columns) = ([String](), "", 0)
        for character in text {
            let own = TextWidth.of(String(character))
            if columns + own > width, !line.isEmpty {
                lines.append(line)
                (line, columns) = ("", 0)
            }
            line.append(character)
            columns += own
        }
        return lines + [line]
    }

    /// A text that is cut so that it has at most so many columns.
    package static func cut(_ text: String, to width: Int, _ glyphs: Glyphs) -> String {
        guard TextWidth.of(text) > width else { return text }
        let mark = width > TextWidth.of(glyphs.ellipsis) ? glyphs.ellipsis : ""
        var (rest, columns) = ("", TextWidth.of(mark))
        for character in text {
            columns += TextWidth.of(String(character))
            guard columns <= width else { break }
            rest.append(character)
        }
        return rest + mark
    }
}
