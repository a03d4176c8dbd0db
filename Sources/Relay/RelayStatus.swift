package import Delivery

/// What a relay does now, and what it has done since it started.
package struct RelayStatus: Equatable, Sendable {
    /// The name of the source.
    package let source: String
    /// The name of the destination.
    package let destination: String
    /// Whether the source hands out records and begins batches, and the destination may accept them.
    package var isReady = false
    /// Whether the relay was asked to stop.
    package var isStopping = false
    /// Whether the destination gets nothing for a while, because it failed, asked for a pause or was stopped.
    package var isPaused = false
    /// How long that will last, in milliseconds.
    package var pause: Int64?
    /// Why the destination fails; nil if it does not.
    package var problem: String?
    /// Why the source fails; nil if it does not.
    package var sourceProblem: String?
    /// The number of records in the source that are not settled, wherever they are; nil if the source does not say.
    package var pending: Int64?
    /// The time of the oldest of them, in milliseconds since 1970; nil if there is none or the source does not say.
    package var oldest: Int64?
    /// The number of records that this relay holds.
    package var held: Int64 = 0
    /// The part of the destination's rate limit that this relay may use.
    package var rateShare = 1.0
    /// The number of records that the destination accepted.
    package var delivered: Int64 = 0
    /// The number of records that became dead letters.
    package var rejected: Int64 = 0
    /// How often a delivery of a record was ambiguous.
    package var ambiguous: Int64 = 0
    /// How often a record was offered again.
    package var retries: Int64 = 0
    /// The number of records that the source took back, or that were lost to it when its process ended.
    package var lost: Int64 = 0

    package init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }
}

extension RelayStatus {
    /// Adds the counts of a flush.
    package mutating func add(_ progress: FlushProgress) {
        delivered += progress.delivered
        rejected += progress.rejected
        ambiguous += progress.possiblySent
        retries += progress.retried
    }
}
