/// A destination to which a flush delivers records.
package protocol Destination: AnyObject {
    /// The name, as in the parameter `to` of `flushPending`.
    var name: String { get }

    /// The maximum number of batches under way.
    var batchesAtOnce: Int { get }

    /// Whether a record that is delivered again counts once, so that it may be delivered until it is confirmed.
    var isIdempotent: Bool { get }

    /// What decides whether it can be reached, such as its address and its key; after a change no earlier pause counts.
    var configuration: String { get }

    /// Whether a batch may be delivered now.
    var isReady: Bool { get }

    /// Delivers a batch, without waiting for it.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - completion: Called once, with the outcome.
    func deliver(_ batch: DeliveryBatch, completion: @escaping (DeliveryOutcome) -> Void)
}

extension Destination {
    package var batchesAtOnce: Int { 1 }
    package var isIdempotent: Bool { false }
    package var configuration: String { "" }
    package var isReady: Bool { true }
}
