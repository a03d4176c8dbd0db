import ExtensionKit
import Foundation

/// Delivers what suites hold to Braze, with `POST /users/track`.
@main
struct Braze: DestinationExtension {
    private let office: Office

    init(context: DestinationContext) {
        // With these URLSession writes every header, the key's too, to stderr.
        for name in ["URLSessionDebug", "URLSessionDebugLibcurl"] { unsetenv(name) }
        // libcurl reads them where it knows no other way; here, nobody else can read them.
        for name in Variable.proxies { if let value = context.environment[name] { setenv(name, value, 1) } }
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
        // A request to this machine goes through no proxy, which would get the key in plain text.
        if configuration.endpoint.isLoopback { setenv("no_proxy", "*", 1) }
        let transport = HTTPTransport(
            configuration.endpoint,
            configuration.key,
            timeout: configuration.timeout,
            // Two batches at once.
            connections: 2 * configuration.connections
        )
        let courier = Courier(configuration: configuration, transport: transport, gate: RateGate(configuration.rate))
        present = courier
        return courier
    }

    /// Forgets the configuration, which is read again for the next batch.
    func close() { present = nil }
}
