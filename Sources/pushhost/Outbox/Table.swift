internal import Foundation
internal import Notifications
internal import Platform

/// A table for people: columns as wide as their widest cell, two spaces between them.
struct Table {
    /// A column: its title, and whether it has numbers, which are aligned to the right.
    struct Column {
        let title: String
        var isNumber = false

        init(_ title: String, isNumber: Bool = false) { (self.title, self.isNumber) = (title, isNumber) }
    }

    let columns: [Column]
    /// The cells; they may contain text from outside, which is escaped here.
    var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    var text: String {
        let lines = ([columns.map(\.title)] + rows).map { $0.map(PlainText.escaped) }
        let widths = columns.indices.map { column in lines.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return lines.map { cells in
            let padded = columns.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - TextWidth.of(cells[column]))
                return columns[column].isNumber ? space + cells[column] : cells[column] + space
            }
            let line = padded.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }
        .joined()
    }
}
