internal import Contract
package import Delivery
package import ExtensionHost
internal import JSON
internal import Suites

/// A source of records for a relay.
package protocol RecordSource: AnyObject {
    /// Asks for records, for which the source waits some milliseconds, and which it then hands out to no other host.
    ///
    /// None may be sent before ``begin(_:completion:)``.
    func pull(limit: Int, wait: Int64, completion: @escaping (Result<PullReply, SourceFailure>) -> Void)

    /// Stores that records may be sent from now on; after a failure none of them may be.
    func begin(_ ids: [Int64], completion: @escaping (Result<LostRecordsReply, SourceFailure>) -> Void)

    /// Stores the outcomes of records.
    func settle(_ settlement: SettleParams, completion: @escaping (Result<LostRecordsReply, SourceFailure>) -> Void)

    /// Ends the source's process, because it violated the contract; the next call starts another one.
    func end()
}

/// Why a source did not answer.
package struct SourceFailure: Error {
    /// The problem, as a sentence.
    package let problem: String
    /// Whether the source's process does not know any more which records this host keeps, or never did.
    package let isGone: Bool
    /// The shortest pause before the next call, in milliseconds.
    package var retryAfter: Int64 = 0

    /// A failure with its problem as a sentence.
    package init(problem: String, isGone: Bool, retryAfter: Int64 = 0) {
        (self.problem, self.isGone, self.retryAfter) = (problem, isGone, retryAfter)
    }
}

/// The params of `settle`.
package struct SettleParams: Equatable {
    var delivered: [Int64] = []
    var dead: [DeadRecord] = []
    var uncertain: [Int64] = []
    var retry: [Int64] = []
    var unsent: [Int64] = []

    /// A record that becomes a dead letter of the source.
    struct DeadRecord: Equatable {
        let id: Int64
        let reason: String
    }

    /// All records.
    var ids: [Int64] { delivered + dead.map(\.id) + uncertain + retry + unsent }

    var isEmpty: Bool {
        delivered.isEmpty && dead.isEmpty && uncertain.isEmpty && retry.isEmpty && unsent.isEmpty
    }

    /// Adds what became of the records of a batch.
    mutating func add(_ settlement: Settlement) {
        delivered += settlement.delivered
        dead += settlement.deadLetters.map { DeadRecord(id: $0.id, reason: $0.reason) }
        uncertain += settlement.ambiguousPending
    }
}

/// A source that is an extension.
package final class ExtensionSource: RecordSource {
    package let process: ExtensionProcess

    package init(_ process: ExtensionProcess) { self.process = process }

    package func pull(limit: Int, wait: Int64, completion: @escaping (Result<PullReply, SourceFailure>) -> Void) {
        let params: JSON = ["limit": JSON(limit), "wait": .integer(wait)]
        call("pull", params, completion) { value throws(ReplyError) in
            let reply = try PullReply(value)
            guard reply.records.count + reply.unreadable.count <= limit else {
                throw ReplyError("it has more than \(limit) records")
            }
            return reply
        }
    }

    package func begin(_ ids: [Int64], completion: @escaping (Result<LostRecordsReply, SourceFailure>) -> Void) {
        call("begin", ["ids": .array(JSON.Array(integers: ids))], completion) { value throws(ReplyError) in
            try LostRecordsReply(value, to: "begin")
        }
    }

    package func settle(
        _ settlement: SettleParams,
        completion: @escaping (Result<LostRecordsReply, SourceFailure>) -> Void
    ) {
        call("settle", settlement.params, completion) { value throws(ReplyError) in
            try LostRecordsReply(value, to: "settle")
        }
    }

    package func end() { process.kill() }

    private func call<Reply>(
        _ method: String,
        _ params: JSON,
        _ completion: @escaping (Result<Reply, SourceFailure>) -> Void,
        read: @escaping (JSON) throws(ReplyError) -> Reply
    ) {
        let identifier = process.bundle.identifier
        process.call(method, params: params) { [weak self] result in
            switch result {
            case .failure(let failure): completion(.failure(SourceFailure(failure, identifier)))
            case .success(let value):
                do throws(ReplyError) {
                    completion(.success(try read(value)))
                } catch {
                    // Nobody knows which records it handed out or stored, so it must start again and hand them out again.
                    self?.end()
                    let text = "\(identifier) gave an answer that the contract does not allow: \(error.text)"
                    completion(.failure(SourceFailure(problem: text, isGone: true)))
                }
            }
        }
    }
}

extension SourceFailure {
    /// Why an extension did not answer.
    fileprivate init(_ failure: ExtensionFailure, _ identifier: String) {
        problem = "\(identifier) \(failure.reason)"
        switch failure.reason {
        case .refused: isGone = false
        case .unavailable(_, let pause): (isGone, retryAfter) = (true, pause)
        case .exited, .timedOut, .badReply, .misbehaved, .cannotStart, .busy, .incapable, .stopping: isGone = true
        }
    }
}

extension SettleParams {
    /// The params on the wire; a list without records is left out.
    var params: JSON {
        JSON(present: [
            "delivered": JSON(nonEmpty: delivered),
            "dead": JSON(nonEmpty: dead.map { ["id": .integer($0.id), "reason": .string($0.reason)] }),
            "uncertain": JSON(nonEmpty: uncertain), "retry": JSON(nonEmpty: retry), "unsent": JSON(nonEmpty: unsent),
        ])
    }
}
