internal import ExtensionHost

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
