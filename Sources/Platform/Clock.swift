internal import Foundation

/// The time of what the host stores and sends, and the only place that reads the system's clocks.
///
/// Reports about the host itself use ``systemTime()`` even if the wall time is fixed: the log, the ends of processes
/// and the start of a recording. A class, because every service of a host reads the same clock.
package final class Clock {
    private var fixed: Int64?

    /// The system's wall clock, or a clock that starts at the given time and advances by a millisecond with each reading.
    package init(start: Int64?) { fixed = start }

    /// The wall time in milliseconds since 1970.
    package func wallTime() -> Int64 {
        guard let time = fixed else { return Clock.systemTime() }
        fixed = time + 1
        return time
    }

    /// The system's wall time in milliseconds since 1970.
    package static func systemTime() -> Int64 { systemNanoseconds() / 1_000_000 }

    /// The system's wall time in nanoseconds since 1970, to compare with the times of files.
    package static func systemNanoseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// The monotonic time in milliseconds; for deadlines only.
    package static func monotonic() -> Int64 { monotonicNanoseconds() / 1_000_000 }

    /// The monotonic time in nanoseconds; to measure how long something takes.
    package static func monotonicNanoseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
