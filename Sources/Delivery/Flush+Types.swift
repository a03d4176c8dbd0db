package import Contract
package import Suites

// The input and output of a flush.

extension Flush {
    /// What happened.
    package enum Event {
        /// The time of ``deadline`` came.
        case expired
        /// The queue was read.
        case read(QueuePage)
        /// The queue stored the claim of a batch.
        case claimed(Int, QueueClaim)
        /// The queue stored the settlement of a batch.
        case settled(Int)
        /// Another process holds the queue.
        case busy(Action)
        /// The queue cannot do something.
        case refused(Action, SuiteError)
        /// The transaction of the queue is durable.
        case committed
        /// The transaction of the queue is lost, with everything that was done in it.
        case lost(SuiteError)
        /// The destination answered a batch.
        case answered(Int, DeliveryReply)
        /// A batch was not answered.
        case failed(Int, DeliveryFailure)
        /// Something deserves a diagnostic.
        case diagnosed(Diagnostic)
        /// The client sends no more requests: there is no point in waiting for the destination.
        case expedited
        /// No further batch is to be sent.
        case cancelled
    }

    /// What is to be done.
    package enum Action: Equatable {
        /// Read records of the queue. The event is `read`, `busy` or `refused`.
        case read(ClosedRange<Int64>, records: Int, bytes: Int)
        /// Claim a batch in the queue. The event is `claimed`, `busy` or `refused`.
        case claim(Int, [StoredRecord])
        /// Store in the queue what became of a batch. The event is `settled`, `busy` or `refused`.
        case settle(Int, claim: Int64, Settlement, HealthChange?)
        /// Report the progress.
        case report
        /// Answer the request for the flush; it need not wait for `end`.
        case reply(Ending)
        /// The flush is over.
        case end(Ending)
    }

    /// How a flush ended.
    package enum Ending: Equatable {
        /// Every record was offered.
        case done
        /// The destination needs an operator, who has to do this.
        case stopped(String)
        /// The destination accepts nothing now.
        case unavailable(problem: String, retryAfter: Int64)
        case cancelled
        /// The queue cannot do what the flush needs.
        case refused(SuiteError)
    }

    /// How far a destination can be reached; the pause is in milliseconds.
    package struct HealthChange: Equatable {
        package let failures: Int
        package let pause: Int64?
        package let problem: String?
    }

    /// What a flush is to do.
    package struct Request {
        /// The newest record to offer: what is saved later belongs to the next flush.
        package var newest: Int64
        /// The greatest number of records to offer.
        package var limit = Int64.max
        /// How many batches may be under way.
        package var batchesAtOnce = 1
        /// The user of records that name none, as JSON text.
        package var user: String?
        /// The shortest time between two reports of the progress.
        package var reportInterval: Int64 = 0

        package init(newest: Int64) { self.newest = newest }
    }
}
