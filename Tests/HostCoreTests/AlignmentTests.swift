import Recording
import Testing

/// Which lines of two sequences correspond.
@Suite struct AlignmentTests {
    @Test(
        "Insertions and deletions are found, and what has an equal name is paired before what has an equal kind",
        arguments: [
            ("a1 b1", "a1 b1", "a1=a1 b1=b1"), ("", "a1", "+a1"), ("a1", "", "-a1"), ("", "", ""),
            ("a1 a3", "a1 a2 a3", "a1=a1 +a2 a3=a3"), ("a1 a2 a3", "a1 a3", "a1=a1 -a2 a3=a3"),
            ("a1 b1", "b1 a1", "-a1 b1=b1 +a1"), ("a1! b1", "a1? b1", "a1!=a1? b1=b1"),
            ("a1!", "a2 a1?", "+a2 a1!=a1?"), ("a1", "a2", "a1=a2"), ("a1", "b1", "-a1 +b1"),
            ("a1 a2! b1", "a2? a3 b1", "-a1 a2!=a2? +a3 b1=b1"),
        ]
    )
    func pairs(old: String, new: String, steps: String) {
        #expect(Self.align(old.split(separator: " "), new.split(separator: " ")) == steps)
    }

    @Test("Insertions are found in sequences that are longer than what is compared at once")
    func long() {
        let old = (0..<5_000).map { Substring("a\($0)") }
        let new = old[..<10] + ["b1", "b2"] + old[10..<3_000] + ["b3"] + old[3_001...]
        let steps = Self.align(old, Array(new)).split(separator: " ").filter { !$0.contains("=") }
        #expect(steps == ["+b1", "+b2", "-a3000", "+b3"])
        let other = (0..<2_500).map { Substring("c\($0)") }
        #expect(Self.align(Array(old[..<2_500]), other).split(separator: " ").count { $0.contains("=") } == 0)
    }

    /// Aligns elements of a kind (a letter), a number and a content (a mark).
    private static func align(_ old: [Substring], _ new: [Substring]) -> String {
        let keys = { (text: Substring) in
            [String(text), String(text.filter { !"!?".contains($0) }), "\(text.prefix(1))"]
        }
        return Alignment(old.map(keys), new.map(keys)).steps
            .map { step in
                switch step {
                case .pair(let one, let other): "\(old[one])=\(new[other])"
                case .removed(let index): "-\(old[index])"
                case .inserted(let index): "+\(new[index])"
                }
            }
            .joined(separator: " ")
    }
}
