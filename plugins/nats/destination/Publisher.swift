internal import ExtensionKit

/// Publishes batches one after the other, so that a chain grows at one end, and remembers the chains.
actor Publisher {
    /// How many chains are remembered, so that a host with many suites does not need more memory with each of them.
    private static let remembered = 256

    private var chains: [Chain.Place: Chain] = [:]
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Publishes a batch when all earlier ones are published.
    ///
    /// - Parameters:
    ///   - delivery: The batch, composed already.
    ///   - deadline: When nothing more is published.
    /// - Returns: The batch with its result.
    func run(_ delivery: BatchDelivery, until deadline: ContinuousClock.Instant) async -> BatchDelivery {
        if isBusy { await withCheckedContinuation { waiting.append($0) } }
        isBusy = true
        var delivery = delivery
        if chains.count > Self.remembered { chains = [:] }
        chains = await delivery.run(chains, until: deadline)
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        return delivery
    }
}
