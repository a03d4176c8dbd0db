/// The clock for everything that the host stores and sends; only this type reads the system's clocks.
///
/// The log, the ends of processes and the start of a recording use ``systemTime()`` even if the wall time is fixed. It is
/// a class, because all services of a host must read the same clock.
package final class Clock {
    private var fixed: Int64?

    /// Creates a clock that starts at the given time and advances by a millisecond with each reading; without a time it is
    /// the system's wall clock.
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
