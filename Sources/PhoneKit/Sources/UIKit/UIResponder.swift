// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import PhoneRuntime

/// An object that may receive touches and text.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    /// The responder that gets text.
    package static weak var first: UIResponder?

    @MainActor public override init() { super.init() }

    open var next: UIResponder? { nil }
    open var canBecomeFirstResponder: Bool { false }
    open var canResignFirstResponder: Bool { true }
    open var isFirstResponder: Bool { UIResponder.first === self }
    open var inputView: UIView? { nil }
    open var inputAccessoryView: UIView? { nil }

    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder else { return false }
        guard !isFirstResponder else { return true }
        if let first = UIResponder.first, !first.resignFirstResponder() { return false }
        UIResponder.first = self
        ViewChanges.note()
        return true
    }

    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard canResignFirstResponder else { return false }
        UIResponder.first = nil
        ViewChanges.note()
        return true
    }

    open func reloadInputViews() { ViewChanges.note() }

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesBegan(touches, with: event) }
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesMoved(touches, with: event) }
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesEnded(touches, with: event) }
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesCancelled(touches, with: event)
    }
    open func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {}
    open func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {}
    open func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {}
    open func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        canPerformAction(action, withSender: sender) ? self : next?.target(forAction: action, withSender: sender)
    }
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { responds(to: action) }
}

/// A finger on the view.
@preconcurrency @MainActor
open class UITouch: NSObject {
    public enum Phase: Int, Sendable {
        case began, moved, stationary, ended, cancelled
    }

    open private(set) weak var view: UIView?
    open internal(set) var phase = Phase.began
    open var tapCount: Int { 1 }
    open var force: CGFloat { 1 }
    open var maximumPossibleForce: CGFloat { 1 }
    open var majorRadius: CGFloat { 20 }
    open var window: UIWindow? { view?.window }
    open var gestureRecognizers: [UIGestureRecognizer]? { view?.gestureRecognizers }
    open func preciseLocation(in view: UIView?) -> CGPoint { location(in: view) }
    open var timestamp: TimeInterval { MainClock.shared.now.timeIntervalSinceReferenceDate }

    init(_ view: UIView) {
        super.init()
        self.view = view
    }

    open func location(in view: UIView?) -> CGPoint {
        let bounds = (view ?? self.view)?.bounds ?? .zero
        return CGPoint(x: bounds.midX, y: bounds.midY)
    }
    open func previousLocation(in view: UIView?) -> CGPoint { location(in: view) }
}

/// What happened on the screen.
@preconcurrency @MainActor
open class UIEvent: NSObject {
    public enum EventType: Int, Sendable {
        case touches, motion, remoteControl, presses
    }

    public enum EventSubtype: Int, Sendable {
        case none, motionShake
    }

    private let touches: Set<UITouch>

    init(_ touches: Set<UITouch> = []) {
        self.touches = touches
        super.init()
    }

    open var type: EventType { .touches }
    open var subtype: EventSubtype { .none }
    open var timestamp: TimeInterval { MainClock.shared.now.timeIntervalSinceReferenceDate }
    open func coalescedTouches(for touch: UITouch) -> [UITouch]? { [touch] }
    open var allTouches: Set<UITouch>? { touches }
    open func touches(for view: UIView) -> Set<UITouch>? { touches.filter { $0.view === view } }
}
