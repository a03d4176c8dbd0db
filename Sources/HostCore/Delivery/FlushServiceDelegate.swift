internal import Contract
internal import Delivery
internal import JSON
internal import JSONRPC
internal import Suites

/// What the flushes need of the host.
protocol FlushServiceDelegate: AnyObject {
    /// The destination of a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - path: Where the request has it; nil if there is no request.
    /// - Returns: The destination.
    /// - Throws: ``HostError/unknownDestination`` with the names of all destinations.
    func destination(_ name: String, path: String?) throws(RPCError) -> any Destination

    /// The diagnostic for a suite that does not exist although other suites hold records.
    func missingSuite(_ suite: Suite, _ arguments: Arguments) -> Diagnostic?

    /// A token that a lease gets.
    func makeLeaseToken() -> String

    /// Delivers a batch without records: a dry run of the destination.
    func deliverEmptyBatch(to name: String, _ invocation: Invocation) -> HostMethod.Outcome

    /// Answers a request.
    func finish(_ invocation: Invocation, _ result: Result<JSON, RPCError>)

    /// Lets later requests wait for one that runs.
    func hold(_ invocation: Invocation)

    /// Lets nothing wait for a request any more.
    func release(_ invocation: Invocation)

    /// Notifies subscribers of the progress, and the caller if it gave a progress token.
    func publish(_ report: FlushReport, for invocation: Invocation?)

    /// The transaction of a suite is lost.
    func lose(_ suite: Suite?, _ text: String)

    /// Lets requests to flush a suite wait for a flush of the policy.
    func holdFlush(of suite: SuiteName)

    /// Lets no request wait for a flush of the policy any more.
    func releaseFlush(of suite: SuiteName)
}

/// A flush of the suite runs in this host; the request waits for its end.
struct FlushUnderWay: Error {}

/// The settings of the flushes.
struct FlushSettings {
    var delivery = DeliverySettings()
    /// How a suite that another process holds is tried again.
    var heldSuite = RetryPolicy.heldQueue(patience: 5_000)
    /// Makes random numbers reproducible.
    var seed: UInt64?
    /// Whether a session is to give the same bytes each time, so that nothing depends on the speed.
    var isLockStep = false

    /// The shortest time between two reports of the progress of a flush, in milliseconds.
    var reportInterval: Int64 { isLockStep ? 0 : 100 }
}

extension HostConfiguration {
    /// The settings of the flushes.
    var flushSettings: FlushSettings {
        FlushSettings(delivery: delivery, heldSuite: heldSuite, seed: seed, isLockStep: isLockStep)
    }
}
