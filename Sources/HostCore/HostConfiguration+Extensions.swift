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
        case .destination:
            limits.allow(deliverDeadline)
            limits.concurrentCalls = bundle.concurrentBatches
            // What is used during a call may be used for another one.
            limits.processorTime *= UInt64(bundle.concurrentBatches)
            limits.stop = max(limits.stop, Self.destinationStop)
        }
        return limits
    }

    /// All that the extension may know of its surroundings: a destination what its property list names, no other
    /// anything of that.
    public func environment(of bundle: ExtensionBundle) -> [String: String] {
        guard bundle.point == .destination else { return environment }
        let named = hostEnvironment.filter { bundle.environmentNames.contains($0.key) }
        return environment.merging(named) { $1 }
    }

    /// What every extension is told in the params of `activate`.
    public func activation(of bundle: ExtensionBundle) -> [(String, JSON)] {
        [
            ("version", .string(Contract.version)),
            ("bundle", .string(bundle.identifier)),
            ("locale", .string(locale)),
            ("suites", JSON(bundle.applicationGroups.map(JSON.string))),
        ]
    }
}

extension ExtensionLimits {
    /// Sets the time for a call; who may take longer may use more.
    fileprivate mutating func allow(_ milliseconds: Int64) {
        processorTime = processorTime * UInt64(milliseconds) / UInt64(max(1, call))
        call = milliseconds
    }
}
