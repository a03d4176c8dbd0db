/// Which elements of two sequences correspond: the pairs, and what only one of the sequences has, in order.
package struct Alignment {
    /// A pair, or an element that has none; elements are given by their indices.
    package enum Step: Equatable {
        case pair(old: Int, new: Int)
        case removed(old: Int)
        case inserted(new: Int)
    }

    /// The maximum number of elements of a sequence that are compared at once, which limits memory and time.
    private static let window = 1_000

    package private(set) var steps: [Step] = []

    /// Aligns two sequences.
    ///
    /// The first keys are compared in the whole sequences, each further one only between the pairs that were found.
    ///
    /// - Parameters:
    ///   - old: The keys of each element of the old sequence, the most exact one first.
    ///   - new: The keys of each element of the new sequence, as many as in the old one.
    package init(_ old: [[String]], _ new: [[String]]) {
        align(old, new, old.indices, new.indices, stage: 0)
    }

    private mutating func align(
        _ old: [[String]],
        _ new: [[String]],
        _ olds: Range<Int>,
        _ news: Range<Int>,
        stage: Int
    ) {
        guard let first = old[olds].first, !news.isEmpty, stage < first.count else {
            steps += olds.map { .removed(old: $0) } + news.map { .inserted(new: $0) }
            return
        }
        var (nextOld, nextNew) = (olds.lowerBound, news.lowerBound)
        for (pairOld, pairNew) in Self.pairs(olds, news, { old[$0][stage] }, { new[$0][stage] }) {
            align(old, new, nextOld..<pairOld, nextNew..<pairNew, stage: stage + 1)
            steps.append(.pair(old: pairOld, new: pairNew))
            (nextOld, nextNew) = (pairOld + 1, pairNew + 1)
        }
        align(old, new, nextOld..<olds.upperBound, nextNew..<news.upperBound, stage: stage + 1)
    }

    /// The longest common subsequence of two ranges of keys; of long ranges, that of their windows.
    private static func pairs(
        _ olds: Range<Int>,
        _ news: Range<Int>,
        _ oldKey: (Int) -> String,
        _ newKey: (Int) -> String
    ) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (olds, news) = (olds, news)
        while !olds.isEmpty, !news.isEmpty {
            // Most of two sessions is equal, and needs no search.
            if oldKey(olds.lowerBound) == newKey(news.lowerBound) {
                pairs.append((olds.lowerBound, news.lowerBound))
                (olds, news) = (olds.dropFirst(), news.dropFirst())
                continue
            }
            let isLast = olds.count <= window && news.count <= window
            let (part, other) = (olds.prefix(window), news.prefix(window))
            let found = commonSubsequence(part.map(oldKey), other.map(newKey)).map {
                (part.lowerBound + $0, other.lowerBound + $1)
            }
            pairs += found
            if isLast { break }
            // The next window begins after the last pair, because an insertion moves what follows it.
            olds = ((found.last?.0 ?? part.upperBound - 1) + 1)..<olds.upperBound
            news = ((found.last?.1 ?? other.upperBound - 1) + 1)..<news.upperBound
        }
        return pairs
    }

    /// The indices of the elements that remain when what differs is left out.
    private static func commonSubsequence(_ old: [String], _ new: [String]) -> [(Int, Int)] {
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        return Array(
            zip(old.indices.filter { !removed.contains($0) }, new.indices.filter { !inserted.contains($0) })
        )
    }
}
