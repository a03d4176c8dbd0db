internal import Calls
internal import Configuration
internal import Contract
internal import Delivering
internal import ExtensionHost
internal import Foundation
internal import JSON
internal import Platform
internal import Presenting
internal import Suites

/// Makes the results of `status` and `extensions`.
final class HostStatus {
    private let configuration: HostConfiguration
    private let extensions: ExtensionService
    private let presentations: Presentations
    private let publisher: Publisher
    private let flushes: FlushService
    private let logSink: LogSink

    init(
        _ configuration: HostConfiguration,
        _ extensions: ExtensionService,
        _ presentations: Presentations,
        _ publisher: Publisher,
        _ flushes: FlushService,
        _ logSink: LogSink
    ) {
        self.configuration = configuration
        self.extensions = extensions
        self.presentations = presentations
        self.publisher = publisher
        self.flushes = flushes
        self.logSink = logSink
    }

    /// The result of `status`.
    ///
    /// - Parameter suites: What the suites hold; one that cannot be read now is missing.
    /// - Returns: The result.
    func host(_ suites: [SuiteSummary]) -> JSON {
        let processes = extensions.processes
        var members: [(String, JSON)] = [
            ("version", .string(ContractDocuments.version)),
            ("sqlite", .string(SuiteStore.sqliteVersion)),
            ("jansson", .string(JSON.janssonVersion)),
            ("swift", .string(Self.swiftVersion)),
            ("schema", JSON(SuiteStore.schemaVersion)),
            ("data", .string(configuration.dataFolder)),
            ("plugins", JSON(configuration.pluginFolders.map(JSON.string))),
            ("requestsInFlight", JSON(publisher.client?.unansweredCount ?? 0)),
            ("presentations", JSON(presentations.visible.count)),
            ("extensionsRunning", JSON(processes.count { $0.pid != nil })),
            ("extensionsBackingOff", JSON(processes.count { $0.retryAfter != nil })),
            ("extensionFaults", JSON(processes.reduce(0) { $0 + $1.faults })),
            ("deadLetters", .integer(suites.reduce(0) { $0 + $1.deadLetters })),
            ("deliveries", flushes.status),
            ("logLinesDropped", JSON(logSink.dropped)),
        ]
        let possiblySent = suites.reduce(0) { $0 + $1.possiblySent }
        if possiblySent > 0 { members.append(("possiblySent", .integer(possiblySent))) }
        return .object(JSON.Object(members))
    }

    /// The version of Swift that built the host; the language offers it only as conditions.
    private static var swiftVersion: String {
        #if compiler(>=6.5)
        "6.5 or later"
        #elseif compiler(>=6.4)
        "6.4"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2 or earlier"
        #endif
    }

    /// The result of `extensions`.
    var allExtensions: JSON {
        let catalog = extensions.catalog
        return [
            "extensions": JSON(
                catalog.bundles.map { bundle in
                    let process = extensions.started(bundle).map(Self.describe) ?? Self.noProcess
                    let history = extensions.history(bundle).map(Self.describe) ?? [("starts", 0)]
                    let problems = [("problems", JSON(extensions.problems(of: bundle).map(\.json)))]
                    return .object(JSON.Object(Self.describe(bundle) + process + history + problems))
                }
            ),
            "problems": JSON(catalog.problems.map(\.json)),
        ]
    }

    private static func describe(_ bundle: ExtensionBundle) -> [(String, JSON)] {
        var members: [(String, JSON)] = [
            ("identifier", .string(bundle.identifier)),
            ("path", .string(bundle.path)),
            ("executable", .string(bundle.executable)),
            ("point", .string(bundle.point.rawValue)),
            ("categories", JSON(bundle.categories.map(JSON.string))),
            ("applicationGroups", JSON(bundle.applicationGroups.map(JSON.string))),
            ("initialContentSizeRatio", .real(bundle.initialContentSizeRatio)),
            ("defaultContentHidden", .bool(bundle.defaultContentHidden)),
            ("overridesDefaultTitle", .bool(bundle.overridesDefaultTitle)),
            ("userInteractionEnabled", .bool(bundle.userInteractionEnabled)),
        ]
        if let name = bundle.destinationName { members.append(("destinationName", .string(name))) }
        if let name = bundle.sourceName { members.append(("sourceName", .string(name))) }
        if bundle.point.getsVariables {
            members.append(("environment", JSON(bundle.environmentNames.map(JSON.string))))
        }
        return members
    }

    private static let noProcess: [(String, JSON)] = [
        ("state", "idle"), ("presentations", 0), ("callsInFlight", 0), ("callsWaiting", 0), ("faults", 0),
    ]

    private static func describe(_ process: ExtensionProcess) -> [(String, JSON)] {
        var members: [(String, JSON)] = [
            ("state", .string(process.state)),
            ("stateDescription", .string(process.stateSentence)),
            ("presentations", JSON(process.presentations)),
            ("callsInFlight", JSON(process.callsInFlight)),
            ("callsWaiting", JSON(process.callsWaiting)),
            ("faults", JSON(process.faults)),
        ]
        if let pid = process.pid { members.append(("pid", .integer(Int64(pid)))) }
        if let time = process.activationTime { members.append(("activationMilliseconds", .integer(time))) }
        if process.strayLines > 0 { members.append(("strayLines", JSON(process.strayLines))) }
        if let usage = process.currentUsage() {
            members.append(("memory", .integer(Int64(clamping: usage.memory))))
            members.append(("processorTime", .integer(Int64(clamping: usage.processorTime))))
        }
        if let milliseconds = process.retryAfter { members.append(("retryAfter", .integer(milliseconds))) }
        let tail = process.standardErrorTail
        if !tail.isEmpty { members.append(("stderr", .string(tail))) }
        return members
    }

    private static func describe(_ history: ExtensionHistory) -> [(String, JSON)] {
        var members: [(String, JSON)] = [
            ("starts", JSON(history.starts)),
            ("callsAnswered", JSON(history.statistics.answered)),
            ("callsFailed", JSON(history.statistics.failed)),
            ("bytesWritten", JSON(history.bytes.written)),
            ("bytesRead", JSON(history.bytes.read)),
        ]
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            if let time = history.statistics.percentile(share) { members.append((name, .real(time))) }
        }
        if history.orphans > 0 { members.append(("orphans", JSON(history.orphans))) }
        if !history.ends.isEmpty { members.append(("ends", JSON(history.ends.map(describe)))) }
        return members
    }

    private static func describe(_ end: ProcessEnd) -> JSON {
        var members: [(String, JSON)] = [
            ("date", .string(Timestamp.format(end.time))),
            ("pid", .integer(Int64(end.pid))),
            ("reason", .string(end.cause.description)),
            ("cause", .string(end.cause.word)),
        ]
        if let code = end.exitCode { members.append(("exitCode", .integer(Int64(code)))) }
        if let signal = end.signal { members.append(("signal", .integer(Int64(signal)))) }
        return .object(JSON.Object(members))
    }
}

extension ProcessEnd.Cause {
    /// The stable word on the wire.
    fileprivate var word: String {
        switch self {
        case .stopped(.bundleReloaded): "bundleReloaded"
        case .stopped(.hostStopping): "hostStopping"
        case .stopped(.unused): "unused"
        case .failed(let reason): HostError(reason).reason
        }
    }
}
