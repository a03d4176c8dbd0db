import ExtensionKit
import Foundation

/// Delivers what suites hold to Braze, with `POST /users/track`.
@main
struct Braze: DestinationExtension {
    private let office: Office

    init(context: DestinationContext) {
        office = Office(Variables(context.environment))
    }

    func deliver(_ batch: DeliveryBatch) async -> DeliveryResult {
        var result = DeliveryResult()
        do throws(ConfigurationProblem) {
            let courier = try await office.courier()
            result = await courier.deliver(batch)
        } catch {
            result.stop = error.message
        }
        // An operator acts: what is in the file is read again.
        if result.stop != nil { await office.close() }
        return result
    }
}

/// Where the configuration is, and the courier who works by it.
actor Office {
    private let variables: Variables
    private var present: Courier?

    init(_ variables: Variables) { self.variables = variables }

    /// The courier; the configuration is read when there is none.
    func courier() throws(ConfigurationProblem) -> Courier {
        if let present { return present }
        let configuration = try Configuration(variables)
        let transport = try HTTPTransport(
            configuration.endpoint,
            configuration.key,
            timeout: configuration.timeout,
            // Two batches at once.
            connections: 2 * configuration.connections,
            proxies: configuration.proxies
        )
        let courier = Courier(configuration: configuration, transport: transport, gate: RateGate(configuration.rate))
        present = courier
        return courier
    }

    /// Forgets the configuration, which is read again for the next batch.
    func close() { present = nil }
}
