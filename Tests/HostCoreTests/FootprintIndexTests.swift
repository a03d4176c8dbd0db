import Suites
import TestSupport
import Testing

@testable import HostCore

/// Whether a call must wait is found without a comparison with each call that does.
@Suite struct FootprintIndexTests {
    /// Any footprint that a call may have.
    private func footprint(_ random: inout SeededGenerator) throws -> Footprint {
        let extensions = ["x", "y"]
        let name = extensions.randomElement(using: &random) ?? "x"
        let kinds: [Footprint.Kind] = [
            .append, .suite, .defaults, .flush, .call(extension: name), .joining(extension: name), .undecided,
            .dismissal,
            .listing, .reload,
        ]
        let kind = try #require(kinds.randomElement(using: &random))
        let names = try ["a", "b", "c"].map { try #require(SuiteName($0)) }
        var suites: [SuiteName]? = names.filter { _ in Bool.random(using: &random) }
        switch kind {
        case .append, .defaults, .flush: suites = [try #require(names.randomElement(using: &random))]
        case .suite: suites = Int.random(in: 0..<4, using: &random) == 0 ? nil : [names[0]]
        case .call, .joining, .undecided: break
        case .dismissal, .listing, .reload: suites = []
        }
        let presentations = [nil, "1", "2", "3"]
        let presentation = presentations.randomElement(using: &random) ?? nil
        return Footprint(kind: kind, suites: suites, presentation: presentation)
    }

    @Test(
        "The index finds the call that a comparison with each footprint finds, whatever came and went",
        arguments: [false, true]
    )
    func sameAnswer(isWaiting: Bool) throws {
        var random = SeededGenerator(seed: 11)
        var waited = 0
        for _ in 0..<2_000 {
            var index = FootprintIndex(isWaiting: isWaiting)
            var all: [(number: Int, footprint: Footprint)] = []
            for number in (1...Int.random(in: 2...6, using: &random)).shuffled(using: &random) {
                all.append((number, try footprint(&random)))
            }
            for (number, footprint) in all { index.insert(footprint, number) }
            if all.count > 2 {
                let gone = all.removeFirst()
                index.remove(gone.footprint, gone.number)
            }
            let later = try footprint(&random)
            let number = Int.random(in: 1...7, using: &random)
            let expected = all.filter {
                $0.number < number && later.mustWait(for: $0.footprint, isWaiting: isWaiting)
            }
            .map(\.number).max()
            #expect(index.blocker(of: later, before: number) == expected, "\(later), \(number), behind \(all)")
            waited += expected == nil ? 0 : 1
        }
        #expect(waited > 200 && waited < 1_800, "both answers are common")
    }

    /// How many comparisons a call costs behind so many others of an extension, on presentations and suites of their own.
    private func comparisons(of footprint: Footprint, behind count: Int) throws -> Int {
        var index = FootprintIndex(isWaiting: true)
        for number in 0..<count {
            let suites = [try #require(SuiteName("s\(number)"))]
            index.insert(Footprint(kind: .call(extension: "x\(number % 10)"), presentation: "\(number)"), number)
            index.insert(Footprint(kind: .append, suites: suites, presentation: "\(number)"), number)
            index.insert(Footprint(kind: .suite, suites: suites), number)
            index.insert(Footprint(kind: .dismissal, presentation: "\(number)"), number)
        }
        var comparisons = 0
        _ = index.latest(near: footprint, before: .max) { _ in
            comparisons += 1
            return false
        }
        return comparisons
    }

    @Test("A call behind twice as many waiting ones costs no comparison more")
    func cost() throws {
        let suite = try #require(SuiteName("s1"))
        let footprints = [
            Footprint(kind: .call(extension: "x1"), suites: [suite], presentation: "1"),
            Footprint(kind: .append, suites: [suite], presentation: "1"), Footprint(kind: .suite, suites: nil),
            .listing,
            Footprint(kind: .joining(extension: "x2"), suites: [suite]), Footprint(kind: .dismissal, presentation: "5"),
        ]
        for footprint in footprints {
            let some = try comparisons(of: footprint, behind: 500)
            #expect(try comparisons(of: footprint, behind: 1_000) == some)
            #expect(some < 30, "\(footprint)")
        }
    }
}
