/// How the columns of a row share its width.
package enum ColumnWidths {
    /// Widths that keep what needs less than its share, and divide the rest equally.
    package static func fit(_ natural: [Int], into room: Int) -> [Int] {
        var widths = natural
        var open = Array(natural.indices)
        var rest = room
        while !open.isEmpty {
            let share = rest / open.count
            let small = open.filter { natural[$0] <= share }
            guard !small.isEmpty else {
                for cell in open { widths[cell] = share }
                break
            }
            rest -= small.reduce(0) { $0 + natural[$1] }
            open.removeAll { small.contains($0) }
        }
        return widths
    }
}
