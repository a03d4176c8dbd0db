/// How far two names are apart, for guesses at what was meant.
public enum EditDistance {
    /// The nearest of some names that may have been meant; nothing if none is near.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - known: What would have been right.
    /// - Returns: One of `known`.
    public static func nearest(_ name: String, in known: some Sequence<String>) -> String? {
        let letters = { (text: String) in Array(text.lowercased().prefix(64)) }
        let near = known.filter { isNear(name, $0) }
        return near.min { distance(letters(name), letters($0)) < distance(letters(name), letters($1)) }
    }

    /// Whether so few letters differ that one name may be a slip of the other.
    ///
    /// - Parameters:
    ///   - left: A name.
    ///   - right: Another one.
    /// - Returns: Whether they may be the same, misspelt.
    public static func isNear(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.lowercased().prefix(64)), Array(right.lowercased().prefix(64)))
        return distance(left, right) <= max(1, min(left.count, right.count) / 3)
    }

    /// The number of letters to insert, delete or replace, and of neighbours to swap (optimal string alignment).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var distance = min(last[j] + (a == b ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { distance = min(distance, beforeLast[j - 1] + 1) }
                row.append(distance)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
