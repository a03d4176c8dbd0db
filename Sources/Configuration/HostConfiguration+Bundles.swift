internal import Contract
public import ExtensionHost
package import JSON

/// The settings of one bundle.
extension HostConfiguration {
    /// The least pause before SIGTERM, and again before SIGKILL, in milliseconds, for a destination or a source, which may
    /// have records to finish.
    private static let leastDeliveryStop: Int64 = 5_000

    /// How long an unused source keeps running, in milliseconds: a year, as it has leases that it must renew.
    private static let sourceIdle: Int64 = 365 * 86_400_000

    /// The locale of a request: the host's if the request names none, or an empty one.
    package func locale(named name: String?) -> String { name.flatMap { $0.isEmpty ? nil : $0 } ?? locale }

    /// Reads the bundles.
    package func loadCatalog() -> BundleCatalog {
        BundleCatalog(
            folders: pluginFolders,
            reportsMissing: pluginFoldersAreNamed,
            allowsWritable: allowsWritableBundles
        )
    }

    /// The times and sizes that the extension must keep to.
    public func limits(of bundle: ExtensionBundle) -> ExtensionLimits {
        var limits = extensionLimits
        switch bundle.point {
        case .content: break
        case .service:
            limits.setCallLimit(serviceDeadline)
            if isPhone { limits.heap = PhoneBudget.serviceMemory }
        case .personalization: limits.setCallLimit(personalizationDeadline)
        case .destination:
            limits.setCallLimit(deliverDeadline)
            limits.concurrentCalls = bundle.concurrentBatches
            // Processor time that is used during one call may belong to another one.
            limits.processorTime *= UInt64(bundle.concurrentBatches)
            limits.stop = max(limits.stop, Self.leastDeliveryStop)
        case .source:
            limits.setCallLimit(deliverDeadline)
            // A pull waits while records are begun and settled, or the source is checked.
            limits.concurrentCalls = 4
            limits.processorTime *= 4
            limits.stop = max(limits.stop, Self.leastDeliveryStop)
            limits.idle = Self.sourceIdle
        }
        return limits
    }

    /// The environment variables that the extension's property list names and that are set, in the order of the list.
    ///
    /// Only a destination or a source receives them. They are sent in `activate`, as other processes of the same user can read the
    /// environment of a process before that process hides it.
    public func variables(of bundle: ExtensionBundle) -> [(name: String, value: String)] {
        guard bundle.point.deliversRecords else { return [] }
        let environment = hostEnvironment()
        var names: Set<String> = []
        return bundle.environmentNames.compactMap { name in
            guard names.insert(name).inserted else { return nil }
            return environment[name].map { (name, $0) }
        }
    }

    /// The params of `activate` that depend only on the configuration and the bundle.
    package func fixedActivation(of bundle: ExtensionBundle) -> MemberList {
        let variables = variables(of: bundle).map { ($0.name, JSON.string($0.value)) }
        let hasVariables = bundle.point.deliversRecords && !bundle.environmentNames.isEmpty
        return [
            "version": .string(ContractDocuments.version), "bundle": .string(bundle.identifier),
            "locale": .string(locale), "suites": JSON(bundle.applicationGroups.map(JSON.string)),
            "environment": hasVariables ? .object(JSON.Object(variables)) : nil,
        ]
    }
}

/// What iOS grants a service extension; Apple documents only the time, and for a content extension no figure is known.
public enum PhoneBudget {
    /// The memory in bytes at which iOS kills it, according to crash reports.
    public static let serviceMemory: UInt64 = 24 << 20
    /// The time for an answer in milliseconds.
    public static let serviceDeadline = HostConfiguration.defaults.serviceDeadline
}

extension ExtensionLimits {
    /// Sets the time limit of a call, and changes the limit of processor time in proportion.
    fileprivate mutating func setCallLimit(_ milliseconds: Int64) {
        processorTime = processorTime * UInt64(milliseconds) / UInt64(max(1, call))
        call = milliseconds
    }
}
