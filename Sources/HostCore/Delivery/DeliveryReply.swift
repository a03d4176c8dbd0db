internal import Contract
internal import JSON

/// A destination's answer to a batch, checked against it.
struct DeliveryReply: Equatable {
    /// What a destination says of a record.
    enum Verdict: Equatable {
        case accepted
        case rejected(String)
        case uncertain
        case held(String)
    }

    /// What it says of each record; those without a word were not attempted.
    var verdicts: [Int64: Verdict] = [:]
    /// Nothing more is to be sent before so many milliseconds are over.
    var retryAfter: Int64?
    /// What an operator has to do before anything more is sent.
    var stop: String?
    /// What the destination remarks.
    var diagnostics: [Diagnostic] = []

    /// The longest pause that a destination may ask for, in milliseconds: a day.
    static let longestPause: Int64 = 86_400_000

    init() {}

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - value: The result of `deliver`.
    ///   - batch: The ids that were delivered.
    /// - Throws: What the contract does not allow, in a sentence's end.
    init(_ value: JSON, batch: Set<Int64>) throws(ReplyError) {
        guard let object = value.object else { throw ReplyError("deliver must be answered with an object") }
        verdicts.reserveCapacity(batch.count)
        for (name, member) in object {
            switch name {
            case "accepted": try add(member, name, batch) { _ in .accepted }
            case "uncertain": try add(member, name, batch) { _ in .uncertain }
            case "rejected": try add(member, name, batch) { .rejected($0) }
            case "held": try add(member, name, batch) { .held($0) }
            case "retryAfter":
                guard let pause = member.integer, pause >= 0 else {
                    throw ReplyError("retryAfter must be a number of milliseconds")
                }
                retryAfter = min(pause, Self.longestPause)
            case "stop":
                guard let text = member.string, !text.isEmpty else {
                    throw ReplyError("stop must say what an operator has to do")
                }
                stop = text
            case "diagnostics": diagnostics = try Diagnostic.list(member)
            // A newer destination may say more than this host knows.
            default: break
            }
        }
    }

    private mutating func add(
        _ list: JSON,
        _ name: String,
        _ batch: Set<Int64>,
        _ verdict: (String) -> Verdict
    ) throws(ReplyError) {
        guard let list = list.array else { throw ReplyError("\(name) must be an array") }
        let hasReasons = name == "rejected" || name == "held"
        for element in list {
            let id = hasReasons ? element["id"]?.integer : element.integer
            let reason = hasReasons ? element["reason"]?.string : ""
            guard let id, let reason else {
                throw ReplyError("\(name) must hold \(hasReasons ? "objects with id and reason" : "ids")")
            }
            guard batch.contains(id) else {
                throw ReplyError("\(name) names the record \(id), which is not in the batch")
            }
            guard verdicts.updateValue(verdict(reason), forKey: id) == nil else {
                throw ReplyError("it names the record \(id) twice")
            }
        }
    }
}
