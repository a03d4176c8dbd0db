internal import Contract
internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

// What the host does for flushes and destinations.

extension Host: FlushServiceDelegate {
    func destination(_ name: String, path: String?) throws(RPCError) -> any Destination {
        if name == FileDestination.name { return FileDestination(configuration) }
        guard destinationBundle(named: name) != nil else {
            let names = ["caller", FileDestination.name] + extensions.catalog(self).destinationNames
            let known = names.joined(separator: ", ")
            throw HostError.unknownDestination(
                "there is no destination \(JSON.string(name).excerpt()); there are \(known)",
                path: path
            )
        }
        return BundleDestination(name, self)
    }

    func makeLeaseToken() -> String { random.uuid() }

    func hold(_ invocation: Invocation) { invocation.peer.calls.begin(invocation) }

    func release(_ invocation: Invocation) { invocation.peer.calls.end(invocation) }

    func publish(_ report: FlushReport, for invocation: Invocation?) {
        publish(.progress) { report.notification }
        guard let invocation else { return }
        tellProgress(of: invocation.call, report.settled, report.text)
    }

    func holdFlush(of suite: SuiteName) {
        let hold = PolicyFlush(suite)
        policyFlushes[suite] = hold
        for client in clients { client.calls.beginHold(hold) }
    }

    func releaseFlush(of suite: SuiteName) {
        guard let hold = policyFlushes.removeValue(forKey: suite) else { return }
        for client in clients { client.calls.end(hold) }
    }
}

extension Host: DestinationBundles {
    func destinationBundle(named name: String) -> ExtensionBundle? { extensions.catalog(self).destination(named: name) }

    func process(of bundle: ExtensionBundle) -> ExtensionProcess { extensions.process(bundle, host: self) }

    func isLeaving(_ bundle: ExtensionBundle) -> Bool { !extensions.isSettled && extensions.isLeaving(bundle) }
}

extension HostConfiguration {
    /// The destinations to which records can be flushed without a caller, if a name is not among them.
    ///
    /// Reads the bundles, so it costs what a first notification costs.
    ///
    /// - Parameter name: The name that is looked for.
    /// - Returns: The names of all destinations, or nothing if there is one of that name.
    public func destinations(without name: String) -> [String]? {
        let catalog = BundleCatalog(folders: pluginFolders, reportsMissing: pluginFoldersAreNamed)
        let names = [FileDestination.name] + catalog.destinationNames
        return names.contains { $0.utf8.elementsEqual(name.utf8) } ? nil : names
    }
}
