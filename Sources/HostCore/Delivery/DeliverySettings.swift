/// How records are flushed to destinations.
public struct DeliverySettings: Sendable {
    /// When a flush begins without being asked for.
    public enum Policy: Equatable, Sendable {
        /// Only `flushPending` flushes.
        case manual
        /// When a notification opens the app: the moment at which the guide's app flushes.
        case onForward
        /// When a record was saved.
        case immediate
        /// Every so many milliseconds.
        case every(Int64)
    }

    /// When a flush begins without being asked for.
    public var policy = Policy.manual
    /// Where such a flush goes.
    public var policyDestination = "braze"
    /// The longest first pause after a failure, in milliseconds; each further failure doubles it.
    public var retryBase: Int64 = 1_000
    /// The longest pause after any number of failures, in milliseconds.
    public var retryLimit: Int64 = 300_000
    /// How long a `flushPending` goes on while nothing is taken, in milliseconds.
    public var patience: Int64 = 60_000
    /// The file of the destination `file`; absent: beside the suites.
    public var file: String?
    /// Past this size a file is closed and the next one begun, in bytes.
    public var fileBytes: Int64 = 64 << 20

    /// Whether a flush to a bundle delivers a batch without records if nothing is pending: a dry run of the destination.
    public var deliversEmptyBatches = false

    /// The defaults.
    public init() {}
}
