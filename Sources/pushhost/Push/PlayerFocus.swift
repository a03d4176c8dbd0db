internal import Notifications

/// Where what can be pressed was drawn, to move the focus by arrow keys.
struct PlayerFocus {
    /// A direction of an arrow key.
    enum Direction { case up, down, left, right }

    /// The lines and columns that a target covers.
    struct Area: Equatable {
        var lines: ClosedRange<Int>
        var columns: ClosedRange<Int>

        fileprivate var middle: (line: Int, column: Int) {
            ((lines.lowerBound + lines.upperBound) / 2, (columns.lowerBound + columns.upperBound) / 2)
        }
    }

    /// Each target's area.
    let areas: [Drawing.Target: Area]

    /// Finds the targets of a drawing.
    init(_ drawing: Drawing) {
        var areas: [Drawing.Target: Area] = [:]
        for (number, line) in drawing.lines.enumerated() {
            var column = 0
            for span in line.spans {
                let end = column + max(1, TextWidth.of(span.text)) - 1
                if let target = span.target {
                    let old = areas[target] ?? Area(lines: number...number, columns: column...end)
                    areas[target] = Area(
                        lines: old.lines.lowerBound...number,
                        columns: min(old.columns.lowerBound, column)...max(old.columns.upperBound, end)
                    )
                }
                column = end + 1
            }
        }
        self.areas = areas
    }

    /// The nearest target in a direction; nil if there is none.
    func next(from target: Drawing.Target, _ direction: Direction, among targets: [Drawing.Target]) -> Drawing.Target? {
        guard let here = areas[target] else { return nil }
        let candidates = targets.compactMap { other -> (Drawing.Target, Int)? in
            guard other != target, let area = areas[other], let distance = Self.distance(here, area, direction) else {
                return nil
            }
            return (other, distance)
        }
        return candidates.min { $0.1 < $1.1 }?.0
    }

    /// How far an area is in a direction; nil if it is not there.
    ///
    /// A line is about as high as two columns are wide, and what lies aside is farther than what lies straight ahead.
    private static func distance(_ here: Area, _ other: Area, _ direction: Direction) -> Int? {
        let ahead: Int
        let isAhead: Bool
        switch direction {
        case .up:
            (ahead, isAhead) = (here.middle.line - other.middle.line, other.lines.upperBound < here.lines.lowerBound)
        case .down:
            (ahead, isAhead) = (other.middle.line - here.middle.line, other.lines.lowerBound > here.lines.upperBound)
        case .left:
            (ahead, isAhead) = (
                here.middle.column - other.middle.column, other.columns.upperBound < here.columns.lowerBound
            )
        case .right:
            (ahead, isAhead) = (
                other.middle.column - here.middle.column, other.columns.lowerBound > here.columns.upperBound
            )
        }
        guard isAhead else { return nil }
        switch direction {
        case .up, .down: return ahead * 8 + abs(here.middle.column - other.middle.column)
        case .left, .right:
            // Left and right stay in the line.
            return here.lines.overlaps(other.lines) ? ahead : nil
        }
    }
}
