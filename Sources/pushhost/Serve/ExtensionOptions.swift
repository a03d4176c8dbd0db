internal import ArgumentParser
internal import Configuration
internal import ExtensionHost
internal import HostCore

/// The limits that extensions must observe.
struct ExtensionOptions: ParsableArguments {
    @Option(help: .milliseconds("The longest time for an extension's answer."))
    var callDeadline = Int(ExtensionLimits.defaults.call)

    @Option(help: .milliseconds("The longest time for an extension's answer to activate."))
    var activateDeadline = Int(ExtensionLimits.defaults.activate)

    @Option(help: .milliseconds("The longest time for a service extension's answer."))
    var serviceDeadline = Int(HostConfiguration.defaults.serviceDeadline)

    @Option(help: .milliseconds("The longest time to render a template."))
    var personalizationDeadline = Int(HostConfiguration.defaults.personalizationDeadline)

    @Option(help: .milliseconds("The longest time of checkExtension."))
    var checkDeadline = Int(HostConfiguration.defaults.checkDeadline)

    @Option(help: .milliseconds("The longest time for a destination's answer to a batch."))
    var deliverDeadline = Int(HostConfiguration.defaults.deliverDeadline)

    @Option(help: .milliseconds("How long a stop waits before SIGTERM, and then SIGKILL."))
    var stopGrace = Int(ExtensionLimits.defaults.stop)

    @Option(help: .milliseconds("How long an unused extension keeps running."))
    var idleStop = Int(ExtensionLimits.defaults.idle)

    @Option(help: "The maximum number of calls that wait for an extension.")
    var waitingCalls = ExtensionLimits.defaults.waitingCalls

    @Option(help: "How many faults of an extension within --restart-window do not delay its restart.")
    var restartBudget = ExtensionLimits.defaults.freeRestarts

    @Option(help: .milliseconds("How long a fault of an extension counts towards --restart-budget."))
    var restartWindow = Int(ExtensionLimits.defaults.restartWindow)

    @Option(help: ArgumentHelp("The greatest resident memory of an extension; 0 for no limit.", valueName: "bytes"))
    var extensionMemory = Int(ExtensionLimits.defaults.memory)

    @Option(help: .milliseconds("The most processor time for one call; 0 for no limit."))
    var extensionCpu = Int(ExtensionLimits.defaults.processorTime)

    @Option(help: "The greatest number of processes of an extension; 0 for no limit.")
    var extensionProcesses = ExtensionLimits.defaults.processes

    @Flag(help: "Run bundles into which any user may write; such a user could run programs as the user of the host.")
    var allowWritablePlugins = false

    @Option(help: "The greatest number of descriptors that an extension may open.")
    var extensionFiles = ExtensionLimits.defaults.files

    func validate() throws {
        let day = 86_400_000
        let times: KeyValuePairs = [
            "call-deadline": callDeadline, "activate-deadline": activateDeadline, "service-deadline": serviceDeadline,
            "personalization-deadline": personalizationDeadline, "check-deadline": checkDeadline,
            "deliver-deadline": deliverDeadline, "stop-grace": stopGrace, "idle-stop": idleStop,
        ]
        for (option, time) in times { try requireOption(option, time, in: 1...day) }
        try requireOption("waiting-calls", waitingCalls, in: 1...1_000_000)
        try requireOption("restart-budget", restartBudget, in: 0...1_000_000)
        try requireOption("restart-window", restartWindow, in: 1...day)
        try requireOption("extension-memory", extensionMemory, in: 0...Int.max)
        try requireOption("extension-cpu", extensionCpu, in: 0...day)
        try requireOption("extension-processes", extensionProcesses, in: 0...1_000_000)
        try requireOption("extension-files", extensionFiles, in: 16...1_048_576)
    }

    /// Copies the options into the configuration.
    func apply(to settings: inout HostConfiguration) {
        settings.extensionLimits.call = Int64(callDeadline)
        settings.extensionLimits.activate = Int64(activateDeadline)
        settings.serviceDeadline = Int64(serviceDeadline)
        settings.personalizationDeadline = Int64(personalizationDeadline)
        settings.checkDeadline = Int64(checkDeadline)
        settings.deliverDeadline = Int64(deliverDeadline)
        settings.extensionLimits.stop = Int64(stopGrace)
        settings.extensionLimits.idle = Int64(idleStop)
        settings.extensionLimits.waitingCalls = waitingCalls
        settings.extensionLimits.freeRestarts = restartBudget
        settings.extensionLimits.restartWindow = Int64(restartWindow)
        settings.extensionLimits.memory = UInt64(extensionMemory)
        settings.extensionLimits.processorTime = UInt64(extensionCpu)
        settings.extensionLimits.processes = extensionProcesses
        settings.extensionLimits.files = extensionFiles
        settings.allowsWritableBundles = allowWritablePlugins
    }
}
