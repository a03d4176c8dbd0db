package import Platform

/// The settings for flushes to destinations.
package struct DeliverySettings: Sendable {
    /// When a flush begins without a request.
    package var policy = FlushPolicy.manual
    /// The destination of such a flush.
    package var policyDestination = "braze"
    /// The retry policy for destinations that fail; the patience is that of a `flushPending` call.
    package var retry = RetryPolicy(base: 1_000, limit: 300_000, patience: 60_000)
    /// The file of the destination `file`; nil for one beside the suites.
    package var file: String?
    /// The size in bytes at which that file is closed and the next one begun.
    package var fileBytes: Int64 = 64 << 20

    /// Whether a flush to a bundle delivers a batch without records if nothing is pending: a dry run of the destination.
    package var deliversEmptyBatches = false

    /// The defaults.
    package init() {}
}
