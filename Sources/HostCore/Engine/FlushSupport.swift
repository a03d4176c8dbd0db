internal import Contract
internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

/// Provides the services of the host that flushes need.
final class FlushSupport: FlushServiceDelegate {
    private let configuration: HostConfiguration
    private let identifiers: IdentifierGenerator
    private let suites: SuiteDiagnostics
    private let extensions: ExtensionService
    private let outbox: Outbox
    private let publisher: Publisher
    private let disk: DiskWork
    /// The running flushes of the policy, for which requests wait.
    private var policyFlushes: [SuiteName: PolicyFlush] = [:]

    init(
        _ configuration: HostConfiguration,
        _ identifiers: IdentifierGenerator,
        _ suites: SuiteDiagnostics,
        _ extensions: ExtensionService,
        _ outbox: Outbox,
        _ publisher: Publisher,
        _ disk: DiskWork
    ) {
        self.configuration = configuration
        self.identifiers = identifiers
        self.suites = suites
        self.extensions = extensions
        self.outbox = outbox
        self.publisher = publisher
        self.disk = disk
    }

    func missingSuite(_ suite: Suite, _ arguments: Arguments) -> Diagnostic? { suites.missingSuite(suite, arguments) }

    func finish(_ invocation: Invocation, _ result: Result<JSON, RPCError>) {
        outbox.finish(invocation.call, result, dependsOn: invocation.suite)
    }

    func lose(_ suite: Suite?, _ text: String) { outbox.lose(suite, text) }

    func destination(_ name: String, path: String?) throws(RPCError) -> any Destination {
        if name == FileDestination.name { return FileDestination(configuration, disk) }
        guard extensions.destinationBundle(named: name) != nil else {
            let names = ["caller", FileDestination.name] + extensions.catalog.destinationNames
            let known = names.joined(separator: ", ")
            throw HostError.unknownDestination(
                "there is no destination \(JSON.string(name).excerpt()); there are \(known)",
                path: path
            )
        }
        return BundleDestination(name, extensions)
    }

    func makeLeaseToken() -> String { identifiers.uuid() }

    func hold(_ invocation: Invocation) { invocation.peer.calls.begin(invocation) }

    func release(_ invocation: Invocation) { invocation.peer.calls.end(invocation) }

    func publish(_ report: FlushReport, for invocation: Invocation?) {
        publisher.publish(.progress) { report.notification }
        guard let invocation else { return }
        publisher.publishProgress(of: invocation.call, report.settled, report.text)
    }

    func holdFlush(of suite: SuiteName) {
        let hold = PolicyFlush(suite)
        policyFlushes[suite] = hold
        for client in publisher.clients { client.calls.beginHold(hold) }
    }

    func releaseFlush(of suite: SuiteName) {
        guard let hold = policyFlushes.removeValue(forKey: suite) else { return }
        for client in publisher.clients { client.calls.end(hold) }
    }

    /// Delivers a batch without records, and answers with the destination's reply: the dry run of a destination.
    ///
    /// The process, the call and the validation of the reply are the same as in every delivery. A failure is reported as the
    /// extension's, with its details, as there is no record to deliver in a next attempt.
    func deliverEmptyBatch(to name: String, _ invocation: Invocation) -> HostMethod.Outcome {
        guard let bundle = extensions.catalog.destination(named: name) else {
            return .done(["delivered": 0, "rejected": 0, "possiblySent": 0, "remaining": 0, "diagnostics": []])
        }
        invocation.peer.calls.begin(invocation)
        let params: JSON = ["suite": .string(configuration.defaultSuite), "batch": []]
        extensions.process(of: bundle).call("deliver", params: params) { [outbox] result in
            invocation.peer.calls.end(invocation)
            let outcome = result.flatMap { value in
                Result { () throws(ReplyError) in try DeliveryReply(value, batch: []) }
                    .mapError { ExtensionFailure(reason: .badReply($0.text), wasSent: true) }
            }
            outbox.finishLate(invocation.call) {
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

extension ExtensionService: DestinationBundles {
    func destinationBundle(named name: String) -> ExtensionBundle? { catalog.destination(named: name) }

    func variables(of bundle: ExtensionBundle) -> [(name: String, value: String)] {
        configuration.variables(of: bundle)
    }
}
