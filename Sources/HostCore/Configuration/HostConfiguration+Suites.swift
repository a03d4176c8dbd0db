internal import Suites

extension HostConfiguration {
    /// Whether the data folder has suites already.
    public var hasSuites: Bool {
        // One that cannot be read is told when it is needed.
        let names = try? SuiteStore(folder: dataFolder, limits: suiteLimits).names()
        return names?.isEmpty == false
    }
}
