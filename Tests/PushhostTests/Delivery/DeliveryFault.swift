import JSON
import Testing

/// Faults of the server during a flush, and their permitted effects.
struct DeliveryFault: Sendable, CustomTestStringConvertible {
    /// The permitted effect of a fault.
    enum Effect {
        /// The server receives each record once.
        case none
        /// The delivery is ambiguous, but no record arrived: only increments become dead letters.
        case ambiguous
        /// The delivery is ambiguous, and records that did arrive may arrive a second time.
        case duplicates
    }

    let testDescription: String
    let faults: [UsersTrackFault]
    let effect: Effect
    var options: [String: String] = [:]

    private init(_ name: String, _ faults: UsersTrackFault..., effect: Effect, options: [String: String] = [:]) {
        testDescription = name
        self.faults = faults
        self.effect = effect
        self.options = options
    }

    static let all = ofConnections + refusals + waits + answers + errors
    /// The ones for which it matters what happened on the connection before.
    static let ofConnections = connections + deaths

    private static let connections = [
        Self("dropped before it is processed", .drop(), effect: .ambiguous),
        Self("dropped before its body is read", .drop(early: true), effect: .ambiguous),
        Self("reset before its body is read", .drop(early: true, reset: true), effect: .ambiguous),
        Self("dropped after it is processed", .drop(processed: true), effect: .duplicates),
        Self("reset after it is processed", .drop(processed: true, reset: true), effect: .duplicates),
        Self("dropped in the answer's head", .drop(processed: true, sent: 60), effect: .duplicates),
        Self("dropped in the answer's body", .drop(processed: true, sent: 230), effect: .duplicates),
        Self("closed after the answer", .closing, effect: .none),
    ]

    private static let refusals =
        [408, 503].map { (status: Int) in Self("\(status)", .answer(status), effect: .none) }
        // A proxy that answers this may have forwarded the request.
        + [500, 502, 504].map { (status: Int) in Self("\(status)", .answer(status), effect: .ambiguous) } + [
            Self("several refusals", .answer(503), .answer(503), .tooMany(.none), .answer(408), effect: .none),
            Self("504 after it was processed", .answer(504, processed: true), effect: .duplicates),
            Self("413 once", .answer(413), effect: .none),
            Self("400 once, without errors", .answer(400, body: ["message": "no"]), effect: .none),
            Self("503 as a page", .answer(503, body: "<html>busy</html>"), effect: .none),
        ]

    private static let waits = UsersTrackFault.Mode.allCases.map {
        Self("429 with the wait as \($0.rawValue)", .tooMany($0), effect: .none)
    }

    private static let answers = [
        Self("200 and garbage", .answer(200, body: "<html>hello"), effect: .duplicates),
        Self("201 and garbage", .answer(201, body: "{"), effect: .duplicates),
        Self("200 and garbage, not processed", .answer(200, body: "hello", processed: false), effect: .ambiguous),
        Self("201 and nothing", .answer(201, body: ""), effect: .duplicates),
        Self("200 and nothing, not processed", .answer(200, body: "", processed: false), effect: .ambiguous),
        Self("201 and another's JSON", .answer(201, body: ["ok": true]), effect: .duplicates),
        Self("201 and another message", .answer(201, body: ["message": "queued"]), effect: .duplicates),
        Self("200 as success", .answer(200, body: ["message": "success"]), effect: .none),
        Self("a byte at a time", .slow(milliseconds: 2), effect: .none),
        Self("without end", .endless, effect: .duplicates),
    ]

    private static let errors: [Self] = [
        ("null", .null),
        ("a list of strings", ["one thing", "another"]),
        ("one without an index", [["type": "odd", "input_array": "events"]]),
        ("one without an array", [["type": "odd", "index": 0]]),
        ("an index out of range", [["type": "odd", "input_array": "events", "index": 9_999]]),
        ("a negative index", [["type": "odd", "input_array": "events", "index": -1]]),
        ("a text", "odd"),
    ].map { Self("errors: \($0.0)", .merge(["errors": $0.1]), effect: .none) }

    /// The timeout and the kill affect the whole batch, including requests that were already answered.
    private static let deaths = [
        Self("stalled past the deadline", .stall(), effect: .duplicates, options: ["--deliver-deadline": "1500"]),
        Self(
            "stalled after it is processed",
            .stall(processed: true),
            effect: .duplicates,
            options: ["--deliver-deadline": "1500"]
        ),
        Self(
            "stalled in its answer",
            .stall(processed: true, sent: 100),
            effect: .duplicates,
            options: ["--deliver-deadline": "1500"]
        ),
        Self("the destination killed before it is processed", .kill(processed: false), effect: .duplicates),
        Self("the destination killed after it is processed", .kill(processed: true), effect: .duplicates),
    ]
}
