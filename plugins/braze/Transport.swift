/// Sends requests to the endpoint.
protocol Transport: Sendable {
    /// Posts a body and waits for the response, for a bounded time.
    func post(_ body: [UInt8]) async -> Exchange
}
