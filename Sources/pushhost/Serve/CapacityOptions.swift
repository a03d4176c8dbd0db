internal import ArgumentParser
internal import BrazeRules
internal import Configuration
internal import HostCore

/// How much the host keeps and buffers.
struct CapacityOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Refuse longer lines.", valueName: "bytes"))
    var lineLimit = HostConfiguration.defaults.lineLimit

    @Option(help: ArgumentHelp("Stop reading the client's lines while more is unread than this.", valueName: "bytes"))
    var outputLimit = HostConfiguration.defaults.outputLimit

    @Option(help: ArgumentHelp("Keep at most this many presentations; one more ends the oldest.", valueName: "n"))
    var presentations = HostConfiguration.defaults.presentations

    @Option(help: ArgumentHelp("Keep at most this many pending records in a suite.", valueName: "n"))
    var suiteRecords = Int(HostConfiguration.defaults.suiteRecords)

    @Option(help: ArgumentHelp("Limit the size of a suite's records and stored keys.", valueName: "bytes"))
    var suiteBytes = Int(HostConfiguration.defaults.suiteBytes)

    @Option(
        help: ArgumentHelp(
            "Keep at least this many of a suite's newest idempotency keys, however old.",
            valueName: "n"
        )
    )
    var idempotencyKeys = HostConfiguration.defaults.idempotencyKeys

    @Option(
        help: ArgumentHelp(
            "Keep idempotency keys for at least this many days, however many there are.",
            valueName: "n"
        )
    )
    var idempotencyDays = HostConfiguration.defaults.idempotencyDays

    func validate() throws {
        try requireOption("line-limit", lineLimit, in: 1...1 << 30)
        try requireOption("output-limit", outputLimit, in: 1...Int.max >> 1)
        try requireOption("presentations", presentations, in: 1...1_000_000)
        try requireOption("suite-records", suiteRecords, in: 0...Int.max)
        try requireOption("suite-bytes", suiteBytes, in: 0...Int.max)
        try requireOption("idempotency-keys", idempotencyKeys, in: 1...Int.max)
        try requireOption("idempotency-days", idempotencyDays, in: 0...36_500)
    }

    /// Copies the options into the configuration.
    func apply(to settings: inout HostConfiguration) {
        settings.lineLimit = lineLimit
        settings.outputLimit = outputLimit
        settings.presentations = presentations
        settings.suiteRecords = Int64(suiteRecords)
        settings.suiteBytes = Int64(suiteBytes)
        settings.idempotencyKeys = idempotencyKeys
        settings.idempotencyDays = idempotencyDays
    }
}

/// The limits that differ between Braze's documents and customers' contracts; saves and imports enforce them.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The maximum number of elements of an array attribute, or of a change to one, up to \(RecordLimits.arrayElementsRange.upperBound).",
            valueName: "n"
        )
    )
    var arrayElements: Int = RecordLimits().arrayElements

    @Option(
        help: ArgumentHelp(
            "The maximum size of an event's properties, and of an attribute, up to \(RecordLimits.valueBytesRange.upperBound).",
            valueName: "bytes"
        )
    )
    var valueBytes: Int = RecordLimits().valueBytes

    func validate() throws {
        try requireOption("array-elements", arrayElements, in: RecordLimits.arrayElementsRange)
        try requireOption("value-bytes", valueBytes, in: RecordLimits.valueBytesRange)
    }

    /// Copies the options into the configuration.
    func apply(to settings: inout HostConfiguration) {
        settings.recordLimits.arrayElements = arrayElements
        settings.recordLimits.valueBytes = valueBytes
    }
}
