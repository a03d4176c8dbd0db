import ExtensionKit

#if canImport(FoundationEssentials)
@_exported import FoundationEssentials
@_exported import Glibc
#else
@_exported import Foundation
#endif

/// Delivers records to Braze with `POST /users/track`.
@main
struct Braze: DestinationExtension, DryRunDestination, CheckableDestination {
    private let provider: ClientProvider

    init(context: DestinationContext) {
        provider = ClientProvider(Variables(context.environment))
    }

    func deliver(_ batch: DeliveryBatch) async -> DeliveryResult {
        var result = DeliveryResult()
        do throws(ConfigurationError) {
            let client = try await provider.client()
            result = await client.deliver(batch)
        } catch {
            result.stop = error.message
        }
        // The operator changes something, so the configuration is read again for the next batch.
        if result.stop != nil { await provider.invalidate() }
        return result
    }

    func dryRun(_ batch: DeliveryBatch) async -> DryRunResult {
        do throws(ConfigurationError) {
            return try await provider.client().dryRun(batch)
        } catch {
            await provider.invalidate()
            var result = DryRunResult()
            result.stop = error.message
            return result
        }
    }

    func check() async -> DestinationCheck {
        do throws(ConfigurationError) {
            let check = try await provider.client().check()
            // The operator corrects the key, so it is read again for the next call.
            if check.isAccepted == false { await provider.invalidate() }
            return check
        } catch {
            await provider.invalidate()
            return DestinationCheck(isReachable: false, isAccepted: false, message: error.message)
        }
    }
}

/// Creates the client from the configuration, and keeps it until the configuration must be read again.
actor ClientProvider {
    private let variables: Variables
    private var current: BrazeClient?

    init(_ variables: Variables) { self.variables = variables }

    /// The client; it is created from the configuration if there is none.
    func client() throws(ConfigurationError) -> BrazeClient {
        if let current { return current }
        let configuration = try Configuration(variables)
        let transport = try HTTPTransport(
            configuration.endpoint,
            configuration.key,
            timeout: configuration.timeout,
            // Two batches at once: `PushhostDestinationConcurrentBatches` in the Info.plist.
            connections: 2 * configuration.connections,
            proxies: configuration.proxies
        )
        let client = BrazeClient(configuration: configuration, transport: transport, gate: RateGate(configuration.rate))
        current = client
        return client
    }

    /// Drops the client, so that the configuration is read again for the next batch.
    func invalidate() { current = nil }
}
