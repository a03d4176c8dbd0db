import Suites
import Testing

@testable import HostCore

@Suite struct FootprintTests {
    private static let a = SuiteName("group.a").map { [$0] }
    private static let b = SuiteName("group.b").map { [$0] }

    private static let readA = Footprint(kind: .suite, suites: a)
    private static let readB = Footprint(kind: .suite, suites: b)
    private static let readAll = Footprint(kind: .suite, suites: nil)
    private static let saveA = Footprint(kind: .append, suites: a)
    private static let saveB = Footprint(kind: .append, suites: b)
    private static let callX = Footprint(kind: .call(extension: "x"), suites: a, presentation: "1")
    private static let otherX = Footprint(kind: .call(extension: "x"), suites: a, presentation: "2")
    private static let callY = Footprint(kind: .call(extension: "y"), suites: b, presentation: "3")
    private static let joinX = Footprint(kind: .joining(extension: "x"), suites: a)
    private static let joinY = Footprint(kind: .joining(extension: "y"), suites: b)
    private static let save1 = Footprint(kind: .append, suites: b, presentation: "1")
    private static let poor = Footprint(kind: .call(extension: "z"), suites: [], presentation: "4")
    private static let dismiss1 = Footprint(kind: .dismissal, presentation: "1")
    private static let dismiss2 = Footprint(kind: .dismissal, presentation: "2")

    private static let flushA = Footprint(kind: .flush, suites: a)
    private static let keyA = Footprint(kind: .defaults, suites: a)

    private static let atService = Footprint(kind: .undecided, suites: a)

    /// What waits for what, and the words for it.
    private static let waits: [(Footprint, for: Footprint)] = [
        (readA, for: callX), (readAll, for: callX), (readAll, for: readA), (readA, for: readAll),
        (readA, for: readA), (readA, for: saveA), (saveA, for: readA), (saveA, for: saveA), (saveA, for: readAll),
        (callX, for: readA), (callX, for: readAll), (dismiss1, for: callX), (callX, for: dismiss1),
        (dismiss1, for: dismiss1), (.listing, for: callX), (callX, for: .listing), (.listing, for: dismiss1),
        (dismiss1, for: .listing), (.listing, for: poor),
        (callX, for: callX), (joinX, for: callX), (joinX, for: joinX), (joinX, for: dismiss1), (joinX, for: readA),
        (save1, for: callX), (save1, for: dismiss1), (callX, for: save1), (dismiss1, for: joinX),
        (callX, for: atService), (poor, for: atService), (joinX, for: atService), (.listing, for: atService),
        (dismiss1, for: atService), (readA, for: atService), (readAll, for: atService),
        (readA, for: flushA), (readAll, for: flushA), (flushA, for: flushA), (flushA, for: saveA), (flushA, for: callX),
    ]

    private static let passes: [(Footprint, for: Footprint)] = [
        (readB, for: callX), (readA, for: readB), (saveB, for: readA), (readB, for: saveA), (saveB, for: saveA),
        (saveA, for: callX), (callX, for: callY), (callX, for: readB),
        (dismiss2, for: callX), (dismiss2, for: dismiss1), (callX, for: dismiss2),
        (readA, for: poor), (poor, for: readA),
        (readA, for: .listing), (.listing, for: readA), (.listing, for: saveA), (.listing, for: .listing),
        (joinY, for: callX), (save1, for: otherX), (save1, for: dismiss2),
        (readA, for: dismiss1), (saveA, for: dismiss1), (dismiss1, for: readA), (dismiss1, for: saveA),
        (readB, for: atService), (saveA, for: atService), (save1, for: atService),
        (atService, for: callX), (atService, for: atService), (atService, for: readA), (atService, for: dismiss1),
        (atService, for: .listing), (atService, for: joinX),
        (saveA, for: flushA), (callX, for: flushA), (joinX, for: flushA), (keyA, for: flushA), (readB, for: flushA),
    ]

    @Test("A request waits for what it must see the effects of", arguments: waits.indices)
    func waiting(index: Int) {
        let (later, earlier) = Self.waits[index]
        #expect(later.mustWait(for: earlier, isWaiting: false), "\(later) for \(earlier)")
        #expect(later.mustWait(for: earlier, isWaiting: true), "\(later) for \(earlier)")
    }

    @Test("A request overtakes what cannot matter to it", arguments: passes.indices)
    func passing(index: Int) {
        let (later, earlier) = Self.passes[index]
        #expect(!later.mustWait(for: earlier, isWaiting: false), "\(later) for \(earlier)")
        #expect(!later.mustWait(for: earlier, isWaiting: true), "\(later) for \(earlier)")
    }

    @Test(
        "Calls on other presentations of an extension queue there behind one under way, and wait behind one that waits"
    )
    func calls() {
        #expect(Self.otherX.mustWait(for: Self.callX, isWaiting: true))
        #expect(!Self.otherX.mustWait(for: Self.callX, isWaiting: false))
        #expect(Self.callX.mustWait(for: Self.saveA, isWaiting: true))
        #expect(!Self.callX.mustWait(for: Self.saveA, isWaiting: false))
    }
}
