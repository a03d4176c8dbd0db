package import Calls
public import Configuration
internal import Contract
package import Delivery
internal import ExtensionHost
internal import JSON
package import JSONRPC
internal import Platform
internal import Presenting
internal import Suites

/// A destination to which a flush delivers records.
package protocol Destination: AnyObject {
    /// The name, as in the parameter `to` of `flushPending`.
    var name: String { get }

    /// The maximum number of batches under way.
    var batchesAtOnce: Int { get }

    /// Whether a record that is delivered again counts once, so that it may be delivered until it is confirmed.
    var isIdempotent: Bool { get }

    /// The settings that decide whether it can be reached, such as address and key; the suite keeps a hash of them, and after
    /// a change no earlier pause counts.
    var settingsToHash: String { get }

    /// Whether a batch may be delivered now.
    var isReady: Bool { get }

    /// Delivers a batch, without waiting for it; the completion is called once.
    func deliver(_ batch: OutgoingBatch, completion: @escaping (DeliveryOutcome) -> Void)

    /// Tells which requests a delivery of the batch would make; the completion is called once, perhaps at once.
    func dryRun(
        _ batch: OutgoingBatch,
        _ arguments: Arguments,
        completion: @escaping (Result<DryRunReply, RPCError>) -> Void
    )

    /// Tells whether the destination can be reached and would accept records; the completion is called once, perhaps at once.
    func check(_ arguments: Arguments, completion: @escaping (Result<CheckReply, RPCError>) -> Void)
}

extension Destination {
    package var batchesAtOnce: Int { 1 }
    package var isIdempotent: Bool { false }
    package var isReady: Bool { true }
}

/// Finds a destination by its name; the path is that of the name in a request, if there is one.
///
/// Throws ``HostError/unknownDestination`` with the names of all destinations.
package typealias DestinationFinder = (_ name: String, _ path: String?) throws(RPCError) -> any Destination

extension Extensions {
    /// Finds a destination: the file of delivered records, or a bundle.
    package func destination(_ name: String, _ path: String?, _ disk: DiskWork) throws(RPCError) -> any Destination {
        if name == FileDestination.name { return FileDestination(configuration, disk) }
        guard catalog.destination(named: name) != nil else {
            let known = [CallerFlush.name, FileDestination.name] + catalog.destinationNames
            throw HostError.unknownDestination(
                "there is no destination \(JSON.string(name).excerpt()); there are \(known.joined(separator: ", "))",
                path: path
            )
        }
        return BundleDestination(name, self)
    }
}

extension HostConfiguration {
    /// The names of all destinations that need no caller, if the given name is missing among them.
    ///
    /// Reads the bundles, so it takes as long as the first notification of a session.
    ///
    /// - Parameter name: The name of a destination.
    /// - Returns: The names of all destinations; nil if the given name is one of them.
    public func knownDestinations(ifMissing name: String) -> [String]? {
        Self.names([FileDestination.name] + loadCatalog().destinationNames, ifMissing: name)
    }

    /// The names of all sources, if the given name is missing among them.
    ///
    /// - Parameter name: The name of a source.
    /// - Returns: The names of all sources; nil if the given name is one of them.
    public func knownSources(ifMissing name: String) -> [String]? {
        Self.names(loadCatalog().sourceNames, ifMissing: name)
    }

    private static func names(_ names: [String], ifMissing name: String) -> [String]? {
        names.contains { $0.utf8.elementsEqual(name.utf8) } ? nil : names
    }
}

/// A destination that is an extension.
final class BundleDestination: Destination {
    let name: String
    private let extensions: Extensions

    init(_ name: String, _ extensions: Extensions) { (self.name, self.extensions) = (name, extensions) }

    /// The bundle; nil if a reload removed it, which ``goneText`` then says.
    private var bundle: ExtensionBundle? { extensions.catalog.destination(named: name) }

    private var goneText: String { "there is no destination \(JSON.string(name)) any more" }

    var batchesAtOnce: Int { bundle?.concurrentBatches ?? 1 }

    var isIdempotent: Bool { bundle?.isIdempotent ?? false }

    var settingsToHash: String {
        guard let bundle else { return "" }
        return extensions.configuration.variables(of: bundle).map { variable in
            // A variable may name a file with the settings, as the one with the key of Braze does.
            let stamp = variable.value.hasPrefix("/") ? FileStamp(of: variable.value).map { " \($0.modified)" } : nil
            return "\(variable.name)=\(variable.value)\(stamp ?? "")\0"
        }
        .joined()
    }

    /// Whether no process that a reload replaced is still finishing its batches.
    var isReady: Bool { bundle.map { !extensions.isLeaving($0) } ?? true }

    func deliver(_ batch: OutgoingBatch, completion: @escaping (DeliveryOutcome) -> Void) {
        guard let bundle else {
            return completion(DeliveryOutcome(.failure(DeliveryFailure(goneText, mayHaveArrived: false))))
        }
        let ids = batch.ids
        let process = extensions.process(of: bundle)
        process.call("deliver", writtenParams: batch.params) { result in
            let reply = result.read { value throws(ReplyError) in try DeliveryReply(value, batch: ids) }
                .mapError { DeliveryFailure($0, bundle: bundle) }
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
            return completion(.failure(HostError.unknownDestination(goneText, path: arguments.path("to"))))
        }
        extensions.process(of: bundle).call(method, writtenParams: params, needing: capability) { result in
            completion(result.read(read).mapError { RPCError($0, bundle: bundle, arguments) })
        }
    }
}

extension Result<JSON, ExtensionFailure> {
    /// The answer as it is read; one that the contract does not allow is a failure.
    fileprivate func read<Reply>(_ read: (JSON) throws(ReplyError) -> Reply) -> Result<Reply, ExtensionFailure> {
        flatMap { value in
            Result<Reply, ReplyError> { () throws(ReplyError) in try read(value) }
                .mapError { ExtensionFailure(reason: .badReply($0.text), wasSent: true) }
        }
    }
}

extension HostError {
    /// The error for a flush to a destination that was stopped, with what an operator must do.
    static func stopped(_ destination: String, _ text: String) -> RPCError {
        destinationStopped("\(destination) accepts no records until an operator acts: \(text)")
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
