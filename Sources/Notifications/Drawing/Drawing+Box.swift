extension Drawing {
    /// The drawing in a box.
    ///
    /// - Parameters:
    ///   - box: The characters of the box.
    ///   - width: The columns of the whole, at least 4.
    ///   - role: The role of the lines.
    ///   - target: What is pressed by pressing the box.
    ///   - title: What stands in the upper line, if there is room for it.
    /// - Returns: The box.
    package func boxed(
        _ box: Glyphs.Box,
        width: Int,
        _ role: Role = .border,
        _ target: Target? = nil,
        title: String = ""
    ) -> Drawing {
        let room = width - 4
        let sides = [Span("\(box.left) ", role, target), Span(" \(box.right)", role, target)]
        let inside = lines.map { line in Line([sides[0]] + line.padded(to: room).spans + [sides[1]]) }
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
                Span("\(box.topLeft)\(box.top) ", role, target), Span(title, .caption, target),
                Span(" \(String(repeating: box.top, count: room))\(box.topRight)", role, target),
            ]
        )
    }

    /// A line across a box, from side to side.
    package static func divider(_ box: Glyphs.Box, width: Int) -> Line {
        Line([Span(box.leftTee + String(repeating: box.top, count: width - 2) + box.rightTee, .border)])
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
        var (lines, line) = ([String](), "")
        for character in text {
            if TextWidth.of(line + String(character)) > width, !line.isEmpty {
                lines.append(line)
                line = ""
            }
            line.append(character)
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
