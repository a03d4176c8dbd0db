import ExtensionKit

/// Sends requests to the endpoint.
protocol Transport: Sendable {
    /// Posts a body and waits for the response, for a bounded time.
    func post(_ body: [UInt8]) async -> Exchange

    /// The request that ``post(_:)`` would make with a body, without the key.
    func planned(_ body: [UInt8]) -> DryRunResult.Request
}
