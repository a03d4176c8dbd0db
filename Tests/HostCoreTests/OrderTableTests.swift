import Foundation
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import HostCore

/// Compares which call waits for which earlier call with a table of the rules before the scheduler existed.
@Suite struct OrderTableTests {
    /// The suites and presentations that a call of the table affects.
    private struct Subject: CallSubject {
        var suites: [SuiteName] = []
        var namesRecords = false
        var presentationIdentifier: String?
        var extensionIdentifier = ""
    }

    /// A call of the table: its accesses while it waits and, if it can run for a while, those while it runs.
    private struct Row {
        let name: String
        let waiting: [Access]
        let running: [Access]?

        init(_ name: String, _ rules: AccessRules, _ subject: Subject, runs: Subject? = nil) {
            self.name = name
            waiting = rules.accesses(of: subject)
            running = runs.map { rules.accesses(of: $0).filter { $0.duration == .untilAnswered } }
        }

        /// Whether it waits for an earlier call that holds these accesses.
        func waits(for held: [Access]) -> Bool {
            var index = HoldIndex()
            index.insert(held, of: 1)
            let waits = waits(in: index)
            // The index keeps the call that came last apart from the others.
            index.insert(waiting, of: 2)
            #expect(self.waits(in: index) == waits, "\(name): another order once a later call came")
            return waits
        }

        private func waits(in index: HoldIndex) -> Bool {
            waiting.contains { index.latestConflict(with: $0, before: 2) != nil }
        }
    }

    private static let a = ["group.a"].compactMap { SuiteName($0) }
    private static let b = ["group.b"].compactMap { SuiteName($0) }

    private static let rows: [Row] = {
        func about(_ suites: [SuiteName], _ presentation: String? = nil, of bundle: String = "") -> Subject {
            Subject(suites: suites, presentationIdentifier: presentation, extensionIdentifier: bundle)
        }
        func suite(_ name: String, _ rules: AccessRules, _ suites: [SuiteName], runs: Bool = true) -> Row {
            Row(name, rules, about(suites), runs: runs ? about(suites) : nil)
        }
        func response(_ number: String, _ bundle: String, _ suites: [SuiteName]) -> Row {
            let subject = about(suites, number, of: bundle)
            return Row("respond \(number)", .callPresentation, subject, runs: subject)
        }
        func receive(_ bundle: String, _ suites: [SuiteName]) -> Row {
            let begun = about(suites, "new", of: bundle)
            return Row("receive \(bundle)", .beginPresentation, about(suites, of: bundle), runs: begun)
        }
        func join(_ bundle: String, _ suites: [SuiteName], _ joined: String) -> Row {
            let begun = about(suites, joined, of: bundle)
            return Row("join \(bundle)", .joinPresentation, about(suites, of: bundle), runs: begun)
        }
        func dismiss(_ number: String, of bundle: String) -> Row {
            Row("dismiss \(number)", .dismiss, about([], number, of: bundle))
        }
        return [
            suite("save a", .save, a, runs: false), suite("save b", .save, b, runs: false),
            Row("save a about 1", .save, about(a, "1", of: "x")), Row("save b about 1", .save, about(b, "1", of: "x")),
            Row("save b about 2", .save, about(b, "2", of: "x")),
            suite("pending a", .readRecords, a), suite("pending b", .readRecords, b),
            suite("reset a", .changeRecords, a), suite("import a", .changeSuite, a), suite("export a", .readSuite, a),
            Row("suites", .readEverySuite, about([])),
            suite("store a", .changeKey, a, runs: false), suite("retrieve a", .readKey, a, runs: false),
            suite("flush a", .flush, a), suite("flush b", .flush, b),
            response("1", "x", a), response("2", "x", a), response("3", "y", b), response("4", "z", []),
            receive("x", a), receive("y", b), receive("z", []), join("x", a, "1"), join("y", b, "3"),
            Row("receive rendered", .changeNotification, about(a + b)),
            dismiss("1", of: "x"), dismiss("2", of: "x"), dismiss("3", of: "y"),
            Row("notifications", .listPresentations, about([])), Row("reload", .reload, about([]), runs: about([])),
        ]
    }()

    /// The reason why a pair of calls deliberately has another order than in the table.
    private struct Difference {
        let later: Set<String>
        let earlier: Set<String>
        let reason: String
    }

    private static let reads: Set = ["pending a", "pending b", "export a", "suites"]
    private static let saves: Set = ["save a", "save a about 1"]
    private static let keys: Set = ["store a", "retrieve a"]

    private static let differences = [
        Difference(later: reads, earlier: reads, reason: "reads commute"),
        Difference(later: ["export a"], earlier: ["retrieve a"], reason: "reads commute"),
        Difference(later: ["retrieve a"], earlier: ["export a", "retrieve a"], reason: "reads commute"),
        Difference(
            later: keys,
            earlier: saves.union(["pending a", "reset a", "suites"]),
            reason: "keys and records are different things"
        ),
        Difference(
            later: saves.union(["pending a", "reset a", "suites", "flush a"]),
            earlier: keys,
            reason: "keys and records are different things"
        ),
        Difference(
            later: ["suites"],
            earlier: ["respond 4", "receive z"],
            reason: "an extension without App Groups touches no suite"
        ),
        Difference(
            later: ["respond 4", "receive z"],
            earlier: ["suites"],
            reason: "an extension without App Groups touches no suite"
        ),
        Difference(
            later: ["join x"],
            earlier: ["dismiss 3"],
            reason: "a notification joins presentations of its own extension only"
        ),
        Difference(
            later: ["join y"],
            earlier: ["dismiss 1", "dismiss 2"],
            reason: "a notification joins presentations of its own extension only"
        ),
        Difference(
            later: ["dismiss 1", "dismiss 2"],
            earlier: ["join y"],
            reason: "a notification joins presentations of its own extension only"
        ),
        Difference(
            later: ["dismiss 3"],
            earlier: ["join x"],
            reason: "a notification joins presentations of its own extension only"
        ),
        Difference(
            later: ["receive rendered"],
            earlier: ["reload"],
            reason: "a case of its own kept it from the extension that renders it; now the order says so"
        ),
        Difference(
            later: ["dismiss 1", "dismiss 2"],
            earlier: ["save a about 1", "save b about 1", "save b about 2"],
            reason: "a save must find the notification that it names"
        ),
    ]

    @Test("Every ordered pair of calls is as in the table of the former rules, unless a reason is given")
    func golden() throws {
        let path = "\(repositoryRoot)/Tests/Fixtures/order/before-the-scheduler.tsv"
        let golden = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        var found: [String] = []
        var surprises: [String] = []
        var used: Set<Int> = []
        for later in Self.rows {
            for earlier in Self.rows {
                let waiting = later.waits(for: earlier.waiting) ? "waits" : "passes"
                let running = earlier.running.map { later.waits(for: $0) ? "waits" : "passes" } ?? "-"
                let line = [later.name, earlier.name, waiting, running].joined(separator: "\t")
                let before = golden[found.count]
                found.append(line)
                guard line != before else { continue }
                let reason = Self.differences.firstIndex {
                    $0.later.contains(later.name) && $0.earlier.contains(earlier.name)
                }
                if let reason { used.insert(reason) } else { surprises.append("\(line), before: \(before)") }
            }
        }
        #expect(found.count == golden.count)
        #expect(surprises == [])
        #expect(used == Set(Self.differences.indices), "each reason stands for a pair that differs")
    }
}
