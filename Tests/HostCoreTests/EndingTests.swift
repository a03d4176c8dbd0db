import Testing

@testable import Calls
@testable import HostCore

@Suite struct EndingTests {
    /// How each state is reached, by the events before it.
    private static let paths: [(state: String, events: [Ending.Event])] = [
        ("serving", []),
        ("finishing", [.inputEnded]),
        ("draining", [.shutdown]),
        ("aborting", [.clientLost]),
        ("stopping", [.shutdown, .drained]),
        ("flushing", [.shutdown, .drained, .processesEnded]),
        ("over", [.shutdown, .drained, .processesEnded, .outputRead]),
    ]
    private static let events: [Ending.Event] = [
        .inputEnded, .shutdown, .clientLost, .signal(15), .drained, .processesEnded, .outputRead, .deadlinePassed,
    ]

    /// Every transition and action of a host, each as a line; events without an effect are left out.
    private static func table(isRelay: Bool, after signals: [Ending.Event] = []) -> [String] {
        paths.flatMap { path in
            events.compactMap { event in
                var ending = Ending(isRelay: isRelay, patience: 2_000)
                for earlier in path.events + signals { ending.handle(earlier, now: 10) }
                let before = ending.state
                let actions = ending.handle(event, now: 100)
                guard ending.state != before || !actions.isEmpty else { return nil }
                return "\(before) + \(event) = \(ending.state)" + actions.map { " \($0)" }.joined()
            }
        }
    }

    @Test("Each transition of a host with a client happens, and no other one")
    func transitions() {
        #expect(
            Self.table(isRelay: false) == [
                "serving + inputEnded = finishing",
                "serving + shutdown = draining",
                "serving + clientLost = aborting",
                "serving + signal(15) = aborting",
                "finishing + shutdown = draining",
                "finishing + clientLost = aborting",
                "finishing + signal(15) = aborting",
                "finishing + drained = stopping stopExtensions",
                "draining + clientLost = aborting",
                "draining + signal(15) = aborting",
                "draining + drained = stopping stopExtensions",
                "aborting + drained = stopping stopExtensions",
                "stopping + processesEnded = flushing(until: nil)",
                "flushing(until: nil) + signal(15) = flushing(until: Optional(2100))",
                "flushing(until: nil) + outputRead = over",
                "flushing(until: nil) + deadlinePassed = over",
            ]
        )
    }

    @Test("After a signal the client has a limited time, and a second signal kills the processes in every state")
    func secondSignal() {
        #expect(
            Self.table(isRelay: false, after: [.signal(2)]) == [
                "aborting + signal(15) = aborting kill",
                "aborting + drained = stopping stopExtensions",
                "aborting + signal(15) = aborting kill",
                "aborting + drained = stopping stopExtensions",
                "aborting + signal(15) = aborting kill",
                "aborting + drained = stopping stopExtensions",
                "aborting + signal(15) = aborting kill",
                "aborting + drained = stopping stopExtensions",
                "stopping + signal(15) = stopping kill",
                "stopping + processesEnded = flushing(until: Optional(2100))",
                "flushing(until: Optional(2010)) + signal(15) = flushing(until: Optional(100)) kill",
                "flushing(until: Optional(2010)) + outputRead = over",
                "flushing(until: Optional(2010)) + deadlinePassed = over",
                "over + signal(15) = over kill",
            ]
        )
    }

    @Test("A relay finishes its batches after the first signal, and aborts after the second one")
    func relay() {
        var ending = Ending(isRelay: true, patience: 2_000)
        #expect(ending.handle(.signal(15), now: 0) == [.stopRelay])
        #expect(ending.state == .draining && ending.exitCode == 0)
        var finished = ending
        #expect(finished.handle(.drained, now: 0) == [.stopExtensions])
        #expect(finished.handle(.processesEnded, now: 0).isEmpty && finished.exitCode == 0)
        #expect(ending.handle(.signal(2), now: 0) == [.kill])
        #expect(ending.state == .aborting && ending.exitCode == 128 + 15)
    }

    @Test("Only a host that serves or finishes handles messages, and what began is finished before it stops")
    func states() {
        var ending = Ending(isRelay: false, patience: 2_000)
        var seen: [String] = []
        for event in [nil, Ending.Event.inputEnded, .shutdown, .drained, .processesEnded, .outputRead] {
            if let event { ending.handle(event, now: 0) }
            seen.append("\(ending.state) \(ending.admitsMessages) \(ending.isFinishing)")
        }
        let expected = [
            "serving true false", "finishing true true", "draining false true", "stopping false false",
            "flushing(until: nil) false false", "over false false",
        ]
        #expect(seen == expected && ending.exitCode == nil)
        var lost = Ending(isRelay: false, patience: 2_000)
        lost.handle(.clientLost, now: 0)
        #expect(!lost.admitsMessages && !lost.isFinishing)
    }

    @Test("Only a client that must still read after a signal has a deadline, and the exit code is that of the signal")
    func deadline() {
        var ending = Ending(isRelay: false, patience: 2_000)
        for event in [Ending.Event.signal(15), .signal(2), .drained] {
            ending.handle(event, now: 0)
            #expect(ending.deadline == nil && ending.exitCode == 128 + 15)
        }
        ending.handle(.processesEnded, now: 7)
        #expect(ending.deadline == 7, "two signals leave no time")
        var patient = Ending(isRelay: false, patience: 2_000)
        for event in [Ending.Event.shutdown, .drained, .processesEnded] { patient.handle(event, now: 0) }
        #expect(patient.deadline == nil && patient.exitCode == nil)
        patient.handle(.signal(1), now: 5)
        #expect(patient.deadline == 2_005 && patient.exitCode == 128 + 1)
        patient.handle(.deadlinePassed, now: 2_005)
        #expect(patient.deadline == nil && patient.state == .over)
    }
}
