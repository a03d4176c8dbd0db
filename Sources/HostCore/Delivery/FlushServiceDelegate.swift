internal import Contract
internal import Delivery
internal import JSON
internal import JSONRPC
internal import Suites

/// The services of the host that flushes need.
protocol FlushServiceDelegate: AnyObject {
    /// The destination of a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - path: A JSON Pointer to the name in the request; nil if there is no request.
    /// - Returns: The destination.
    /// - Throws: ``HostError/unknownDestination`` with the names of all destinations.
    func destination(_ name: String, path: String?) throws(RPCError) -> any Destination

    /// The diagnostic for a suite that does not exist although other suites hold records.
    func missingSuite(_ suite: Suite, _ arguments: Arguments) -> Diagnostic?

    /// Makes the token of a new lease.
    func makeLeaseToken() -> String

    /// Delivers a batch without records: a dry run of the destination.
    func deliverEmptyBatch(to name: String, _ invocation: Invocation) -> HostMethod.Outcome

    /// Answers a request.
    func finish(_ invocation: Invocation, _ result: Result<JSON, RPCError>)

    /// Makes later requests wait for a running request.
    func hold(_ invocation: Invocation)

    /// Ends the wait of later requests for a request.
    func release(_ invocation: Invocation)

    /// Notifies subscribers of the progress, and the caller if it gave a progress token.
    func publish(_ report: FlushReport, for invocation: Invocation?)

    /// Handles that the transaction of a suite is lost.
    func lose(_ suite: Suite?, _ text: String)

    /// Makes requests to flush a suite wait for a flush of the policy.
    func holdFlush(of suite: SuiteName)

    /// Ends the wait of requests for a flush of the policy.
    func releaseFlush(of suite: SuiteName)
}

extension FlushServiceDelegate {
    /// Whether the destination of a name is idempotent; false if there is none.
    func isIdempotent(_ destination: String) -> Bool {
        (try? self.destination(destination, path: nil))?.isIdempotent ?? false
    }
}

/// The settings of the flushes.
struct FlushSettings {
    var delivery = DeliverySettings()
    /// How a suite that another process holds is tried again.
    var heldSuite = RetryPolicy.heldQueue(patience: 5_000)
    /// Makes random numbers reproducible.
    var seed: UInt64?
    /// Whether a session must produce the same bytes each time, so that no output depends on the speed.
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
