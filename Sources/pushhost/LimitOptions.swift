internal import ArgumentParser
internal import BrazeRules
internal import HostCore

/// The limits of Braze that its documents and contracts differ in: they decide what is captured, by saves and imports.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The most elements of an array attribute, or of a change of one, up to \(RecordLimits.arrayElementsRange.upperBound).",
            valueName: "n"
        )
    )
    var arrayElements: Int = RecordLimits().arrayElements

    @Option(
        help: ArgumentHelp(
            "The greatest size of an event's properties, and of an attribute, up to \(RecordLimits.valueBytesRange.upperBound).",
            valueName: "bytes"
        )
    )
    var valueBytes: Int = RecordLimits().valueBytes

    func validate() throws {
        try check("array-elements", arrayElements, in: RecordLimits.arrayElementsRange)
        try check("value-bytes", valueBytes, in: RecordLimits.valueBytesRange)
    }

    /// Puts the options into the configuration.
    func set(_ settings: inout HostConfiguration) {
        settings.recordLimits.arrayElements = arrayElements
        settings.recordLimits.valueBytes = valueBytes
    }
}
