/// Compares names by their edit distance, to suggest the correct name for a misspelt one.
public enum EditDistance {
    /// The number of letters of a name that are compared.
    private static let limit = 64

    /// The correct name that is nearest to a written one.
    ///
    /// - Parameters:
    ///   - name: The name as written.
    ///   - known: The correct names.
    /// - Returns: One of `known`, the first if several are equally near; nil if none is near.
    public static func nearest(_ name: String, in known: some Sequence<String>) -> String? {
        let written = letters(name)
        let near = known.compactMap { candidate in
            edits(written, letters(candidate)).map { (candidate, edits: $0) }
        }
        return near.min { $0.edits < $1.edits }?.0
    }

    /// Whether so few letters differ that one name may be a misspelling of the other.
    ///
    /// - Parameters:
    ///   - left: A name.
    ///   - right: Another one.
    /// - Returns: Whether one may be a misspelling of the other.
    public static func isNear(_ left: String, _ right: String) -> Bool { edits(letters(left), letters(right)) != nil }

    private static func letters(_ text: String) -> [Unicode.Scalar] {
        Array(text.lowercased().unicodeScalars.prefix(limit))
    }

    /// The edit distance; nil if it is more than a third of the shorter name.
    private static func edits(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int? {
        let most = max(1, min(left.count, right.count) / 3)
        // The difference in length is a lower bound, which rules out most names.
        guard abs(left.count - right.count) <= most else { return nil }
        let distance = distance(left, right)
        return distance <= most ? distance : nil
    }

    /// The number of letters to insert, delete or replace, and of adjacent letters to swap (optimal string alignment).
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var last = Array(0...right.count)
        var (beforeLast, row) = (last, last)
        for i in left.indices {
            row[0] = i + 1
            for j in right.indices {
                var distance = min(last[j] + (left[i] == right[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    distance = min(distance, beforeLast[j - 1] + 1)
                }
                row[j + 1] = distance
            }
            (beforeLast, last, row) = (last, row, beforeLast)
        }
        return last[right.count]
    }
}
