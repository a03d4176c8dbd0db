internal import Calls
internal import Configuration
internal import Contract
internal import Delivering
internal import ExtensionHost
internal import JSON
internal import Platform
internal import Presenting
internal import Suites

/// Makes the results of `status` and `extensions`.
final class HostStatus {
    private let configuration: HostConfiguration
    private let extensions: Extensions
    private let presentations: Presentations
    private let publisher: Publisher
    private let flushes: FlushService
    private let logSink: LogSink

    init(
        _ configuration: HostConfiguration,
        _ extensions: Extensions,
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

    /// The result of `status`, from the numbers of the suites that can be read now.
    func host(_ suites: [SuiteSummary]) -> JSON {
        let processes = extensions.processes
        return JSON(present: [
            "version": .string(ContractDocuments.version),
            "sqlite": .string(SuiteStore.sqliteVersion),
            "jansson": .string(JSON.janssonVersion),
            "swift": .string(Self.swiftVersion),
            "schema": JSON(SuiteStore.schemaVersion),
            "data": .string(configuration.dataFolder),
            "plugins": JSON(configuration.pluginFolders.map(JSON.string)),
            "requestsInFlight": JSON(publisher.client?.unansweredCount ?? 0),
            "presentations": JSON(presentations.visible.count),
            "extensionsRunning": JSON(processes.count { $0.pid != nil }),
            "extensionsBackingOff": JSON(processes.count { $0.retryAfter != nil }),
            "extensionFaults": JSON(processes.reduce(0) { $0 + $1.faults }),
            "deadLetters": .integer(suites.reduce(0) { $0 + $1.deadLetters }),
            "deliveries": flushes.status,
            "logLinesDropped": JSON(logSink.dropped),
            "possiblySent": JSON(positive: suites.reduce(0) { $0 + $1.possiblySent }),
        ])
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
                    let history = extensions.history(bundle).map(Self.describe) ?? ["starts": 0]
                    let problems: MemberList = ["problems": JSON(extensions.problems(of: bundle).map(\.json))]
                    let allowed = extensions.configuration.allowedBundles.allows(bundle)
                    let sandbox: MemberList = [
                        "allowed": bundle.declaration == nil ? nil : .bool(allowed),
                        "sandbox": .string(extensions.sandboxState),
                    ]
                    return JSON(present: Self.describe(bundle) + sandbox + process + history + problems)
                }
            ),
            "problems": JSON(catalog.problems.map(\.json)),
        ]
    }

    private static func describe(_ bundle: ExtensionBundle) -> MemberList {
        [
            "identifier": .string(bundle.identifier),
            "path": .string(bundle.path),
            "executable": .string(bundle.executable),
            "point": .string(bundle.point.rawValue),
            "categories": JSON(bundle.categories.map(JSON.string)),
            "applicationGroups": JSON(bundle.applicationGroups.map(JSON.string)),
            "initialContentSizeRatio": .real(bundle.initialContentSizeRatio),
            "defaultContentHidden": .bool(bundle.defaultContentHidden),
            "overridesDefaultTitle": .bool(bundle.overridesDefaultTitle),
            "userInteractionEnabled": .bool(bundle.userInteractionEnabled),
            "destinationName": bundle.destinationName.map(JSON.string),
            "sourceName": bundle.sourceName.map(JSON.string),
            "environment": bundle.point.deliversRecords ? JSON(bundle.environmentNames.map(JSON.string)) : nil,
            "permissions": bundle.permissions.isEmpty
                ? nil
                : [
                    "network": JSON(bundle.permissions.network.map(JSON.string)),
                    "read": JSON(bundle.permissions.readable.map(JSON.string)),
                    "write": JSON(bundle.permissions.writable.map(JSON.string)),
                ],
        ]
    }

    private static let noProcess: MemberList = [
        "state": "idle", "presentations": 0, "callsInFlight": 0, "callsWaiting": 0, "faults": 0,
    ]

    private static func describe(_ process: ExtensionProcess) -> MemberList {
        let usage = process.currentUsage()
        return [
            "state": .string(process.state),
            "stateDescription": .string(process.stateSentence),
            "presentations": JSON(process.presentations),
            "callsInFlight": JSON(process.callsInFlight),
            "callsWaiting": JSON(process.callsWaiting),
            "faults": JSON(process.faults),
            "pid": process.pid.map { .integer(Int64($0)) },
            "activationMilliseconds": process.activationTime.map(JSON.integer),
            "strayLines": JSON(positive: process.strayLines),
            "memory": usage.map { .integer(Int64(clamping: $0.memory)) },
            "processorTime": usage.map { .integer(Int64(clamping: $0.processorTime)) },
            "retryAfter": process.retryAfter.map(JSON.integer),
            "stderr": JSON(nonEmpty: process.standardErrorTail),
        ]
    }

    private static func describe(_ history: ExtensionHistory) -> MemberList {
        [
            "starts": JSON(history.starts),
            "callsAnswered": JSON(history.statistics.answered),
            "callsFailed": JSON(history.statistics.failed),
            "bytesWritten": JSON(history.bytes.written),
            "bytesRead": JSON(history.bytes.read),
            "p50": history.statistics.percentile(0.5).map(JSON.real),
            "p99": history.statistics.percentile(0.99).map(JSON.real),
            "longestCall": history.statistics.answered > 0 ? .real(Double(history.statistics.longest) / 1_000) : nil,
            "peakMemory": JSON(positive: Int(clamping: history.peakMemory)),
            "methods": JSON(nonEmpty: history.methods.sorted { $0.key < $1.key }.map(describe)),
            "orphans": JSON(positive: history.orphans),
            "ends": JSON(nonEmpty: history.ends.map(describe)),
        ]
    }

    private static func describe(_ method: String, _ usage: MethodUsage) -> JSON {
        JSON(present: [
            "method": .string(method),
            "answered": JSON(usage.answered),
            "longest": usage.answered > 0 ? .real(Double(usage.longest) / 1_000) : nil,
            "peakMemory": JSON(positive: Int(clamping: usage.peakMemory)),
        ])
    }

    private static func describe(_ end: ProcessEnd) -> JSON {
        JSON(present: [
            "date": .string(Timestamp.format(end.time)),
            "pid": .integer(Int64(end.pid)),
            "reason": .string(end.cause.description),
            "cause": .string(end.cause.word),
            "exitCode": end.exitCode.map { .integer(Int64($0)) },
            "signal": end.signal.map { .integer(Int64($0)) },
        ])
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
