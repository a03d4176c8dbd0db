package import Calls
public import Configuration
internal import Contract
package import Delivery
internal import ExtensionHost
internal import JSON
package import JSONRPC
internal import Presenting
internal import Suites

/// A destination to which a flush delivers records.
package protocol Destination: AnyObject {
    /// The name, as in the parameter `to` of `flushPending`.
    var name: String { get }

    /// The maximum number of batches under way.
    var batchesAtOnce: Int { get }

    /// Whether a record that is delivered again counts once, so that it may be delivered until it is confirmed.
    var isIdempotent: Bool { get }

    /// Its settings on which it depends whether it can be reached, such as address and key; after a change no earlier pause counts.
    var configuration: String { get }

    /// Whether a batch may be delivered now.
    var isReady: Bool { get }

    /// Delivers a batch, without waiting for it; the completion is called once.
    func deliver(_ batch: OutgoingBatch, completion: @escaping (DeliveryOutcome) -> Void)

    /// Tells which requests a delivery of the batch would make; the completion is called once, perhaps at once.
    func dryRun(
        _ batch: OutgoingBatch,
        _ arguments: Arguments,
        completion: @escaping (Result<DryRunReply, RPCError>) -> Void
    )

    /// Tells whether the destination can be reached and would accept records; the completion is called once, perhaps at once.
    func check(_ arguments: Arguments, completion: @escaping (Result<CheckReply, RPCError>) -> Void)
}

extension Destination {
    package var batchesAtOnce: Int { 1 }
    package var isIdempotent: Bool { false }
    package var isReady: Bool { true }
}

/// Finds a destination by its name; the path is that of the name in a request, if there is one.
///
/// Throws ``HostError/unknownDestination`` with the names of all destinations.
package typealias DestinationFinder = (_ name: String, _ path: String?) throws(RPCError) -> any Destination

extension ExtensionService {
    /// Finds a destination: the file of delivered records, or a bundle.
    package func destination(_ name: String, _ path: String?, _ disk: DiskWork) throws(RPCError) -> any Destination {
        if name == FileDestination.name { return FileDestination(configuration, disk) }
        guard catalog.destination(named: name) != nil else {
            let known = ["caller", FileDestination.name] + catalog.destinationNames
            throw HostError.unknownDestination(
                "there is no destination \(JSON.string(name).excerpt()); there are \(known.joined(separator: ", "))",
                path: path
            )
        }
        return BundleDestination(name, self)
    }
}

extension HostConfiguration {
    /// The names of all destinations that need no caller, unless the given name is one of them.
    ///
    /// Reads the bundles, so it takes as long as the first notification of a session.
    ///
    /// - Parameter name: The name of a destination.
    /// - Returns: The names of all destinations; nil if the given name is one of them.
    public func destinations(without name: String) -> [String]? {
        Self.names([FileDestination.name] + catalog.destinationNames, without: name)
    }

    /// The names of all sources, unless the given name is one of them.
    ///
    /// - Parameter name: The name of a source.
    /// - Returns: The names of all sources; nil if the given name is one of them.
    public func sources(without name: String) -> [String]? { Self.names(catalog.sourceNames, without: name) }

    private var catalog: BundleCatalog {
        BundleCatalog(
            folders: pluginFolders,
            reportsMissing: pluginFoldersAreNamed,
            allowsWritable: allowsWritableBundles
        )
    }

    private static func names(_ names: [String], without name: String) -> [String]? {
        names.contains { $0.utf8.elementsEqual(name.utf8) } ? nil : names
    }
}
