internal import Calls
internal import JSON
internal import JSONRPC

/// Handles `shutdown`, whose calls are answered last.
final class Shutdown {
    private let gate: Gate
    private let outbox: Outbox
    private var calls: [Call] = []

    init(_ gate: Gate, _ outbox: Outbox) {
        self.gate = gate
        self.outbox = outbox
    }

    /// Stops the handling of further messages; the call is answered after all calls in flight.
    func request(_ call: Call) {
        gate.end(.shutdown)
        calls.append(call)
    }

    /// Answers the calls.
    func finish() {
        for call in calls { outbox.finish(call, .success(.null)) }
        calls = []
    }
}
