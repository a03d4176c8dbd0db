// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// A view that reacts to touches.
@preconcurrency @MainActor
open class UIControl: UIView {
    public struct Event: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let touchDown = Event(rawValue: 1 << 0)
        public static let touchDownRepeat = Event(rawValue: 1 << 1)
        public static let touchDragInside = Event(rawValue: 1 << 2)
        public static let touchDragOutside = Event(rawValue: 1 << 3)
        public static let touchDragEnter = Event(rawValue: 1 << 4)
        public static let touchDragExit = Event(rawValue: 1 << 5)
        public static let touchUpInside = Event(rawValue: 1 << 6)
        public static let touchUpOutside = Event(rawValue: 1 << 7)
        public static let touchCancel = Event(rawValue: 1 << 8)
        public static let valueChanged = Event(rawValue: 1 << 12)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        public static let menuActionTriggered = Event(rawValue: 1 << 14)
        public static let editingDidBegin = Event(rawValue: 1 << 16)
        public static let editingChanged = Event(rawValue: 1 << 17)
        public static let editingDidEnd = Event(rawValue: 1 << 18)
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        public static let allTouchEvents = Event(rawValue: 0xFFF)
        public static let allEditingEvents = Event(rawValue: 0xF0000)
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }

    public struct State: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let normal: State = []
        public static let highlighted = State(rawValue: 1)
        public static let disabled = State(rawValue: 2)
        public static let selected = State(rawValue: 4)
        public static let focused = State(rawValue: 8)
    }

    public enum ContentHorizontalAlignment: Int, Sendable {
        case center, left, right, fill, leading, trailing
    }

    public enum ContentVerticalAlignment: Int, Sendable {
        case center, top, bottom, fill
    }

    /// What an event calls.
    private struct Target {
        let events: Event
        let object: WeakBox?
        let selector: Selector?
        let action: UIAction?
    }

    open var isEnabled = true { didSet { changed() } }
    open var isSelected = false { didSet { changed() } }
    open var isHighlighted = false { didSet { changed() } }
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center
    open var contentVerticalAlignment = ContentVerticalAlignment.center
    open var isTracking: Bool { false }
    open var isTouchInside: Bool { false }
    open var showsMenuAsPrimaryAction = false
    open var toolTip: String?
    private var targets: [Target] = []

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    open var state: State {
        var state = State.normal
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        return state
    }

    open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
        let object = target.map { WeakBox($0 as AnyObject) }
        targets.append(Target(events: controlEvents, object: object, selector: action, action: nil))
    }
    open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {
        targets.removeAll { entry in
            guard entry.selector != nil, !entry.events.isDisjoint(with: controlEvents) else { return false }
            let isSame = target == nil || entry.object?.value === target as AnyObject
            return isSame && (action == nil || entry.selector == action)
        }
    }
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        targets.removeAll { $0.action?.identifier == action.identifier && $0.events == controlEvents }
        targets.append(Target(events: controlEvents, object: nil, selector: nil, action: action))
    }
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
    }
    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {
        targets.removeAll {
            $0.action?.identifier == actionIdentifier && !$0.events.isDisjoint(with: controlEvents)
        }
    }
    open var allTargets: Set<AnyHashable> {
        Set(targets.compactMap { $0.object?.value as? NSObject }.map(AnyHashable.init))
    }
    open var allControlEvents: Event { targets.reduce([]) { $0.union($1.events) } }
    open func actions(forTarget target: Any?, forControlEvent controlEvent: Event) -> [String]? {
        let found = targets.filter {
            $0.object?.value === target as AnyObject && !$0.events.isDisjoint(with: controlEvent)
        }
        return found.isEmpty ? nil : found.compactMap { $0.selector?.name }
    }

    open func sendAction(_ action: Selector, to target: Any?, for event: UIEvent?) {
        if let target {
            PhoneObject.send(action, to: target as AnyObject, with: [self, event])
        } else {
            // Without a target, the first responder above the control that has the method gets it.
            var responder: UIResponder? = self
            while let current = responder {
                if PhoneObject.perform(action, on: current, with: [self, event]) { return }
                responder = current.next
            }
        }
    }
    open func sendAction(_ action: UIAction) { action.perform(with: self) }
    open func sendActions(for controlEvents: Event) {
        for target in targets where !target.events.isDisjoint(with: controlEvents) {
            if let action = target.action {
                sendAction(action)
            } else if let selector = target.selector {
                guard target.object == nil || target.object?.value != nil else { continue }
                sendAction(selector, to: target.object?.value, for: UIEvent())
            }
        }
    }

    open func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
    open func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
    open func endTracking(_ touch: UITouch?, with event: UIEvent?) {}
    open func cancelTracking(with event: UIEvent?) {}

    /// Whether a touch has an effect.
    var takesTouches: Bool { isEnabled && isUserInteractionEnabled }
}
