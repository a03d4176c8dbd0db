internal import Configuration
internal import Contract
internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Presenting
internal import Suites

/// A destination that is an extension.
final class BundleDestination: Destination {
    let name: String
    private let extensions: ExtensionService

    init(_ name: String, _ extensions: ExtensionService) { (self.name, self.extensions) = (name, extensions) }

    /// The bundle; nil if a reload removed it.
    private var bundle: ExtensionBundle? { extensions.catalog.destination(named: name) }

    var batchesAtOnce: Int { bundle?.concurrentBatches ?? 1 }

    var isIdempotent: Bool { bundle?.isIdempotent ?? false }

    var configuration: String {
        guard let bundle else { return "" }
        return extensions.configuration.variables(of: bundle).map { "\($0.name)=\($0.value)\0" }.joined()
    }

    /// Whether no process that a reload replaced is still finishing its batches.
    var isReady: Bool { bundle.map { !extensions.isLeaving($0) } ?? true }

    func deliver(_ batch: OutgoingBatch, completion: @escaping (DeliveryOutcome) -> Void) {
        guard let bundle else {
            let text = "there is no destination \(JSON.string(name)) any more"
            return completion(DeliveryOutcome(.failure(DeliveryFailure(text, mayHaveArrived: false))))
        }
        let ids = batch.ids
        let process = extensions.process(of: bundle)
        process.call("deliver", writtenParams: batch.params) { result in
            let reply = result.mapError { DeliveryFailure($0, bundle: bundle) }
                .flatMap { value in
                    Result { () throws(ReplyError) in try DeliveryReply(value, batch: ids) }
                        .mapError {
                            let text =
                                "\(bundle.identifier) gave an answer that the contract does not allow: \($0.text)"
                            return DeliveryFailure(text, mayHaveArrived: true)
                        }
                }
            let change = process.noticeChangedFiles().map { Diagnostic("bundleChanged", $0) }
            completion(DeliveryOutcome(reply, diagnostic: change))
        }
    }

    // MARK: Without records

    func dryRun(
        _ batch: OutgoingBatch,
        _ arguments: Arguments,
        completion: @escaping (Result<DryRunReply, RPCError>) -> Void
    ) {
        let ids = batch.ids
        ask("deliver", batch.params, .dryRun, arguments, completion) { value throws(ReplyError) in
            try DryRunReply(value, batch: ids)
        }
    }

    func check(_ arguments: Arguments, completion: @escaping (Result<CheckReply, RPCError>) -> Void) {
        ask("check", Array("{}".utf8), .check, arguments, completion) { value throws(ReplyError) in
            try CheckReply(value)
        }
    }

    /// Delivers a batch without records, and returns what a flush without pending records returns.
    ///
    /// The process, the call and the validation of the reply are the same as in every delivery. A failure is reported as the
    /// extension's, with its details, as there is no record to deliver in a next attempt.
    func deliverNothing(
        of suite: SuiteName,
        _ arguments: Arguments,
        completion: @escaping (Result<JSON, RPCError>) -> Void
    ) {
        let params: JSON = ["suite": .string(suite.text), "batch": []]
        ask("deliver", params.bytes, nil, arguments) { [name] reply in
            completion(
                reply.flatMap { reply in
                    if let text = reply.stop {
                        return .failure(HostError.destinationStopped("\(name) does not accept records: \(text)"))
                    }
                    return .success(FlushProgress().result(remaining: 0, reply.diagnostics))
                }
            )
        } read: { value throws(ReplyError) in
            try DeliveryReply(value, batch: [])
        }
    }

    /// Calls a method that delivers no record, if the destination declares the capability that this needs.
    private func ask<Reply>(
        _ method: String,
        _ params: [UInt8],
        _ capability: ExtensionCapability?,
        _ arguments: Arguments,
        _ completion: @escaping (Result<Reply, RPCError>) -> Void,
        read: @escaping (JSON) throws(ReplyError) -> Reply
    ) {
        guard let bundle else {
            let text = "there is no destination \(JSON.string(name)) any more"
            return completion(.failure(HostError.unknownDestination(text, path: arguments.path("to"))))
        }
        extensions.process(of: bundle).call(method, writtenParams: params, needing: capability) { result in
            let reply = result.flatMap { value in
                Result { () throws(ReplyError) in try read(value) }
                    .mapError { ExtensionFailure(reason: .badReply($0.text), wasSent: true) }
            }
            completion(reply.mapError { RPCError($0, bundle: bundle, arguments) })
        }
    }
}

extension DeliveryFailure {
    /// Why an extension did not answer a batch.
    fileprivate init(_ failure: ExtensionFailure, bundle: ExtensionBundle) {
        let text = "\(bundle.identifier) \(failure.reason)"
        switch failure.reason {
        // If the destination answers with an error, it attempted no record of the batch.
        case .refused, .cannotStart, .busy, .stopping, .incapable: self.init(text, mayHaveArrived: false)
        case .unavailable(_, let pause): self.init(text, mayHaveArrived: false, retryAfter: pause)
        case .exited, .timedOut, .badReply, .misbehaved: self.init(text, mayHaveArrived: failure.wasSent)
        }
    }
}
