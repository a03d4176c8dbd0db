internal import Suites

extension HostConfiguration {
    /// Whether the data folder already contains suites.
    public var hasSuites: Bool {
        // An unreadable folder is reported when a suite is needed.
        let names = try? SuiteStore(folder: dataFolder, limits: suiteLimits).names()
        return names?.isEmpty == false
    }
}
