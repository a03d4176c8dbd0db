import Foundation

/// The order in which the subviews of a view are shown that has no stack: from constraints, from frames, and else in
/// the order in which they were added.
@MainActor
struct LayoutOrder {
    private let container: UIView
    private let views: [UIView]
    private let index: [ObjectIdentifier: Int]
    /// For each view the number of the row that it is in.
    private var row: [Int]
    /// For each view those that constraints place above it, and those that they place before it in its row.
    private var above: [Set<Int>]
    private var before: [Set<Int>]

    /// Rows of views, from top to bottom and from left to right.
    static func rows(of views: [UIView], in container: UIView) -> [[UIView]] {
        guard views.count > 1 else { return [views] }
        var order = LayoutOrder(views, container)
        order.readConstraints()
        order.readFrames()
        return order.sorted()
    }

    private init(_ views: [UIView], _ container: UIView) {
        (self.views, self.container) = (views, container)
        index = Dictionary(uniqueKeysWithValues: views.enumerated().map { (ObjectIdentifier($1), $0) })
        row = Array(views.indices)
        above = Array(repeating: [], count: views.count)
        before = above
    }

    // MARK: Constraints

    private mutating func readConstraints() {
        for (number, view) in views.enumerated() {
            for constraint in view.relatedConstraints where constraint.firstItem === view {
                guard let second = NSLayoutConstraint.view(constraint.secondItem),
                    let other = index[ObjectIdentifier(second)], other != number
                else { continue }
                relate(number, constraint.firstAttribute, other, constraint.secondAttribute)
            }
        }
    }

    private mutating func relate(
        _ first: Int,
        _ firstAttribute: NSLayoutConstraint.Attribute,
        _ second: Int,
        _ secondAttribute: NSLayoutConstraint.Attribute
    ) {
        switch (firstAttribute, secondAttribute) {
        case (.top, .bottom), (.firstBaseline, .bottom), (.top, .lastBaseline), (.firstBaseline, .lastBaseline):
            above[first].insert(second)
        case (.bottom, .top), (.lastBaseline, .top), (.bottom, .firstBaseline): above[second].insert(first)
        case (.leading, .trailing), (.left, .right):
            before[first].insert(second)
            join(first, second)
        case (.trailing, .leading), (.right, .left):
            before[second].insert(first)
            join(first, second)
        default: break
        }
    }

    private mutating func join(_ first: Int, _ second: Int) {
        let (old, new) = (row[first], row[second])
        for number in row.indices where row[number] == old { row[number] = new }
    }

    // MARK: Frames

    /// Puts views into one row that stand side by side.
    private mutating func readFrames() {
        for first in views.indices {
            for second in views.indices where second > first && row[first] != row[second] {
                let (one, other) = (views[first].frame, views[second].frame)
                guard !one.isEmpty, !other.isEmpty else { continue }
                let overlapsInHeight =
                    one.minY < other.midY && other.midY < one.maxY || other.minY < one.midY && one.midY < other.maxY
                let isBeside = one.maxX <= other.minX + 1 || other.maxX <= one.minX + 1
                if overlapsInHeight && isBeside && above[first].isEmpty && above[second].isEmpty { join(first, second) }
            }
        }
    }

    // MARK: The order

    private func sorted() -> [[UIView]] {
        var rows = Set(row).map { number in views.indices.filter { row[$0] == number } }
        var result: [[UIView]] = []
        while !rows.isEmpty {
            let rest = Set(rows.joined())
            let free = rows.filter { row in
                row.allSatisfy { above[$0].isDisjoint(with: rest.subtracting(row)) }
            }
            // A circle of constraints leaves nothing free.
            guard let next = (free.isEmpty ? rows : free).min(by: { key($0) < key($1) }) else { break }
            rows.removeAll { $0 == next }
            result.append(inRow(next).map { views[$0] })
        }
        return result
    }

    private func inRow(_ numbers: [Int]) -> [Int] {
        var (rest, result): ([Int], [Int]) = (numbers, [])
        while !rest.isEmpty {
            let free = rest.filter { before[$0].isDisjoint(with: rest) }
            guard
                let next = (free.isEmpty ? rest : free)
                    .min(by: { (views[$0].frame.minX, $0) < (views[$1].frame.minX, $1) })
            else { break }
            rest.removeAll { $0 == next }
            result.append(next)
        }
        return result
    }

    /// What decides between rows that no constraint orders.
    private func key(_ row: [Int]) -> (Int, CGFloat, Int) {
        let pinned = row.map { pin(views[$0]) }
        let top = row.map { views[$0].frame.minY }.min() ?? 0
        return (pinned.min() ?? 1, top, row.min() ?? 0)
    }

    /// 0 for a view at the top of the container, 2 for one at its bottom, 1 for others.
    private func pin(_ view: UIView) -> Int {
        var (isAtTop, isAtBottom) = (false, false)
        for constraint in view.relatedConstraints where constraint.relation == .equal {
            let isFirst = constraint.firstItem === view
            let other = NSLayoutConstraint.view(isFirst ? constraint.secondItem : constraint.firstItem)
            guard other === container else { continue }
            let attribute = isFirst ? constraint.firstAttribute : constraint.secondAttribute
            isAtTop = isAtTop || attribute == .top
            isAtBottom = isAtBottom || attribute == .bottom
        }
        return isAtTop ? 0 : isAtBottom ? 2 : 1
    }
}
