internal import JSON
internal import JSONRPC

extension DestinationExtension {
    /// Serves the host on stdin and stdout; what `@main` calls.
    public static func main() {
        TaskServer.hideMemory()
        DestinationMain<Self>().run()
    }
}

/// A destination's process: tasks deliver batches.
private final class DestinationMain<Destination: DestinationExtension> {
    private let server = TaskServer()
    private lazy var destination = Destination(
        context: DestinationContext(environment: server.environment) { [host = server.host] in host.log($0, $1) }
    )

    init() {
        let host = server.host
        host.session.textList = TextList("batch", in: "params")
        host.add(DestinationMethod.activate) { [unowned self] _, arguments in
            try server.activate(arguments) { capabilities() }
        }
        host.add(DestinationMethod.deliver) { [unowned self] in try deliver($0, $1) }
        host.add(DestinationMethod.check) { [unowned self] call, _ in try check(call) }
    }

    func run() { server.run() }

    private func deliver(_ call: Call, _ arguments: Arguments) throws -> JSON? {
        let (suite, records) = (try arguments.string("suite"), try arguments.array("batch"))
        let identity = try arguments.optionalString("suiteIdentity")
        let probe = try arguments.optionalBool("probe") ?? false
        let rateShare = try arguments.optional("rateShare", .share)
        let sendUntil = try arguments.optional("sendUntil", .time)
        let isDryRun = try arguments.optionalBool("dryRun") ?? false
        // Read by this thread, which also frees it: the memory that a thread freed serves the next batch that it reads.
        let (batch, unreadable) = try DeliveryBatch.read(
            suite: suite,
            identity: identity,
            records,
            keepsTexts: Destination.keepsTexts,
            probe: probe,
            rateShare: rateShare,
            sendUntil: sendUntil
        )
        if isDryRun {
            guard let destination = destination as? any DryRunDestination else {
                // A dry run must never fall back to a delivery.
                throw RPCError.invalidParams(path: "/params/dryRun", "this destination cannot make a dry run")
            }
            return server.answerLater(call, batch) { batch in
                var result = try await destination.dryRun(batch)
                result.held += unreadable
                return result.json
            }
        }
        let destination = destination
        return server.answerLater(call, batch) { batch in
            var result = try await destination.deliver(batch)
            result.held += unreadable
            return result.json
        }
    }

    private func check(_ call: Call) throws -> JSON? {
        guard let destination = destination as? any CheckableDestination else {
            throw RPCError.methodNotFound(call.method)
        }
        return server.answerLater(call, ()) { _ in try await destination.check().json }
    }

    /// Creates the destination, which reads the environment; returns the optional parts of the contract that it offers.
    private func capabilities() -> [String] {
        [
            destination is any DryRunDestination ? "dryRun" : nil,
            destination is any CheckableDestination ? "check" : nil,
        ].compactMap(\.self)
    }
}
