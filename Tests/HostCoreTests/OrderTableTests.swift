import Foundation
import Suites
import TestSupport
import Testing

@testable import HostCore

@Suite struct OrderTableTests {
    static let a = [SuiteName("group.a")].compactMap { $0 }
    static let b = [SuiteName("group.b")].compactMap { $0 }
    /// name, footprint while it waits, footprint while it runs (nil: it never runs across calls)
    static let calls: [(String, Footprint, Footprint?)] = {
        func call(_ e: String, _ s: [SuiteName], _ p: String?) -> Footprint {
            Footprint(kind: .call(extension: e), suites: s, presentation: p)
        }
        func join(_ e: String, _ s: [SuiteName]) -> Footprint { Footprint(kind: .joining(extension: e), suites: s) }
        return [
            ("save a", Footprint(kind: .append, suites: a), nil),
            ("save b", Footprint(kind: .append, suites: b), nil),
            ("save a about 1", Footprint(kind: .append, suites: a, presentation: "1"), nil),
            ("save b about 1", Footprint(kind: .append, suites: b, presentation: "1"), nil),
            ("save b about 2", Footprint(kind: .append, suites: b, presentation: "2"), nil),
            ("pending a", Footprint(kind: .suite, suites: a), Footprint(kind: .suite, suites: a)),
            ("pending b", Footprint(kind: .suite, suites: b), Footprint(kind: .suite, suites: b)),
            ("reset a", Footprint(kind: .suite, suites: a), Footprint(kind: .suite, suites: a)),
            ("import a", Footprint(kind: .suite, suites: a), Footprint(kind: .suite, suites: a)),
            ("export a", Footprint(kind: .suite, suites: a), Footprint(kind: .suite, suites: a)),
            ("suites", Footprint(kind: .suite, suites: nil), nil),
            ("store a", Footprint(kind: .defaults, suites: a), nil),
            ("retrieve a", Footprint(kind: .defaults, suites: a), nil),
            ("flush a", Footprint(kind: .flush, suites: a), Footprint(kind: .flush, suites: a)),
            ("flush b", Footprint(kind: .flush, suites: b), Footprint(kind: .flush, suites: b)),
            ("respond 1", call("x", a, "1"), call("x", a, "1")),
            ("respond 2", call("x", a, "2"), call("x", a, "2")),
            ("respond 3", call("y", b, "3"), call("y", b, "3")),
            ("respond 4", call("z", [], "4"), call("z", [], "4")),
            ("receive x", call("x", a, nil), call("x", a, "new")),
            ("receive y", call("y", b, nil), call("y", b, "new")),
            ("receive z", call("z", [], nil), call("z", [], "new")),
            ("join x", join("x", a), call("x", a, "1")),
            ("join y", join("y", b), call("y", b, "3")),
            ("receive rendered", Footprint(kind: .undecided, suites: a + b), nil),
            ("dismiss 1", Footprint(kind: .dismissal, presentation: "1"), nil),
            ("dismiss 2", Footprint(kind: .dismissal, presentation: "2"), nil),
            ("dismiss 3", Footprint(kind: .dismissal, presentation: "3"), nil),
            ("notifications", .listing, nil),
            ("reload", Footprint(kind: .reload), Footprint(kind: .reload)),
        ]
    }()
    @Test("Which call waits for which earlier one, for every ordered pair")
    func golden() throws {
        var rows: [String] = []
        for (later, foot, _) in Self.calls {
            for (earlier, waiting, running) in Self.calls {
                let words =
                    [foot.mustWait(for: waiting, isWaiting: true)]
                    + (running.map { [foot.mustWait(for: $0, isWaiting: false)] } ?? [])
                let cells = words.map { $0 ? "waits" : "passes" } + (running == nil ? ["-"] : [])
                rows.append(([later, earlier] + cells).joined(separator: "\t"))
            }
        }
        let path = "\(repositoryRoot)/Tests/Fixtures/order/before-the-scheduler.tsv"
        let golden = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(rows == golden)
    }
}
