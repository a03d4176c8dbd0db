import JSON
import Testing

/// Faults of the server during a flush, and their permitted effects.
struct DeliveryFault: Sendable, CustomTestStringConvertible {
    /// The permitted effect of a fault.
    enum Harm {
        /// No effect: the server receives each record once.
        case none
        /// The outcome is ambiguous though no record arrived: only increments become dead letters.
        case doubt
        /// The outcome is ambiguous, and records that did arrive arrive a second time.
        case duplicates
    }

    let testDescription: String
    let faults: [UsersTrackFault]
    let harm: Harm
    var options: [String: String] = [:]

    private init(_ name: String, _ faults: UsersTrackFault..., harm: Harm, options: [String: String] = [:]) {
        testDescription = name
        self.faults = faults
        self.harm = harm
        self.options = options
    }

    static let all = connections + refusals + waits + answers + errors + deaths

    private static let connections = [
        Self("dropped before it is processed", .drop(), harm: .doubt),
        Self("dropped before its body is read", .drop(early: true), harm: .doubt),
        Self("reset before its body is read", .drop(early: true, reset: true), harm: .doubt),
        Self("dropped after it is processed", .drop(processed: true), harm: .duplicates),
        Self("reset after it is processed", .drop(processed: true, reset: true), harm: .duplicates),
        Self("dropped in the answer's head", .drop(processed: true, sent: 60), harm: .duplicates),
        Self("dropped in the answer's body", .drop(processed: true, sent: 230), harm: .duplicates),
        Self("closed after the answer", .closing, harm: .none),
    ]

    private static let refusals =
        [408, 503].map { (status: Int) in Self("\(status)", .answer(status), harm: .none) }
        // A proxy that answers this may have forwarded the request.
        + [500, 502, 504].map { (status: Int) in Self("\(status)", .answer(status), harm: .doubt) } + [
            Self("several refusals", .answer(503), .answer(503), .tooMany(.none), .answer(408), harm: .none),
            Self("504 after it was processed", .answer(504, processed: true), harm: .duplicates),
            Self("413 once", .answer(413), harm: .none),
            Self("400 once, without errors", .answer(400, body: ["message": "no"]), harm: .none),
            Self("503 as a page", .answer(503, body: "<html>busy</html>"), harm: .none),
        ]

    private static let waits = UsersTrackFault.Mode.allCases.map {
        Self("429, told by \($0.rawValue)", .tooMany($0), harm: .none)
    }

    private static let answers = [
        Self("200 and garbage", .answer(200, body: "<html>hello"), harm: .duplicates),
        Self("201 and garbage", .answer(201, body: "{"), harm: .duplicates),
        Self("200 and garbage, not processed", .answer(200, body: "hello", processed: false), harm: .doubt),
        Self("201 and nothing", .answer(201, body: ""), harm: .duplicates),
        Self("200 and nothing, not processed", .answer(200, body: "", processed: false), harm: .doubt),
        Self("201 and another's JSON", .answer(201, body: ["ok": true]), harm: .duplicates),
        Self("201 and another message", .answer(201, body: ["message": "queued"]), harm: .duplicates),
        Self("200 as success", .answer(200, body: ["message": "success"]), harm: .none),
        Self("a byte at a time", .slow(milliseconds: 2), harm: .none),
        Self("without end", .endless, harm: .duplicates),
    ]

    private static let errors: [Self] = [
        ("null", .null),
        ("a list of strings", ["one thing", "another"]),
        ("one without an index", [["type": "odd", "input_array": "events"]]),
        ("one without an array", [["type": "odd", "index": 0]]),
        ("an index out of range", [["type": "odd", "input_array": "events", "index": 9_999]]),
        ("a negative index", [["type": "odd", "input_array": "events", "index": -1]]),
        ("a text", "odd"),
    ].map { Self("errors: \($0.0)", .merge(["errors": $0.1]), harm: .none) }

    /// The timeout and the kill affect the whole batch, including requests that were already answered.
    private static let deaths = [
        Self("stalled past the deadline", .stall(), harm: .duplicates, options: ["--deliver-deadline": "1500"]),
        Self(
            "stalled after it is processed",
            .stall(processed: true),
            harm: .duplicates,
            options: ["--deliver-deadline": "1500"]
        ),
        Self(
            "stalled in its answer",
            .stall(processed: true, sent: 100),
            harm: .duplicates,
            options: ["--deliver-deadline": "1500"]
        ),
        Self("the destination killed before it is processed", .kill(processed: false), harm: .duplicates),
        Self("the destination killed after it is processed", .kill(processed: true), harm: .duplicates),
    ]
}
