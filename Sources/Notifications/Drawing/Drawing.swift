/// Lines of text whose pieces know what they are for, so that a terminal can colour them and find what can be pressed.
package struct Drawing: Equatable {
    /// What a piece of a line is; a terminal gives each role a style.
    package enum Role: Sendable {
        case body, title, caption
        /// The lines of a box; of one that can be pressed; of the one that has the focus.
        case border, control, focus
        /// The text that an empty field shows.
        case placeholder
        /// The back of a card, the face of one, and a pair that was found.
        case back, face, matched
        /// The two parts of a progress bar.
        case filled, unfilled
        case warning, error
    }

    /// What can be pressed.
    package enum Target: Hashable, Sendable {
        /// A node of the view, by its id.
        case element(String)
        /// An action, by its identifier.
        case action(String)
    }

    /// A piece of a line.
    package struct Span: Equatable {
        package var text: String
        package var role: Role
        package var target: Target?

        package init(_ text: String, _ role: Role = .body, _ target: Target? = nil) {
            (self.text, self.role, self.target) = (text, role, target)
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

    /// The line without the spaces at its end.
    var trimmed: Drawing.Line {
        var rest = spans
        while let last = rest.last {
            let text = last.text[
                ..<(last.text.lastIndex { $0 != " " }.map(last.text.index(after:)) ?? last.text.startIndex)
            ]
            rest.removeLast()
            guard text.isEmpty else {
                rest.append(Drawing.Span(String(text), last.role, last.target))
                break
            }
        }
        return Drawing.Line(rest)
    }
}
