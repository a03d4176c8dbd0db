// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Combine
public import Foundation
import UIKit

extension View {
    // MARK: The life of a view

    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        modified { context, content in
            if context.slot.exchange("appeared", true) == nil { context.graph.afterUpdate { action?() } }
            return content(context)
        }
    }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        modified { context, content in
            context.slot.onRemoval = [{ action?() }]
            return content(context)
        }
    }
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { task(id: 0, priority: priority, action) }
    public func task<T: Equatable>(
        id value: T,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        modified { context, content in
            let slot = context.slot
            if slot.exchange("id", value) != value {
                context.graph.afterUpdate {
                    let running: Task<Void, Never>? = slot.exchange("task", Task { @MainActor in await action() })
                    running?.cancel()
                    if running == nil {
                        slot.onRemoval.append { slot.value("task") { Task<Void, Never> {} }.cancel() }
                    }
                }
            }
            return content(context)
        }
    }

    // MARK: Changes

    public func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        modified { context, content in
            let old = context.slot.exchange("value", value)
            if old != value, initial || old != nil { context.graph.afterUpdate { action(old ?? value, value) } }
            return content(context)
        }
    }
    public func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping () -> Void
    ) -> some View { onChange(of: value, initial: initial) { _, _ in action() } }
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some View {
        onChange(of: value) { _, new in action(new) }
    }
    public func onReceive<P: Publisher>(
        _ publisher: P,
        perform action: @escaping (P.Output) -> Void
    ) -> some View where P.Failure == Never {
        modified { context, content in
            let slot = context.slot
            slot.exchange("action", action)
            // A publisher that is made in the body, such as a timer, would begin anew with each update.
            let identity = publisher is any Subject ? ObjectIdentifier(publisher as AnyObject) : nil
            if slot.exchange("publisher", identity) != .some(identity) {
                let pass = { [weak slot] (value: P.Output) in slot?.value("action") { action }(value) ?? () }
                slot.exchange("subscription", publisher.sink(receiveValue: pass))
            }
            return content(context)
        }
    }
    public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping (() -> Void)) -> some View {
        changingEnvironment { values in
            let outer = values.submit
            values.submit = {
                action()
                outer?()
            }
        }
    }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }

    // MARK: Touches

    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        modified { context, content in [UIControl.touched(content(context), context, action)] }
    }
    public func onLongPressGesture(
        minimumDuration: Double = 0.5,
        maximumDistance: CGFloat = 10,
        perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View { onTapGesture(perform: action) }
    public func gesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        modified { context, content in
            let views = content(context)
            guard let tapped = gesture.tapped else { return views }
            return [UIControl.touched(views, context, tapped)]
        }
    }
    public func simultaneousGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        self.gesture(gesture)
    }
    public func highPriorityGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        self.gesture(gesture)
    }

    // MARK: Accessibility

    public func accessibilityIdentifier(_ identifier: String) -> some View {
        modified { context, content in
            let view = UIView.stack(content(context), axis: .vertical)
            view.accessibilityIdentifier = identifier
            return [view]
        }
    }
    public func accessibility(identifier: String) -> some View { accessibilityIdentifier(identifier) }
    public func accessibilityLabel(_ label: Text) -> some View {
        modified { context, content in
            let views = content(context)
            for view in views where !(view is UILabel) { view.accessibilityLabel = label.text(context.environment) }
            return views
        }
    }
    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { accessibilityLabel(Text(labelKey)) }
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { accessibilityLabel(Text(label)) }
    public func accessibility(label: Text) -> some View { accessibilityLabel(label) }
    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View { self }
    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { self }
    public func accessibilityValue(_ valueDescription: Text) -> some View { self }
    public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { self }
    @_disfavoredOverload
    public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { self }
    public func accessibilityHidden(_ hidden: Bool) -> some View { self }
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
    public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View { self }
    public func accessibilitySortPriority(_ sortPriority: Double) -> some View { self }
}

extension UIControl {
    /// A control whose touch runs an action.
    static func touched(_ views: [UIView], _ context: Context, _ action: @escaping () -> Void) -> UIView {
        let control = UIControl(frame: .zero, primaryAction: UIAction { _ in action() })
        let content = UIView.stack(views, axis: .vertical)
        control.addSubview(content)
        // What is touched has the identifier, not what is shown upon it.
        (control.accessibilityIdentifier, content.accessibilityIdentifier) = (content.accessibilityIdentifier, nil)
        control.isUserInteractionEnabled = context.environment.isEnabled
        return control
    }
}

public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let text = SubmitTriggers(rawValue: 1)
    public static let search = SubmitTriggers(rawValue: 2)
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore = AccessibilityChildBehavior()
    public static let contain = AccessibilityChildBehavior()
    public static let combine = AccessibilityChildBehavior()
}

public struct AccessibilityTraits: SetAlgebra, Sendable {
    private var names: Set<String> = []
    public init() {}
    private init(_ name: String) { names = [name] }
    public static let isButton = AccessibilityTraits("isButton")
    public static let isHeader = AccessibilityTraits("isHeader")
    public static let isSelected = AccessibilityTraits("isSelected")
    public static let isLink = AccessibilityTraits("isLink")
    public static let isImage = AccessibilityTraits("isImage")
    public static let isStaticText = AccessibilityTraits("isStaticText")
    public static let updatesFrequently = AccessibilityTraits("updatesFrequently")
    public static let isModal = AccessibilityTraits("isModal")
    private init(names: Set<String>) { self.names = names }
    public func contains(_ member: AccessibilityTraits) -> Bool { member.names.isSubset(of: names) }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { .init(names: names.union(other.names)) }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
        .init(names: names.intersection(other.names))
    }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
        .init(names: names.symmetricDifference(other.names))
    }
    @discardableResult
    public mutating func insert(
        _ newMember: AccessibilityTraits
    ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
        let isNew = !contains(newMember)
        names.formUnion(newMember.names)
        return (isNew, newMember)
    }
    @discardableResult
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
        defer { names.subtract(member.names) }
        return contains(member) ? member : nil
    }
    @discardableResult
    public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? {
        defer { names.formUnion(newMember.names) }
        return contains(newMember) ? newMember : nil
    }
    public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
    public mutating func formIntersection(_ other: AccessibilityTraits) { names.formIntersection(other.names) }
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {
        names.formSymmetricDifference(other.names)
    }
}

// MARK: Gestures

@preconcurrency @MainActor
public protocol Gesture<Value> {
    associatedtype Value
}

/// A gesture that a touch may be.
@MainActor
protocol TouchGesture {
    var touched: (() -> Void)? { get }
}

extension Gesture {
    /// What a touch does; nil if a touch is not this gesture.
    var tapped: (() -> Void)? { (self as? any TouchGesture)?.touched }

    public func onEnded(_ action: @escaping (Value) -> Void) -> some Gesture<Value> {
        Ended(gesture: self, action: action)
    }
    public func onChanged(_ action: @escaping (Value) -> Void) -> some Gesture<Value> { self }
    public func updating<State>(
        _ state: GestureState<State>,
        body: @escaping (Value, inout State, inout Transaction) -> Void
    ) -> some Gesture<Value> { self }
}

private struct Ended<G: Gesture>: Gesture, TouchGesture {
    typealias Value = G.Value
    let gesture: G
    let action: (Value) -> Void

    var touched: (() -> Void)? {
        let value: Any? = gesture is TapGesture ? () : gesture is LongPressGesture ? true : nil
        guard let value = value as? Value else { return nil }
        return { action(value) }
    }
}

public struct TapGesture: Gesture {
    public typealias Value = Void
    public var count: Int
    public nonisolated init(count: Int = 1) { self.count = count }
}

public struct LongPressGesture: Gesture {
    public typealias Value = Bool
    public var minimumDuration: Double
    public nonisolated init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        self.minimumDuration = minimumDuration
    }
}

/// A drag, which no touch of the host is.
public struct DragGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var time: Date
        public var location: CGPoint
        public var startLocation: CGPoint
        public var translation: CGSize
        public var predictedEndTranslation: CGSize
        public var predictedEndLocation: CGPoint
        public var velocity: CGSize
    }

    public nonisolated init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {}
}

public struct GestureMask: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let none: GestureMask = []
    public static let gesture = GestureMask(rawValue: 1)
    public static let subviews = GestureMask(rawValue: 2)
    public static let all: GestureMask = [.gesture, .subviews]
}
