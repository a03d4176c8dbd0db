internal import Contract
internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC

extension Host {
    /// Delivers a batch without records and answers with what the destination made of it: the dry run of a destination.
    ///
    /// The process, its calls and the validation of its reply are those of every delivery. A failure is reported as that
    /// of the extension, with its details, as no record waits for the next attempt.
    func deliverEmptyBatch(to name: String, _ invocation: Invocation) -> HostMethod.Outcome {
        guard let bundle = extensions.catalog(self).destination(named: name) else {
            return .done(["delivered": 0, "rejected": 0, "possiblySent": 0, "remaining": 0, "diagnostics": []])
        }
        invocation.peer.calls.begin(invocation)
        let params: JSON = ["suite": .string(configuration.defaultSuite), "batch": []]
        extensions.process(bundle, host: self).call("deliver", params: params) { result in
            invocation.peer.calls.end(invocation)
            let outcome = result.flatMap { value in
                Result { () throws(ReplyError) in try DeliveryReply(value, batch: []) }
                    .mapError { ExtensionFailure(reason: .badReply($0.text), wasSent: true) }
            }
            self.finishLate(invocation.call) {
                outcome.mapError { RPCError($0, bundle: bundle, invocation.arguments) }
                    .flatMap { reply in
                        if let text = reply.stop {
                            return .failure(HostError.destinationStopped("\(name) does not accept records: \(text)"))
                        }
                        return .success([
                            "delivered": 0, "rejected": 0, "possiblySent": 0, "remaining": 0,
                            "diagnostics": JSON(reply.diagnostics.map(\.json)),
                        ])
                    }
            }
        }
        return .later
    }
}
