internal import Contract
package import Delivery
package import ExtensionHost
package import JSON

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

    package func begin(_ ids: [Int64], completion: @escaping (Result<StoredReply, SourceFailure>) -> Void) {
        call("begin", ["ids": .array(JSON.Array(integers: ids))], completion) { value throws(ReplyError) in
            try StoredReply(value, to: "begin")
        }
    }

    package func settle(
        _ settlement: SourceSettlement,
        completion: @escaping (Result<StoredReply, SourceFailure>) -> Void
    ) {
        call("settle", settlement.params, completion) { value throws(ReplyError) in
            try StoredReply(value, to: "settle")
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
                    // Nobody knows which records it handed out or stored, so it starts anew and hands them out again.
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

extension SourceSettlement {
    /// The params on the wire; a list without records is left out.
    package var params: JSON {
        JSON(present: [
            "delivered": JSON(nonEmpty: delivered),
            "dead": JSON(nonEmpty: dead.map { ["id": .integer($0.id), "reason": .string($0.reason)] }),
            "uncertain": JSON(nonEmpty: uncertain), "retry": JSON(nonEmpty: retry), "unsent": JSON(nonEmpty: unsent),
        ])
    }
}
