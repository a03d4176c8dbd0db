// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

// Types of UIView. What has no meaning off a screen is kept.

extension UIView {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)
    }

    public enum ContentMode: Int, Sendable {
        case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right
        case topLeft, topRight, bottomLeft, bottomRight
    }

    public enum TintAdjustmentMode: Int, Sendable {
        case automatic, normal, dimmed
    }

    public enum AnimationCurve: Int, Sendable {
        case easeInOut, easeIn, easeOut, linear
    }

    public struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let layoutSubviews = AnimationOptions(rawValue: 1 << 0)
        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
        public static let `repeat` = AnimationOptions(rawValue: 1 << 3)
        public static let autoreverse = AnimationOptions(rawValue: 1 << 4)
        public static let showHideTransitionViews = AnimationOptions(rawValue: 1 << 8)
        public static let curveEaseInOut: AnimationOptions = []
        public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)
        public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)
        public static let curveLinear = AnimationOptions(rawValue: 3 << 16)
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
        public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
        public static let transitionCurlUp = AnimationOptions(rawValue: 3 << 20)
        public static let transitionCurlDown = AnimationOptions(rawValue: 4 << 20)
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        public static let transitionFlipFromTop = AnimationOptions(rawValue: 6 << 20)
        public static let transitionFlipFromBottom = AnimationOptions(rawValue: 7 << 20)
        public static let overrideInheritedDuration = AnimationOptions(rawValue: 1 << 5)
        public static let overrideInheritedCurve = AnimationOptions(rawValue: 1 << 6)
        public static let allowAnimatedContent = AnimationOptions(rawValue: 1 << 7)
        public static let overrideInheritedOptions = AnimationOptions(rawValue: 1 << 9)
        public static let preferredFramesPerSecond30 = AnimationOptions(rawValue: 7 << 24)
        public static let preferredFramesPerSecond60 = AnimationOptions(rawValue: 3 << 24)
    }

    public struct KeyframeAnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let allowUserInteraction = KeyframeAnimationOptions(rawValue: 1 << 1)
        public static let `repeat` = KeyframeAnimationOptions(rawValue: 1 << 3)
        public static let autoreverse = KeyframeAnimationOptions(rawValue: 1 << 4)
        public static let calculationModeLinear: KeyframeAnimationOptions = []
        public static let calculationModeDiscrete = KeyframeAnimationOptions(rawValue: 1 << 10)
        public static let calculationModePaced = KeyframeAnimationOptions(rawValue: 2 << 10)
        public static let calculationModeCubic = KeyframeAnimationOptions(rawValue: 3 << 10)
        public static let calculationModeCubicPaced = KeyframeAnimationOptions(rawValue: 4 << 10)
        public static let layoutSubviews = KeyframeAnimationOptions(rawValue: 1 << 0)
        public static let beginFromCurrentState = KeyframeAnimationOptions(rawValue: 1 << 2)
    }

    // MARK: Animations

    // The changes are made at once. The completion is called in the next turn of the main loop after the delay, so
    // that animations which follow each other keep their order, and a delay its meaning.

    public class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval = 0,
        options: AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        run(after: delay, animations, completion)
    }

    public class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        usingSpringWithDamping dampingRatio: CGFloat,
        initialSpringVelocity velocity: CGFloat,
        options: AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        run(after: delay, animations, completion)
    }

    public class func animate(
        springDuration duration: TimeInterval = 0.5,
        bounce: CGFloat = 0,
        initialSpringVelocity: CGFloat = 0,
        delay: TimeInterval = 0,
        options: AnimationOptions = [],
        animations: () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        run(after: delay, nil, completion)
    }

    public class func modifyAnimations(
        withRepeatCount count: CGFloat,
        autoreverses: Bool,
        animations: () -> Void
    ) { animations() }

    public class func animateKeyframes(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: KeyframeAnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        run(after: delay, animations, completion)
    }

    public class func addKeyframe(
        withRelativeStartTime frameStartTime: Double,
        relativeDuration frameDuration: Double,
        animations: @escaping () -> Void
    ) {
        animations()
    }

    public class func transition(
        with view: UIView,
        duration: TimeInterval,
        options: AnimationOptions = [],
        animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        run(after: 0, animations, completion)
    }

    public class func transition(
        from fromView: UIView,
        to toView: UIView,
        duration: TimeInterval,
        options: AnimationOptions = [],
        completion: ((Bool) -> Void)? = nil
    ) {
        let exchange = {
            if options.contains(.showHideTransitionViews) {
                (fromView.isHidden, toView.isHidden) = (true, false)
            } else if let container = fromView.superview {
                container.insertSubview(toView, aboveSubview: fromView)
                fromView.removeFromSuperview()
            }
        }
        run(after: 0, exchange, completion)
    }

    public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) { actionsWithoutAnimation() }
    public class func setAnimationsEnabled(_ enabled: Bool) {}
    public class var areAnimationsEnabled: Bool { true }

    private class func run(
        after delay: TimeInterval,
        _ animations: (() -> Void)?,
        _ completion: ((Bool) -> Void)?
    ) {
        // UIKit changes the properties at once and delays only what the screen shows; here that is the same.
        guard delay > 0 else {
            animations?()
            guard let completion else { return }
            let box = UncheckedBox(completion)
            return MainQueue.add {
                box.value(true)
                ViewChanges.note()
            }
        }
        let box = UncheckedBox((animations, completion))
        MainClock.shared.scheduleForPresentation(after: delay) {
            box.value.0?()
            box.value.1?(true)
        }
    }
}

public enum UISemanticContentAttribute: Int, Sendable {
    case unspecified, playback, spatial, forceLeftToRight, forceRightToLeft
}

public enum UIUserInterfaceLayoutDirection: Int, Sendable {
    case leftToRight, rightToLeft
}

/// Animations that can be stopped; they end at once.
@preconcurrency @MainActor
open class UIViewPropertyAnimator: NSObject, UIViewImplicitlyAnimating {
    private var animations: [() -> Void] = []
    private var completions: [(UIViewAnimatingPosition) -> Void] = []

    public init(duration: TimeInterval, curve: UIView.AnimationCurve, animations: (() -> Void)? = nil) {
        super.init()
        if let animations { addAnimations(animations) }
    }
    public init(duration: TimeInterval, dampingRatio ratio: CGFloat, animations: (() -> Void)? = nil) {
        super.init()
        if let animations { addAnimations(animations) }
    }
    public init(duration: TimeInterval, timingParameters parameters: any UITimingCurveProvider) { super.init() }
    public convenience init(
        duration: TimeInterval,
        controlPoint1 point1: CGPoint,
        controlPoint2 point2: CGPoint,
        animations: (() -> Void)? = nil
    ) { self.init(duration: duration, curve: .linear, animations: animations) }
    @discardableResult
    open class func runningPropertyAnimator(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: UIView.AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((UIViewAnimatingPosition) -> Void)? = nil
    ) -> Self {
        let animator = UIViewPropertyAnimator(duration: duration, curve: .easeInOut, animations: animations)
        if let completion { animator.addCompletion(completion) }
        animator.startAnimation(afterDelay: delay)
        return unsafeDowncast(animator, to: Self.self)
    }
    open private(set) var state = UIViewAnimatingState.inactive
    open var fractionComplete: CGFloat = 0
    open var isReversed = false
    open var isInterruptible = true
    open var isUserInteractionEnabled = true
    open var isManualHitTestingEnabled = false
    open var scrubsLinearly = true
    open var pausesOnCompletion = false
    open private(set) var isRunning = false
    open func addAnimations(_ animation: @escaping () -> Void) { animations.append(animation) }
    open func addAnimations(_ animation: @escaping () -> Void, delayFactor: CGFloat) { animations.append(animation) }
    open func addCompletion(_ completion: @escaping (UIViewAnimatingPosition) -> Void) {
        completions.append(completion)
    }
    open func startAnimation() { startAnimation(afterDelay: 0) }
    open func startAnimation(afterDelay delay: TimeInterval) {
        guard !isRunning else { return }
        (state, isRunning) = (.active, true)
        let animations = animations
        self.animations = []
        UIView.animate(
            withDuration: 0,
            delay: delay,
            animations: { animations.forEach { $0() } },
            // What was stopped in the meantime completes no more.
            completion: { _ in if self.isRunning { self.complete(self.isReversed ? .start : .end) } }
        )
    }
    open func pauseAnimation() { (state, isRunning) = (.active, false) }
    open func continueAnimation(
        withTimingParameters parameters: (any UITimingCurveProvider)?,
        durationFactor: CGFloat
    ) { startAnimation() }
    open func stopAnimation(_ withoutFinishing: Bool) {
        guard state == .active else { return }
        (state, isRunning) = (withoutFinishing ? .inactive : .stopped, false)
        animations = []
        if withoutFinishing { completions = [] }
    }
    open func finishAnimation(at finalPosition: UIViewAnimatingPosition) {
        guard state == .stopped else { return }
        complete(finalPosition)
    }

    private func complete(_ position: UIViewAnimatingPosition) {
        let completions = completions
        (self.completions, state, isRunning, fractionComplete) = ([], .inactive, false, 0)
        completions.forEach { $0(position) }
    }
}

public enum UIViewAnimatingState: Int, Sendable {
    case inactive, active, stopped
}

@preconcurrency @MainActor
public protocol UIViewAnimating: NSObjectProtocol {
    var state: UIViewAnimatingState { get }
    var isRunning: Bool { get }
    var isReversed: Bool { get set }
    var fractionComplete: CGFloat { get set }
    func startAnimation()
    func startAnimation(afterDelay delay: TimeInterval)
    func pauseAnimation()
    func stopAnimation(_ withoutFinishing: Bool)
    func finishAnimation(at finalPosition: UIViewAnimatingPosition)
}

@preconcurrency @MainActor
public protocol UIViewImplicitlyAnimating: UIViewAnimating {
    func addAnimations(_ animation: @escaping () -> Void)
    func addAnimations(_ animation: @escaping () -> Void, delayFactor: CGFloat)
    func addCompletion(_ completion: @escaping (UIViewAnimatingPosition) -> Void)
    func continueAnimation(withTimingParameters parameters: (any UITimingCurveProvider)?, durationFactor: CGFloat)
}

public protocol UITimingCurveProvider: NSObjectProtocol {}

/// How an animation springs; kept.
open class UISpringTimingParameters: NSObject, UITimingCurveProvider, @unchecked Sendable {
    public override init() {}
    public init(dampingRatio ratio: CGFloat) {}
    public init(dampingRatio ratio: CGFloat, initialVelocity velocity: CGVector) {}
    public init(mass: CGFloat, stiffness: CGFloat, damping: CGFloat, initialVelocity velocity: CGVector) {}
}

/// How fast an animation is at which time; kept.
open class UICubicTimingParameters: NSObject, UITimingCurveProvider, @unchecked Sendable {
    public override init() {}
    public init(animationCurve curve: UIView.AnimationCurve) {}
    public init(controlPoint1 point1: CGPoint, controlPoint2 point2: CGPoint) {}
}

public enum UIViewAnimatingPosition: Int, Sendable {
    case end, start, current
}
