// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// Recognizes gestures; a touch of the view fires it, whatever the gesture.
@preconcurrency @MainActor
open class UIGestureRecognizer: NSObject {
    public enum State: Int, Sendable {
        case possible, began, changed, ended, cancelled, failed
        public static let recognized = State.ended
    }

    open internal(set) weak var view: UIView?
    open var state = State.possible
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    open var isEnabled = true
    open var cancelsTouchesInView = true
    open var delaysTouchesBegan = false
    open var delaysTouchesEnded = true
    open var numberOfTouches: Int { 1 }
    open var name: String?
    private var targets: [(target: WeakBox, action: Selector)] = []

    public init(target: Any?, action: Selector?) {
        super.init()
        if let target, let action { addTarget(target, action: action) }
    }
    @MainActor public convenience override init() { self.init(target: nil, action: nil) }

    open func addTarget(_ target: Any, action: Selector) { targets.append((WeakBox(target as AnyObject), action)) }
    open func removeTarget(_ target: Any?, action: Selector?) {
        targets.removeAll { entry in
            (target == nil || entry.target.value === target as AnyObject) && (action == nil || entry.action == action)
        }
    }
    open func location(in view: UIView?) -> CGPoint {
        let bounds = (view ?? self.view)?.bounds ?? .zero
        return CGPoint(x: bounds.midX, y: bounds.midY)
    }
    open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint { location(in: view) }
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {}
    open func reset() {}
    open func ignore(_ touch: UITouch, for event: UIEvent) {}
    open func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool { true }
    open func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool { true }
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {}

    /// Whether a touch of the view is this gesture.
    var isTap: Bool { false }

    /// The states through which the gesture goes, each of which is told.
    var states: [State] { [.ended] }

    /// Fires if the view and the delegate allow it; returns whether it did.
    func recognize() -> Bool {
        guard isEnabled, let view, view.gestureRecognizerShouldBegin(self),
            delegate?.gestureRecognizerShouldBegin(self) ?? true,
            delegate?.gestureRecognizer(self, shouldReceive: UITouch(view)) ?? true
        else { return false }
        for step in states {
            state = step
            for entry in targets {
                guard let target = entry.target.value else { continue }
                PhoneObject.send(entry.action, to: target, with: [self])
            }
        }
        state = .possible
        return true
    }
}

@preconcurrency @MainActor
public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRequireFailureOf otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldBeRequiredToFailBy otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
}

extension UIGestureRecognizerDelegate {
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
    public func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        true
    }
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRequireFailureOf otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldBeRequiredToFailBy otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
}

@preconcurrency @MainActor
open class UITapGestureRecognizer: UIGestureRecognizer {
    open var numberOfTapsRequired = 1
    open var numberOfTouchesRequired = 1
    override var isTap: Bool { true }
}

@preconcurrency @MainActor
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    open var minimumPressDuration: TimeInterval = 0.5
    open var numberOfTapsRequired = 0
    open var numberOfTouchesRequired = 1
    open var allowableMovement: CGFloat = 10
    override var isTap: Bool { true }
    override var states: [State] { [.began, .ended] }
}

/// A swipe: a touch with the value `left`, `right`, `up` or `down`.
@preconcurrency @MainActor
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    public struct Direction: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let right = Direction(rawValue: 1)
        public static let left = Direction(rawValue: 2)
        public static let up = Direction(rawValue: 4)
        public static let down = Direction(rawValue: 8)

        /// Where a finger goes, as parts of a view's size.
        var step: CGPoint {
            CGPoint(
                x: contains(.right) ? 1 : contains(.left) ? -1 : 0,
                y: contains(.down) ? 1 : contains(.up) ? -1 : 0
            )
        }

        init?(word: String) {
            let words: [String: Direction] = ["right": .right, "left": .left, "up": .up, "down": .down]
            guard let direction = words[word] else { return nil }
            self = direction
        }
    }

    open var direction = Direction.right
    open var numberOfTouchesRequired = 1
}

/// A drag: a touch with the value `left`, `right`, `up` or `down` moves over the whole view, at a finger's usual speed.
@preconcurrency @MainActor
open class UIPanGestureRecognizer: UIGestureRecognizer {
    open var minimumNumberOfTouches = 1
    open var maximumNumberOfTouches = Int.max
    private var moved = CGPoint.zero
    private var speed = CGPoint.zero
    private var distance = CGPoint.zero
    open override var state: State {
        // The finger moves between the first state and the next one.
        didSet { if state == .changed { moved = distance } }
    }
    open func translation(in view: UIView?) -> CGPoint { moved }
    open func setTranslation(_ translation: CGPoint, in view: UIView?) { moved = translation }
    open func velocity(in view: UIView?) -> CGPoint { speed }
    open override func location(in view: UIView?) -> CGPoint {
        let start = super.location(in: view)
        return CGPoint(x: start.x + moved.x / 2, y: start.y + moved.y / 2)
    }
    override var states: [State] { [.began, .changed, .ended] }

    func drag(_ direction: UISwipeGestureRecognizer.Direction) {
        guard let view else { return }
        let (step, size) = (direction.step, view.bounds.isEmpty ? UIScreen.main.bounds.size : view.bounds.size)
        distance = CGPoint(x: step.x * size.width, y: step.y * size.height)
        speed = CGPoint(x: step.x * 1_000, y: step.y * 1_000)
        _ = recognize()
        (moved, speed) = (.zero, .zero)
    }
}

@preconcurrency @MainActor
open class UIScreenEdgePanGestureRecognizer: UIPanGestureRecognizer {
    open var edges: UIRectEdge = []
}

@preconcurrency @MainActor
open class UIHoverGestureRecognizer: UIGestureRecognizer {}

@preconcurrency @MainActor
open class UIPinchGestureRecognizer: UIGestureRecognizer {
    open var scale: CGFloat = 1
    open var velocity: CGFloat { 0 }
}

@preconcurrency @MainActor
open class UIRotationGestureRecognizer: UIGestureRecognizer {
    open var rotation: CGFloat = 0
    open var velocity: CGFloat { 0 }
}
