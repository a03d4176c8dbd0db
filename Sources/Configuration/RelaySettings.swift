package import Platform

/// What a relay delivers from where.
package struct RelaySettings: Sendable {
    /// The name of the source.
    package var source: String
    /// The name of the destination.
    package var destination: String
    /// How long the source waits for records before it answers that there are none, in milliseconds.
    package var pullWait: Int64 = 5_000
    /// How long a relay that stops tries to store what became of its records, in milliseconds.
    package var stopPatience: Int64 = 5_000

    /// Where metrics are asked for; nil for none.
    package var listener: LoopbackListener?

    package init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }
}
