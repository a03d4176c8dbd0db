internal import ArgumentParser
internal import Configuration
internal import Delivery
internal import HostCore
internal import Platform

/// How a destination that fails is tried again, and the file of the destination `file`; of a host and of a relay.
struct DestinationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The longest pause after the first failed delivery; it doubles with each further one.",
            valueName: "milliseconds"
        )
    )
    var retryBase = Int(DeliverySettings().retry.base)

    @Option(help: ArgumentHelp("The longest pause after any number of failed deliveries.", valueName: "milliseconds"))
    var retryLimit = Int(DeliverySettings().retry.limit)

    @Option(
        help: ArgumentHelp(
            "The file of the destination `file`; by default delivered.jsonl beside the suites.",
            valueName: "file"
        ),
        completion: .file()
    )
    var deliverFile: String?

    @Option(
        help: ArgumentHelp(
            "The maximum size of that file; a larger one is renamed and a new one begun.",
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
        settings.delivery.file = deliverFile.map(StandardFolders.absolute)
        settings.delivery.fileBytes = Int64(deliverFileBytes)
    }
}
