internal import ArgumentParser
internal import BrazeRules
internal import Configuration
internal import HostCore

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
