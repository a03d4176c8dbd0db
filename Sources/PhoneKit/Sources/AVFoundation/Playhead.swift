import Foundation
package import PhoneRuntime

/// A position in media, which moves with the host's clock.
@MainActor
package struct Playhead {
    /// The clock of all media; tests have one of their own.
    package static var clock = MainClock.shared

    /// Where media end, in seconds; nil if that is not known.
    var end: Double?
    /// Seconds of the media in a second of the clock; 0 while they rest.
    private(set) var rate = 0.0
    private var anchor = 0.0
    private var since = Date.distantPast

    init(end: Double?) { self.end = end }

    /// The position in seconds.
    var position: Double {
        rate == 0 ? anchor : limited(anchor + rate * Self.clock.now.timeIntervalSince(since))
    }

    var isAtEnd: Bool { end.map { position >= $0 } ?? false }

    /// Moves from here on at that rate.
    mutating func run(at rate: Double) {
        (anchor, since) = (position, Self.clock.now)
        self.rate = rate
    }

    /// Goes on from that position.
    mutating func move(to position: Double) { (anchor, since) = (limited(position), Self.clock.now) }

    private func limited(_ position: Double) -> Double { min(max(position, 0), end ?? .greatestFiniteMagnitude) }

    /// Calls the closure when the position is reached at this rate; nil if it never is.
    func schedule(at target: Double, _ body: @escaping @MainActor @Sendable () -> Void) -> MainClock.Entry? {
        guard rate != 0 else { return nil }
        let delay = (target - position) / rate
        // At least a moment, so that media which are played again and again from their end do not stop the clock.
        guard delay.isFinite, delay >= 0 else { return nil }
        return Self.clock.scheduleForPresentation(after: max(delay, 0.001), body)
    }
}
