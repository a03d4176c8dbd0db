internal import ArgumentParser
internal import Configuration
internal import ExtensionHost
internal import HostCore

/// The limits that extensions must observe.
struct ExtensionOptions: ParsableArguments {
    @Option(help: .milliseconds("Kill an extension that does not answer in this time."))
    var callDeadline = Int(ExtensionLimits.defaults.call)

    @Option(help: .milliseconds("Kill an extension that does not answer activate in this time."))
    var activateDeadline = Int(ExtensionLimits.defaults.activate)

    @Option(help: .milliseconds("Kill a service extension that does not answer in this time."))
    var serviceDeadline = Int(HostConfiguration.defaults.serviceDeadline)

    @Option(help: .milliseconds("Fail a template that is not rendered in this time."))
    var personalizationDeadline = Int(HostConfiguration.defaults.personalizationDeadline)

    @Option(help: .milliseconds("Stop checkExtension after this time."))
    var checkDeadline = Int(HostConfiguration.defaults.checkDeadline)

    @Option(help: .milliseconds("Kill a destination that does not answer a batch in this time."))
    var deliverDeadline = Int(HostConfiguration.defaults.deliverDeadline)

    @Option(help: .milliseconds("Wait this long before SIGTERM, and again before SIGKILL, to stop a process."))
    var stopGrace = Int(ExtensionLimits.defaults.stop)

    @Option(help: .milliseconds("Stop an extension that was unused for this time."))
    var idleStop = Int(ExtensionLimits.defaults.idle)

    @Option(help: "Let at most this many calls wait for an extension.")
    var waitingCalls = ExtensionLimits.defaults.waitingCalls

    @Option(help: "Restart an extension at once after this many faults within --restart-window.")
    var restartBudget = ExtensionLimits.defaults.freeRestarts

    @Option(help: .milliseconds("Count a fault of an extension towards --restart-budget for this time."))
    var restartWindow = Int(ExtensionLimits.defaults.restartWindow)

    @Option(help: ArgumentHelp("Limit the resident memory of an extension; 0 for no limit.", valueName: "bytes"))
    var extensionMemory = Int(ExtensionLimits.defaults.memory)

    @Option(help: .milliseconds("Limit the processor time of a call; 0 for no limit."))
    var extensionCpu = Int(ExtensionLimits.defaults.processorTime)

    @Option(help: "Limit the processes of an extension; 0 for no limit.")
    var extensionProcesses = ExtensionLimits.defaults.processes

    @Flag(help: "Run bundles into which any user may write. Such a user can run programs as you.")
    var allowWritablePlugins = false

    @Option(help: "Limit the open descriptors of an extension.")
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

/// The options for the sandbox of extensions.
struct SandboxOptions: ParsableArguments {
    @Flag(help: "Let extensions do everything that you may do.")
    var noSandbox = false

    @Flag(help: "Start only if the system can restrict extensions in every way.")
    var requireSandbox = false

    @Option(
        help: ArgumentHelp(
            "Let this bundle have what it declares in this run; repeat for more.",
            valueName: "identifier"
        )
    )
    var allow: [String] = []

    @Flag(help: "Give service extensions only the memory, time, network and files that a locked phone grants.")
    var phone = false

    func validate() throws {
        for (option, isSet) in [("require-sandbox", requireSandbox), ("phone", phone)] where isSet && noSandbox {
            throw ValidationError("--no-sandbox and --\(option) exclude each other; leave out one")
        }
    }

    /// Throws an error if extensions would get more time than a phone gives them.
    func validate(serviceDeadline: Int) throws {
        let limit = PhoneBudget.serviceDeadline
        if phone, serviceDeadline > limit {
            throw ValidationError("--phone: iOS waits \(limit) ms for a service extension; lower --service-deadline")
        }
    }

    /// Copies the options into the configuration.
    func apply(to settings: inout HostConfiguration) {
        settings.sandbox = mode
        settings.allowedBundles = allowedBundles
        settings.isPhone = phone
    }

    var mode: SandboxMode { noSandbox ? .off : requireSandbox ? .required : .available }

    /// The arguments of `serve` that say the same.
    var serveArguments: [String] {
        (noSandbox ? ["--no-sandbox"] : []) + (requireSandbox ? ["--require-sandbox"] : [])
            + (phone ? ["--phone"] : []) + allow.flatMap { ["--allow", $0] }
    }

    /// The bundles that may have what they declare.
    var allowedBundles: AllowedBundles { StandardFolders().allowedBundles(and: allow) }
}
