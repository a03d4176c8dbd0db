internal import Foundation

/// The time of what the host stores and sends, and of its deadlines.
///
/// Reports about the host itself use the system's time even if the wall time is fixed: the log, the ends of processes
/// and the latency of answers. A class, because every service of a host reads the same clock.
package final class Clock {
    private var fixed: Int64?

    /// The system's wall clock, or a clock that starts at the given time and advances by a millisecond with each reading.
    package init(start: Int64?) { fixed = start }

    /// The wall time in milliseconds since 1970.
    package func wallTime() -> Int64 {
        guard let time = fixed else { return Clock.milliseconds(CLOCK_REALTIME) }
        fixed = time + 1
        return time
    }

    /// The monotonic time in milliseconds; for deadlines only.
    package static func monotonic() -> Int64 { milliseconds(CLOCK_MONOTONIC) }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
