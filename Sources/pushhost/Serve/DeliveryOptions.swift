internal import ArgumentParser
internal import Configuration
internal import Delivering
internal import Delivery
internal import HostCore
internal import Platform

/// When and how records are flushed to destinations.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Begin a flush automatically: manual (never), onForward, immediate or every:<seconds>.",
            valueName: "policy"
        )
    )
    var flushPolicy: String = "manual"

    @Option(
        help: ArgumentHelp("Send automatic flushes to this destination.", valueName: "name"),
        completion: Completions.destinations
    )
    var flushTo: String = DeliverySettings().policyDestination

    @Option(help: .milliseconds("Let flushPending try this long while nothing is accepted."))
    var retryPatience = Int(DeliverySettings().retry.patience)

    /// Makes `flushPending` send a batch even if there are no records; `pushhost extensions check` uses it.
    @Flag(help: ArgumentHelp(visibility: .hidden))
    var deliverEmptyBatches = false

    func validate() throws {
        let day = 86_400_000
        _ = try policy()
        try requireOption("retry-patience", retryPatience, in: 0...day)
        if flushTo == "caller" {
            throw ValidationError("--flush-to caller: an automatic flush has no caller")
        }
    }

    private func policy() throws -> FlushPolicy {
        switch flushPolicy {
        case "manual": return .manual
        case "onForward": return .onForward
        case "immediate": return .immediate
        default:
            let parts = flushPolicy.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "every", let seconds = Int64(parts[1]), (1...86_400).contains(seconds)
            else {
                let known = "manual, onForward, immediate or every:<seconds> with 1 to 86400 seconds"
                throw ValidationError("--flush-policy \(flushPolicy): it must be \(known)")
            }
            return .every(seconds * 1000)
        }
    }

    /// Throws an error if the destination of automatic flushes does not exist.
    ///
    /// The policy `manual` never uses the destination, so the default one may be missing.
    func validateDestination(_ settings: HostConfiguration) throws {
        guard try policy() != .manual || flushTo != DeliverySettings().policyDestination else { return }
        guard let names = settings.knownDestinations(ifMissing: flushTo) else { return }
        let known = names.joined(separator: ", ")
        throw ValidationError("--flush-to \(flushTo): there is no such destination; there are \(known)")
    }

    /// Copies the options into the configuration.
    func apply(to settings: inout HostConfiguration) throws {
        settings.delivery.policy = try policy()
        settings.delivery.policyDestination = flushTo
        settings.delivery.retry.patience = Int64(retryPatience)
        settings.delivery.deliversEmptyBatches = deliverEmptyBatches
    }
}

/// How a destination that fails is tried again, and the file of the destination `file`; of a host and of a relay.
struct DestinationOptions: ParsableArguments {
    @Option(help: .milliseconds("Pause at most this long after a failed delivery, twice as long after the next."))
    var retryBase = Int(DeliverySettings().retry.base)

    @Option(help: .milliseconds("Never pause longer than this after failed deliveries."))
    var retryLimit = Int(DeliverySettings().retry.limit)

    @Option(
        help: ArgumentHelp(
            "Write the destination `file` to this file; by default delivered.jsonl beside the suites.",
            valueName: "file"
        ),
        completion: .file()
    )
    var deliverFile: String?

    @Option(
        help: ArgumentHelp(
            "Rename that file when it is larger than this, and begin a new one.",
            valueName: "bytes"
        )
    )
    var deliverFileBytes = Int(DeliverySettings().fileBytes)

    func validate() throws {
        let day = 86_400_000
        try requireOption("retry-base", retryBase, in: 0...day)
        try requireOption("retry-limit", retryLimit, in: 0...day)
        try requireOption("deliver-file-bytes", deliverFileBytes, in: 1...Int.max)
        if let deliverFile { try requireFile("deliver-file", deliverFile) }
    }

    /// Copies the options into the configuration.
    func apply(to settings: inout HostConfiguration) {
        settings.delivery.retry.base = Int64(retryBase)
        settings.delivery.retry.limit = Int64(retryLimit)
        settings.delivery.file = deliverFile.map(Paths.absolute)
        settings.delivery.fileBytes = Int64(deliverFileBytes)
    }
}
