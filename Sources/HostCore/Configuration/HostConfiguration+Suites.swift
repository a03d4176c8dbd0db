internal import Suites

extension HostConfiguration {
    /// Whether the data folder has suites already.
    public var hasSuites: Bool {
        // An unreadable suite is reported when it is needed.
        let names = try? SuiteStore(folder: dataFolder, limits: suiteLimits).names()
        return names?.isEmpty == false
    }
}
