package import Contract
package import Suites

/// The input and output of a flush.
extension Flush {
    /// Something that happened.
    package enum Event {
        /// The time of ``deadline`` has come.
        case expired
        /// The queue was read.
        case read(QueuePage)
        /// The queue stored the claim of a batch.
        case claimed(Int, QueueClaim)
        /// The queue stored the settlement of a batch.
        case settled(Int)
        /// Another process has locked the queue.
        case busy(Action)
        /// The queue cannot carry out an action.
        case refused(Action, SuiteError)
        /// The transaction of the queue is durable.
        case committed
        /// These claims are durable, in a queue that stores claims and settlements one by one.
        case claimsStored(Set<Int64>)
        /// The queue did not store these claims: none of their records may be sent before they are claimed again.
        case claimsRefused(Set<Int64>)
        /// The settlements of these claims are durable, in a queue that stores claims and settlements one by one.
        case stored(claims: Set<Int64>)
        /// The queue did not store the settlements that it was given; the claims stay as they are.
        case settlementsLost(SuiteError)
        /// The queue has records again.
        case available
        /// The records must not be sent any more; what becomes of those that are being sent is settled.
        case revoked(Set<Int64>)
        /// The transaction of the queue was lost, with every change in it.
        case lost(SuiteError)
        /// The destination answered a batch.
        case answered(Int, DeliveryReply)
        /// A batch was not answered.
        case failed(Int, DeliveryFailure)
        /// The caller adds a diagnostic to the reply.
        case diagnosed(Diagnostic)
        /// The client sends no more requests, so the flush should not wait for the destination.
        case expedited
        /// The flush was cancelled and must not send another batch.
        case cancelled
    }

    /// An action that the caller must carry out.
    package enum Action: Equatable {
        /// Read records of the queue. The event is `read`, `busy` or `refused`.
        case read(ClosedRange<Int64>, records: Int, bytes: Int)
        /// Claim a batch in the queue. The event is `claimed`, `busy` or `refused`.
        case claim(Int, [StoredRecord])
        /// Store the settlement of a batch in the queue. The event is `settled`, `busy` or `refused`.
        case settle(Int, claim: Int64, Settlement, HealthChange?)
        /// Report the progress.
        case report
        /// Answer the request for the flush; the answer does not wait for `end`.
        case reply(Ending)
        /// The flush is over.
        case end(Ending)
    }

    /// How a flush ended.
    package enum Ending: Equatable {
        /// Every record was sent.
        case done
        /// An operator must do this before the destination can continue.
        case stopped(String)
        /// The destination accepts nothing now.
        case unavailable(problem: String, retryAfter: Int64)
        case cancelled
        /// The queue cannot carry out an action.
        case refused(SuiteError)
    }

    /// A change of a destination's health for the queue to store; the pause is in milliseconds.
    package struct HealthChange: Equatable {
        package let failures: Int
        package let pause: Int64?
        package let problem: String?
    }

    /// The parameters of a flush.
    package struct Request {
        /// The id of the newest record to deliver; later records belong to the next flush.
        package var newest: Int64
        /// The maximum number of records to deliver.
        package var limit = Int64.max
        /// The maximum number of batches under way.
        package var batchesAtOnce = 1
        /// Whether an ambiguous record may be offered until it is confirmed.
        package var isIdempotent = false
        /// Whether records that the destination cannot accept as they are become dead letters, since the queue cannot go on
        /// without their settlement.
        package var rejectsHeldRecords = false
        /// The user for records without one, as JSON text.
        package var user: String?
        /// The shortest time between two reports of the progress, in milliseconds.
        package var reportInterval: Int64 = 0

        package init(newest: Int64) { self.newest = newest }
    }
}
