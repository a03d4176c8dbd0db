public import Foundation

extension NSObjectProtocol where Self: NSObject {
    /// Calls a method by its name.
    @MainActor @discardableResult
    public func perform(_ selector: Selector, with object: Any? = nil, with other: Any? = nil) -> Unmanaged<AnyObject>?
    {
        PhoneObject.send(selector, to: self, with: [object, other])
        return nil
    }

    /// Calls a method by its name on the main queue after that many seconds.
    @MainActor
    public func perform(_ selector: Selector, with object: Any?, afterDelay seconds: TimeInterval) {
        let argument = UncheckedBox(object)
        let entry = MainClock.shared.scheduleForPresentation(after: seconds) { [self] in
            PhoneObject.send(selector, to: self, with: [argument.value])
        }
        delayedCalls.removeAll { $0.target.value == nil }
        delayedCalls.append((WeakBox(self), selector, entry))
    }

    /// Calls a method by its name on the main thread.
    @MainActor
    public func performSelector(onMainThread selector: Selector, with object: Any?, waitUntilDone wait: Bool) {
        guard !wait else { return PhoneObject.send(selector, to: self, with: [object]) }
        let argument = UncheckedBox(object)
        MainQueue.add { [self] in PhoneObject.send(selector, to: self, with: [argument.value]) }
    }

    /// Whether the object has a method of that name that was registered.
    @MainActor
    public func responds(to selector: Selector!) -> Bool { PhoneObject.responds(self, to: selector) }
}

/// The calls that wait for their time; those that were made stay until the next is added.
@MainActor
private var delayedCalls: [(target: WeakBox, selector: Selector, entry: MainClock.Entry)] = []

extension NSObject {
    /// Cancels the calls of an object's methods that wait for their time.
    @MainActor
    public static func cancelPreviousPerformRequests(withTarget target: Any) {
        for call in delayedCalls where call.target.value === target as AnyObject { call.entry.cancel() }
    }

    /// Cancels the calls of one method that wait for their time.
    @MainActor
    public static func cancelPreviousPerformRequests(withTarget target: Any, selector: Selector, object: Any?) {
        for call in delayedCalls where call.target.value === target as AnyObject && call.selector == selector {
            call.entry.cancel()
        }
    }
}

/// A value that goes to the main queue from the main queue.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value
    package init(_ value: Value) { self.value = value }
}

extension NotificationCenter {
    private static let observations = Observations()

    /// Calls a method of the observer, which is not kept alive, whenever a notification is posted.
    public func addObserver(
        _ observer: Any,
        selector: Selector,
        name: NSNotification.Name?,
        object: Any?
    ) {
        let observer = observer as AnyObject
        let target = WeakBox(observer)
        let token = addObserver(forName: name, object: object, queue: nil) { notification in
            let argument = UncheckedBox(notification)
            let call: @MainActor @Sendable () -> Void = {
                guard let observer = target.value else { return }
                PhoneObject.send(selector, to: observer, with: [argument.value])
            }
            if MainQueue.isCurrent { MainActor.assumeIsolated(call) } else { MainQueue.add(call) }
        }
        Self.observations.add(token, of: observer, name: name)
    }

    /// Ends the observations that ``addObserver(_:selector:name:object:)`` began for the object.
    public func removeObserver(_ observer: AnyObject) {
        for token in Self.observations.take(of: observer, name: nil) { removeObserver(token as Any) }
        // The object may be a token itself.
        removeObserver(observer as Any)
    }

    /// Ends the observation of one notification that ``addObserver(_:selector:name:object:)`` began for the object.
    public func removeObserver(_ observer: AnyObject, name: NSNotification.Name?, object: Any?) {
        for token in Self.observations.take(of: observer, name: name) { removeObserver(token as Any) }
        removeObserver(observer as Any, name: name, object: object)
    }
}

/// An object that is not kept alive.
package final class WeakBox: @unchecked Sendable {
    package weak var value: AnyObject?
    package init(_ value: AnyObject) { self.value = value }
}

/// The tokens of observations by selector.
private final class Observations: @unchecked Sendable {
    private struct Item {
        let token: NSObjectProtocol
        let observer: WeakBox
        let name: NSNotification.Name?
    }

    private let lock = NSLock()
    private var items: [Item] = []

    func add(_ token: NSObjectProtocol, of observer: AnyObject, name: NSNotification.Name?) {
        lock.withLock { items.append(Item(token: token, observer: WeakBox(observer), name: name)) }
    }

    func take(of observer: AnyObject, name: NSNotification.Name?) -> [NSObjectProtocol] {
        lock.withLock {
            let taken = items.filter { $0.observer.value === observer && (name == nil || $0.name == name) }
            items.removeAll { item in taken.contains { $0.token === item.token } }
            return taken.map(\.token)
        }
    }
}
