internal import Contract
internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Suites

/// The bundles of destinations, and their processes.
protocol DestinationBundles: AnyObject {
    /// The bundle of the destination of that name; nil if a reload removed it.
    func destinationBundle(named name: String) -> ExtensionBundle?

    /// The extension of a bundle; its process starts with the first call.
    func process(of bundle: ExtensionBundle) -> ExtensionProcess

    /// The variables of the host's environment that an extension gets.
    func variables(of bundle: ExtensionBundle) -> [(name: String, value: String)]

    /// Whether a process that a reload replaced is still finishing its batches.
    func isLeaving(_ bundle: ExtensionBundle) -> Bool
}

/// A destination that is an extension.
final class BundleDestination: Destination {
    let name: String
    private unowned let bundles: any DestinationBundles

    init(_ name: String, _ bundles: any DestinationBundles) {
        self.name = name
        self.bundles = bundles
    }

    private var bundle: ExtensionBundle? { bundles.destinationBundle(named: name) }

    var batchesAtOnce: Int { bundle?.concurrentBatches ?? 1 }

    var isIdempotent: Bool { bundle?.isIdempotent ?? false }

    var configuration: String {
        guard let bundle else { return "" }
        return bundles.variables(of: bundle).map { "\($0.name)=\($0.value)\0" }.joined()
    }

    var isReady: Bool { bundle.map { !bundles.isLeaving($0) } ?? true }

    func deliver(_ batch: DeliveryBatch, completion: @escaping (DeliveryOutcome) -> Void) {
        guard let bundle else {
            let text = "there is no destination \(JSON.string(name)) any more"
            return completion(DeliveryOutcome(.failure(DeliveryFailure(text, mayHaveArrived: false))))
        }
        let ids = batch.ids
        let process = bundles.process(of: bundle)
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
}

extension BundleDestination: InspectedDestination {
    func dryRun(
        _ batch: DeliveryBatch,
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

    /// Calls a method that delivers nothing, if the destination declares the capability for it.
    private func ask<Reply>(
        _ method: String,
        _ params: [UInt8],
        _ capability: ExtensionCapability,
        _ arguments: Arguments,
        _ completion: @escaping (Result<Reply, RPCError>) -> Void,
        read: @escaping (JSON) throws(ReplyError) -> Reply
    ) {
        guard let bundle else {
            let text = "there is no destination \(JSON.string(name)) any more"
            return completion(.failure(HostError.unknownDestination(text, path: arguments.path("to"))))
        }
        bundles.process(of: bundle).call(method, writtenParams: params, needing: capability) { result in
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
