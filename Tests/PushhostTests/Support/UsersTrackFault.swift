import JSON

/// What ``UsersTrackServer`` does wrong with a request; `Tests/Fixtures/users-track/README.md` describes each fault.
struct UsersTrackFault: Sendable {
    /// The form in which a refusal states the time to wait.
    enum Mode: String, Sendable, CaseIterable {
        case none, epoch, seconds, mau, nonsense
        case retryAfter = "retry-after"
        case retryAfterDate = "retry-after-date"
    }

    /// What the server answers to a request with a culprit.
    enum CulpritAnswer: String, Sendable { case index, refuse, tooLarge }

    let json: JSON

    /// No fault: the request passes.
    static let none = Self("none")

    /// A response that never ends, to a request that is processed.
    static let endless = Self("endless")

    /// The connection ends after that many bytes of the response to a processed request.
    static func drop(
        processed: Bool = false,
        sent: Int = 0,
        early: Bool = false,
        reset: Bool = false,
        sparesEmpty: Bool = false
    ) -> Self {
        Self(
            "drop",
            ("processed", .bool(processed)),
            ("sent", JSON(sent)),
            ("early", .bool(early)),
            ("reset", .bool(reset)),
            ("sparesEmpty", .bool(sparesEmpty))
        )
    }

    /// The request stalls until ``UsersTrackServer/release()``.
    static func stall(processed: Bool = false, sent: Int = 0) -> Self {
        Self("stall", ("processed", .bool(processed)), ("sent", JSON(sent)))
    }

    /// A different response, to a request that is processed if the status is a success, or as `processed` says.
    ///
    /// A text is the body unchanged; any other JSON value is serialized.
    static func answer(
        _ status: Int? = nil,
        headers: JSON? = nil,
        body: JSON? = nil,
        processed: Bool? = nil
    ) -> Self {
        Self(
            "answer",
            ("status", status.map { JSON($0) }),
            ("headers", headers),
            ("body", body),
            ("processed", processed.map(JSON.bool))
        )
    }

    /// The normal response with additional members.
    static func merge(_ members: JSON) -> Self { Self("answer", ("merge", members)) }

    /// The normal response, one byte at a time, with this interval.
    static func slow(milliseconds: Int) -> Self { Self("answer", ("pace", JSON(milliseconds))) }

    /// The normal response, after which the connection ends.
    static let closing = Self("answer", ("close", true))

    /// A response with status 429.
    static func tooMany(_ mode: Mode, seconds: Double = 1) -> Self {
        Self("tooMany", ("mode", .string(mode.rawValue)), ("seconds", .real(seconds)))
    }

    /// SIGKILL for a process, by default for the one that sent the request.
    static func kill(_ process: Int32? = nil, processed: Bool) -> Self {
        Self("kill", ("victim", process.map { JSON(Int($0)) } ?? "client"), ("processed", .bool(processed)))
    }

    private init(_ name: String, _ members: (String, JSON?)...) {
        let given = members.compactMap { member in member.1.map { (member.0, $0) } }
        json = .object(JSON.Object([("fault", .string(name))] + given))
    }
}
