// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
public import PhoneRuntime

/// A timer for each picture of the screen: sixty times a second by the clock of the host.
@preconcurrency @MainActor
open class CADisplayLink: NSObject {
    private let target: AnyObject
    private let selector: Selector
    private var entry: MainClock.Entry?
    private var isStarted = false

    open var isPaused = false { didSet { isPaused ? entry?.cancel() : schedule() } }
    open var preferredFramesPerSecond = 0
    open var preferredFrameRateRange = CAFrameRateRange.default
    open private(set) var timestamp: CFTimeInterval = 0
    open var targetTimestamp: CFTimeInterval { timestamp + duration }
    open var duration: CFTimeInterval { 1 / 60 }

    public init(target: Any, selector sel: Selector) {
        (self.target, selector) = (target as AnyObject, sel)
        super.init()
    }

    open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {
        isStarted = true
        schedule()
    }
    open func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) { invalidate() }
    open func invalidate() {
        isStarted = false
        entry?.cancel()
    }

    private func schedule() {
        entry?.cancel()
        guard isStarted, !isPaused else { return }
        let wanted = preferredFrameRateRange.preferred.map { Int($0) } ?? preferredFramesPerSecond
        let interval = wanted > 0 ? 1 / Double(wanted) : duration
        entry = MainClock.shared.scheduleForPresentation(after: interval) { [weak self] in
            guard let self else { return }
            timestamp = MainClock.shared.now.timeIntervalSinceReferenceDate
            PhoneObject.send(selector, to: target, with: [self])
            schedule()
        }
    }
}

/// How many pictures a second an animation wants.
public struct CAFrameRateRange: Hashable, Sendable {
    public var minimum: Float
    public var maximum: Float
    public var preferred: Float?
    public static let `default` = CAFrameRateRange(minimum: 0, maximum: 0)
    public init(minimum: Float, maximum: Float, preferred: Float? = nil) {
        (self.minimum, self.maximum, self.preferred) = (minimum, maximum, preferred)
    }
}
