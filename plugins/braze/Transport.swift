/// What carries requests to the endpoint.
protocol Transport: Sendable {
    /// Posts a body and waits for what comes of it, for a bounded time.
    func post(_ body: [UInt8]) async -> Exchange
}
