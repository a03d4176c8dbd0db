/// When a flush begins without a request.
package enum FlushPolicy: Equatable, Sendable {
    /// Only `flushPending` flushes.
    case manual
    /// When a notification opens the app, which is when the app in Braze's guide flushes.
    case onForward
    /// When a record is saved.
    case immediate
    /// At an interval in milliseconds.
    case every(Int64)

    /// An event after which a policy may begin a flush.
    package enum Occasion {
        /// The host started; this concerns every suite, because an earlier host may have left records.
        case start
        /// A round is over: every suite was scheduled once.
        case round
        /// A record was saved.
        case save
        /// A notification opened the app.
        case forward
    }

    /// When the next flush after an occasion is due.
    ///
    /// - Parameters:
    ///   - occasion: What happened.
    ///   - now: The time, in milliseconds; read only if the policy flushes on that occasion.
    /// - Returns: The time; nil if the policy flushes nothing on that occasion.
    package func nextFlush(after occasion: Occasion, at now: @autoclosure () -> Int64) -> Int64? {
        switch (self, occasion) {
        case (.immediate, .start), (.immediate, .save), (.onForward, .forward): now()
        case (.every(let interval), .start), (.every(let interval), .round): now() + interval
        case (.manual, _), (.onForward, _), (.immediate, _), (.every, _): nil
        }
    }
}
