internal import ExtensionHost

extension HostConfiguration {
    /// The names of all destinations that need no caller, unless the given name is one of them.
    ///
    /// Reads the bundles, so it takes as long as the first notification of a session.
    ///
    /// - Parameter name: The name of a destination.
    /// - Returns: The names of all destinations; nil if the given name is one of them.
    public func destinations(without name: String) -> [String]? {
        let catalog = BundleCatalog(folders: pluginFolders, reportsMissing: pluginFoldersAreNamed)
        let names = [FileDestination.name] + catalog.destinationNames
        return names.contains { $0.utf8.elementsEqual(name.utf8) } ? nil : names
    }
}
