/// Where a flush delivers records to.
package protocol Destination: AnyObject {
    /// The name, as `flushPending` has it in `to`.
    var name: String { get }

    /// How many batches may be on the way.
    var batchesAtOnce: Int { get }

    /// Whether a batch may be delivered now.
    var isReady: Bool { get }

    /// Whether ``deliver(_:completion:)`` does the work before it returns: then one batch is delivered in each
    /// iteration of the event loop, so that others are served between two.
    var isBlocking: Bool { get }

    /// Delivers a batch.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - completion: Called once, with what came of it.
    func deliver(_ batch: DeliveryBatch, completion: @escaping (DeliveryOutcome) -> Void)
}

extension Destination {
    package var batchesAtOnce: Int { 1 }
    package var isReady: Bool { true }
    package var isBlocking: Bool { false }
}
