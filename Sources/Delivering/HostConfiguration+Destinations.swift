public import Configuration
internal import ExtensionHost

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
