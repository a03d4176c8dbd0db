import Observation
import PhoneRuntime
@_spi(Reflection) import Swift
import Synchronization
import UIKit

/// What a view at one place of the tree keeps from one update to the next: the values of its `@State` and its tasks.
@MainActor
package final class Slot {
    /// Where a view stands among those of the same parent; another type of view begins anew.
    private struct Key: Hashable {
        let name: AnyHashable
        let type: ObjectIdentifier
        var number = 0
    }

    let graph: ViewGraph
    /// Called when the view goes.
    var onRemoval: [@MainActor () -> Void] = []
    private var values: [AnyHashable: Any] = [:]
    private var children: [Key: Slot] = [:]
    private var generation = 0

    init(_ graph: ViewGraph) { self.graph = graph }

    /// The value that is kept under a name; the first time it is made.
    func value<Value>(_ name: some Hashable, _ make: () -> Value) -> Value {
        if let known = values[AnyHashable(name)], let value = known as? Value { return value }
        let value = make()
        values[AnyHashable(name)] = value
        return value
    }

    /// Keeps a value under a name, and returns the one before.
    @discardableResult
    func exchange<Value>(_ name: some Hashable, _ value: Value) -> Value? {
        guard let old = values.updateValue(value, forKey: AnyHashable(name)) else { return nil }
        return old as? Value
    }

    func child(_ name: some Hashable, _ type: Any.Type) -> Slot {
        var key = Key(name: AnyHashable(name), type: ObjectIdentifier(type))
        // Two elements of a ForEach with the same id are two views nevertheless.
        while let slot = children[key], slot.generation == graph.generation { key.number += 1 }
        let slot = children[key] ?? Slot(graph)
        slot.generation = graph.generation
        children[key] = slot
        return slot
    }

    /// Removes the views that the newest update did not have.
    func sweep() {
        for (key, slot) in children {
            if slot.generation == graph.generation {
                slot.sweep()
            } else {
                children[key] = nil
                slot.remove()
            }
        }
    }

    func remove() {
        for slot in children.values { slot.remove() }
        for body in onRemoval { body() }
        children = [:]
        onRemoval = []
    }
}

/// The place of a view in the tree, and what it has from the views around it.
@MainActor
package struct Context {
    let slot: Slot
    var environment: EnvironmentValues
    /// What the views inside report.
    var preferences: Preferences

    var graph: ViewGraph { slot.graph }

    func child(_ name: some Hashable, _ type: Any.Type) -> Context {
        Context(slot: slot.child(name, type), environment: environment, preferences: preferences)
    }
}

/// A tree of views, made again as views of UIKit after each change.
@MainActor
package final class ViewGraph {
    private(set) var generation = 0
    /// The controller that shows the tree.
    weak var controller: UIViewController?
    private let build: @MainActor (Context) -> [UIView]
    private let show: @MainActor ([UIView]) -> Void
    private lazy var top = Slot(self)
    private var effects: [@MainActor () -> Void] = []
    private var tick: MainClock.Entry?
    private let isScheduled = Atomic(false)

    init(_ build: @escaping @MainActor (Context) -> [UIView], show: @escaping @MainActor ([UIView]) -> Void) {
        (self.build, self.show) = (build, show)
    }

    /// Lets the tree be made again after what runs now; any thread may call it.
    nonisolated func invalidate() {
        guard isScheduled.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else { return }
        let notification = CurrentPresentation.notification
        MainQueue.add { [weak self] in
            if let notification { CurrentPresentation.notification = notification }
            self?.updateIfNeeded()
        }
    }

    func updateIfNeeded() {
        guard isScheduled.exchange(false, ordering: .relaxed) else { return }
        generation += 1
        let views = withObservationTracking {
            build(Context(slot: top, environment: EnvironmentValues(of: controller), preferences: Preferences()))
        } onChange: { [weak self] in
            self?.invalidate()
        }
        show(views)
        top.sweep()
        let effects = effects
        self.effects = []
        for effect in effects { effect() }
        ViewChanges.note()
    }

    /// Lets the tree be made again after that many seconds of the clock, for what changes as time passes.
    func update(after seconds: Double) {
        guard tick == nil else { return }
        tick = MainClock.shared.scheduleForPresentation(after: seconds) { [weak self] in
            self?.tick = nil
            self?.invalidate()
        }
    }

    /// Lets a body run after the update.
    func afterUpdate(_ body: @escaping @MainActor () -> Void) { effects.append(body) }

    /// Ends what the views began, since none is shown any longer.
    func remove() {
        tick?.cancel()
        top.remove()
    }
}

extension View {
    /// The views of UIKit that show this view at a place.
    func views(in context: Context) -> [UIView] {
        if let primitive = self as? any Primitive { return primitive.shown(in: context) }
        if let representable = self as? any UIViewRepresentable { return [representable.shown(in: context)] }
        if let representable = self as? any UIViewControllerRepresentable {
            return [representable.shown(in: context)]
        }
        var view = self
        DynamicProperties.link(&view, context)
        return view.body.views(in: context.child("body", Body.self))
    }

    /// One view of UIKit that shows this view.
    func view(in context: Context) -> UIView { UIView.stack(views(in: context), axis: .vertical) }
}

extension UIView {
    /// Views below or beside each other; one needs no stack.
    static func stack(_ views: [UIView], axis: NSLayoutConstraint.Axis) -> UIView {
        guard views.count != 1 else { return views[0] }
        let stack = UIStackView(arrangedSubviews: views)
        stack.axis = axis
        return stack
    }
}

/// Connects the properties of a view, such as `@State`, to its place.
@MainActor
enum DynamicProperties {
    /// Fields of a kind that Swift's reflection does not know are passed over.
    private static let ignoringUnknown = _EachFieldOptions(rawValue: 1 << 1)

    static func link<V>(_ view: inout V, _ context: Context) {
        withUnsafeMutablePointer(to: &view) { linkFields(V.self, UnsafeMutableRawPointer($0), 0, context) }
    }

    private static func linkFields(_ type: Any.Type, _ base: UnsafeMutableRawPointer, _ start: Int, _ context: Context)
    {
        _ = _forEachField(of: type, options: ignoringUnknown) { _, offset, fieldType, _ in
            if let property = fieldType as? any DynamicProperty.Type {
                MainActor.assumeIsolated { linkField(property, base, start + offset, context) }
            }
            return true
        }
    }

    private static func linkField<P: DynamicProperty>(
        _ type: P.Type,
        _ base: UnsafeMutableRawPointer,
        _ offset: Int,
        _ context: Context
    ) {
        let pointer = base.advanced(by: offset).assumingMemoryBound(to: P.self)
        if var linked = pointer.pointee as? any LinkedProperty {
            linked.link(context, offset)
            if let property = linked as? P { pointer.pointee = property }
        } else {
            linkFields(type, base, offset, context)
        }
        pointer.pointee.update()
    }
}
