internal import Contract
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

extension Host {
    /// What `flushPending` answers at the end of a delivery.
    func result(of delivery: Delivery, _ ending: Flush.Ending) -> Result<JSON, RPCError> {
        let remaining = (try? delivery.suite.freeRecords(now: clock.wallTime())) ?? 0
        let counts = delivery.progress.members + [("remaining", .integer(remaining))]
        let name = delivery.destination.name
        let diagnostics = delivery.progress.told
        switch ending {
        case .done, .cancelled:
            return .success(.object(JSON.Object(counts + [("diagnostics", JSON(diagnostics.map(\.json)))])))
        case .stopped(let text):
            return .failure(
                HostError.destinationStopped("\(name) takes nothing until somebody acts: \(text)", counts: counts)
            )
        case .unavailable(let problem, let pause):
            let text = "\(name) takes nothing now: \(problem); it may be tried again in \(pause) ms"
            let members = counts + [("retryAfter", .integer(pause))]
            return .failure(HostError.destinationUnavailable(text, counts: members))
        case .refused(let error):
            let refusal = RPCError(error, suite: delivery.suite.name)
            return .failure(refusal.with(counts))
        }
    }
}

extension Flush.Progress {
    /// The counts as the contract names them.
    var members: [(String, JSON)] {
        var members: [(String, JSON)] = [
            ("delivered", .integer(delivered)), ("rejected", .integer(rejected)),
            ("possiblySent", .integer(possiblySent)),
        ]
        if heldRecords > 0 { members.append(("held", .integer(heldRecords))) }
        return members
    }

    /// Why records are held, and what the destination remarked.
    var told: [Diagnostic] {
        held.sorted { $0.key < $1.key }
            .map { Diagnostic("recordsHeld", "\($1) \($1 == 1 ? "record stays" : "records stay") pending: \($0)") }
            + diagnostics
    }
}

extension HostError {
    fileprivate func callAsFunction(_ message: String, counts: [(String, JSON)]) -> RPCError {
        self(message).with(counts)
    }
}

extension RPCError {
    /// The same error with further members in its data.
    fileprivate func with(_ members: [(String, JSON)]) -> RPCError {
        let own = data?.object?.map { ($0.name, $0.value) } ?? []
        return RPCError(code: code, message: message, data: .object(JSON.Object(own + members)))
    }
}
