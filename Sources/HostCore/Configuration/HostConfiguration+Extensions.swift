internal import Contract
public import ExtensionHost
public import JSON

// What one extension gets of the host's settings.

extension HostConfiguration {
    /// How long a destination that is asked to leave has at least before each harder step: it has batches to finish.
    private static let destinationStop: Int64 = 5_000

    /// The times and sizes that the extension must keep to.
    public func limits(of bundle: ExtensionBundle) -> ExtensionLimits {
        var limits = extensionLimits
        switch bundle.point {
        case .content: break
        case .service: limits.allow(serviceDeadline)
        case .personalization: limits.allow(personalizationDeadline)
        case .destination:
            limits.allow(deliverDeadline)
            limits.concurrentCalls = bundle.concurrentBatches
            // What is used during a call may be used for another one.
            limits.processorTime *= UInt64(bundle.concurrentBatches)
            limits.stop = max(limits.stop, Self.destinationStop)
        }
        return limits
    }

    /// The variables that the extension's property list names and that are set, in the order of the list.
    ///
    /// They go to a destination alone, and in `activate`: others of the same user can read the environment of a process
    /// before it hides it.
    public func variables(of bundle: ExtensionBundle) -> [(name: String, value: String)] {
        guard bundle.point == .destination else { return [] }
        var known: Set<String> = []
        return bundle.environmentNames.compactMap { name in
            guard known.insert(name).inserted else { return nil }
            return hostEnvironment[name].map { (name, $0) }
        }
    }

    /// What the extension is told in the params of `activate`.
    public func activation(of bundle: ExtensionBundle) -> [(String, JSON)] {
        let members: [(String, JSON)] = [
            ("version", .string(ContractDocuments.version)),
            ("bundle", .string(bundle.identifier)),
            ("locale", .string(locale)),
            ("suites", JSON(bundle.applicationGroups.map(JSON.string))),
        ]
        guard bundle.point == .destination, !bundle.environmentNames.isEmpty else { return members }
        let variables = variables(of: bundle).map { ($0.name, JSON.string($0.value)) }
        return members + [("environment", .object(JSON.Object(variables)))]
    }
}

extension ExtensionLimits {
    /// Sets the time for a call; who may take longer may use more.
    fileprivate mutating func allow(_ milliseconds: Int64) {
        processorTime = processorTime * UInt64(milliseconds) / UInt64(max(1, call))
        call = milliseconds
    }
}
