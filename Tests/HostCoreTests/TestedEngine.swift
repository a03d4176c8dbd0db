import Logging

@testable import Configuration
@testable import HostCore

/// An engine without bundles or suites, whose event loop does not run.
enum TestedEngine {
    /// The methods of the contract that the program has.
    static var methods: MethodTables {
        let configuration = HostConfiguration(dataFolder: "/nonexistent", pluginFolders: [], hostFolder: "/nonexistent")
        let engine = Engine(
            configuration: configuration,
            logger: Logger(label: "tests"),
            logSink: LogSink(descriptor: -1)
        )
        return engine.methods
    }
}
