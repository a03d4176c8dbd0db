package import Calls
package import Configuration
internal import Contract
internal import JSON
package import JSONRPC
internal import Spelling
package import Suites

/// Finds the suite of a call.
package final class SuiteService {
    private let defaultSuite: String
    private let store: SuiteStore
    /// The suite of the last call, which the next call often names too.
    private var lastSuite: Suite?

    package init(_ configuration: HostConfiguration, _ store: SuiteStore) {
        defaultSuite = configuration.defaultSuite
        self.store = store
    }

    /// Sets the suite of a call about records.
    package func setSuite(of invocation: Invocation) throws(RPCError) { try setSuite(of: invocation, hasOwn: false) }

    /// Sets the suite of a call to the one that it names, or to the default; an extension may only name one of its App
    /// Groups.
    ///
    /// - Parameters:
    ///   - invocation: The call.
    ///   - hasOwn: Whether an extension may name `standard`, its own defaults, which no other extension can read. Records
    ///     cannot be saved there, since its app would never see them.
    /// - Throws: `notEntitled` or `invalidSuiteName`.
    package func setSuite(of invocation: Invocation, hasOwn: Bool) throws(RPCError) {
        // Compared as bytes, without making a string.
        if case .client = invocation.peer.role, let name = invocation.arguments.text("suite"), let lastSuite,
            lastSuite.name.isEqual(to: name)
        {
            return invocation.suite = lastSuite
        }
        let given = try invocation.arguments.optionalString("suite")
        let text: String
        switch invocation.peer.role {
        case .client, .control: text = given ?? defaultSuite
        case .extension(let caller):
            let groups = caller.applicationGroups
            // As on a phone, the file of these defaults has the name of the bundle.
            if hasOwn, given == SuiteName.standard.text {
                text = caller.identifier
                break
            }
            guard let group = given ?? groups.first, groups.contains(group) else {
                throw HostError.notEntitled(
                    "\(caller.identifier) may not touch \(given?.excerpt() ?? "any suite"): "
                        + (groups.isEmpty
                            ? "its entitlements list no App Group"
                            : "its App Groups are \(groups.joined(separator: ", "))"),
                    path: invocation.arguments.path("suite")
                )
            }
            text = group
        }
        // Not by Swift's equality, which ignores how a character is composed.
        if let lastSuite, lastSuite.name.text.utf8.elementsEqual(text.utf8) { return invocation.suite = lastSuite }
        guard let name = SuiteName(text) else {
            throw HostError.invalidSuiteName(
                "\(JSON.string(text).excerpt()) is no suite name: \(SuiteName.rule)",
                path: invocation.arguments.path("suite")
            )
        }
        let suite = store.suite(name)
        lastSuite = suite
        invocation.suite = suite
    }
}
