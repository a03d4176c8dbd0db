internal import ArgumentParser
internal import Delivery
internal import HostCore

/// When and how records are flushed to destinations.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When a flush begins by itself: manual (never), onForward, immediate or every:<seconds>.",
            valueName: "policy"
        )
    )
    var flushPolicy: String = "manual"

    @Option(help: ArgumentHelp("The destination of such a flush.", valueName: "name"))
    var flushTo: String = DeliverySettings().policyDestination

    @Option(help: ArgumentHelp("The longest first pause after a failed delivery.", valueName: "milliseconds"))
    var retryBase = Int(DeliverySettings().retry.base)

    @Option(help: ArgumentHelp("The longest pause after any number of them.", valueName: "milliseconds"))
    var retryLimit = Int(DeliverySettings().retry.limit)

    @Option(help: ArgumentHelp("How long flushPending goes on while nothing is taken.", valueName: "milliseconds"))
    var retryPatience = Int(DeliverySettings().retry.patience)

    @Option(
        help: ArgumentHelp(
            "The file of the destination `file`; else delivered.jsonl beside the suites.",
            valueName: "file"
        )
    )
    var deliverFile: String?

    @Option(help: ArgumentHelp("Past this size that file is set aside.", valueName: "bytes"))
    var deliverFileBytes = Int(DeliverySettings().fileBytes)

    /// What `pushhost extensions check` tries a destination with.
    @Flag(help: ArgumentHelp(visibility: .hidden))
    var deliverEmptyBatches = false

    func validate() throws {
        let day = 86_400_000
        _ = try policy()
        try check("retry-base", retryBase, in: 0...day)
        try check("retry-limit", retryLimit, in: 0...day)
        try check("retry-patience", retryPatience, in: 0...day)
        try check("deliver-file-bytes", deliverFileBytes, in: 1...Int.max)
        if flushTo == "caller" {
            throw ValidationError("--flush-to caller: nobody calls when a flush begins by itself")
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

    /// Refuses a destination of the policy that does not exist.
    ///
    /// With the policy `manual` nothing goes there, so the default may be missing.
    func validateDestination(_ settings: HostConfiguration) throws {
        guard try policy() != .manual || flushTo != DeliverySettings().policyDestination else { return }
        guard let names = settings.destinations(without: flushTo) else { return }
        let known = names.joined(separator: ", ")
        throw ValidationError("--flush-to \(flushTo): there is no such destination; there are \(known)")
    }

    /// Puts the options into the configuration.
    func set(_ settings: inout HostConfiguration, _ folders: StandardFolders) throws {
        settings.delivery.policy = try policy()
        settings.delivery.policyDestination = flushTo
        settings.delivery.retry = RetryPolicy(
            base: Int64(retryBase),
            limit: Int64(retryLimit),
            patience: Int64(retryPatience)
        )
        settings.delivery.file = deliverFile.map(folders.absolute)
        settings.delivery.fileBytes = Int64(deliverFileBytes)
        settings.delivery.deliversEmptyBatches = deliverEmptyBatches
    }
}
