// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

// Key-value observing. The rewriter gives each `dynamic` property an observer that calls `PhoneObject.didChange`, and
// puts `PhoneObject.named` around the key path of `observe(\.name)`, because a key path on Linux does not know its name.

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

public enum NSKeyValueChange: UInt, Sendable {
    case setting = 1
    case insertion, removal, replacement
}

public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

public struct NSKeyValueObservedChange<Value> {
    public typealias Kind = NSKeyValueChange
    public let kind: Kind
    public let newValue: Value?
    public let oldValue: Value?
    public let indexes: IndexSet?
    public let isPrior: Bool
}

/// An observation, which ends when nobody keeps it.
open class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private let subscription: KeyValueSubscription

    init(_ subscription: KeyValueSubscription) { self.subscription = subscription }

    open func invalidate() { subscription.cancel() }

    deinit { subscription.cancel() }
}

extension NSObjectProtocol where Self: NSObject {
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        var last = options.contains(.old) ? self[keyPath: keyPath] : nil
        let report: (Self, Bool) -> Void = { object, isInitial in
            let value = options.isDisjoint(with: [.new, .old]) ? nil : object[keyPath: keyPath]
            let change = NSKeyValueObservedChange(
                kind: .setting,
                newValue: options.contains(.new) ? value : nil,
                oldValue: isInitial ? nil : last,
                indexes: nil,
                isPrior: false
            )
            if options.contains(.old) { last = value }
            changeHandler(object, change)
        }
        let name = PhoneObject.name(of: keyPath) ?? ""
        let subscription = KeyValueSubscription(self, name[...]) { [weak self] in
            if let self { report(self, false) }
        }
        if options.contains(.initial) { report(self, true) }
        return NSKeyValueObservation(subscription)
    }

    public func addObserver(
        _ observer: NSObject,
        forKeyPath keyPath: String,
        options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        let pointer = UncheckedBox(context)
        var last = options.contains(.old) ? KeyValueCoding.value(of: self, keyPath[...]) : nil
        let report: (NSObject, NSObject, Bool) -> Void = { observer, object, isInitial in
            var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
            let value = options.isDisjoint(with: [.new, .old]) ? nil : KeyValueCoding.value(of: object, keyPath[...])
            if options.contains(.new) { change[.newKey] = value ?? NSNull() }
            if options.contains(.old), !isInitial { change[.oldKey] = last ?? NSNull() }
            if options.contains(.old) { last = value }
            KeyValueCoding.tell(observer, [keyPath, object, change, pointer.value])
        }
        let subscription = KeyValueSubscription(self, keyPath[...]) { [weak self, weak observer] in
            if let self, let observer { report(observer, self, false) }
        }
        subscription.observer = (WeakBox(observer), keyPath, context)
        if options.contains(.initial) { report(observer, self, true) }
    }

    public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
        let found = KeyValueSubscription.all(of: self).last {
            $0.observer?.object.value === observer && $0.observer?.path == keyPath && $0.observer?.context == context
        }
        found?.cancel()
    }

    public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
        let found = KeyValueSubscription.all(of: self).last {
            $0.observer?.object.value === observer && $0.observer?.path == keyPath
        }
        found?.cancel()
    }

    /// What an observer does with a change; classes have their own, which the rewriter registers.
    public func observeValue(
        forKeyPath keyPath: String?,
        of object: Any?,
        change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {}

    public func willChangeValue(forKey key: String) {}
    public func didChangeValue(forKey key: String) { PhoneObject.didChange(self, key) }
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {}
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        if let name = PhoneObject.name(of: keyPath) { PhoneObject.didChange(self, name) }
    }
}

/// Waits for the changes of a property, or of a property of what a property holds.
final class KeyValueSubscription: @unchecked Sendable {
    private static let lock = NSLock()
    private nonisolated(unsafe) static var subscriptions: [ObjectIdentifier: [KeyValueSubscription]] = [:]

    private let object: WeakBox
    private let name: String
    private let rest: Substring
    private let changed: () -> Void
    private var inner: KeyValueSubscription?
    /// Who was added as an observer by its name.
    var observer: (object: WeakBox, path: String, context: UnsafeMutableRawPointer?)?

    init(_ object: NSObject, _ path: Substring, _ changed: @escaping () -> Void) {
        self.object = WeakBox(object)
        name = String(path.prefix { $0 != "." })
        rest = path.dropFirst(name.count + 1)
        self.changed = changed
        follow()
        Self.lock.withLock {
            // Another object may have had the same address.
            Self.subscriptions[ObjectIdentifier(object), default: []].removeAll { $0.object.value == nil }
            Self.subscriptions[ObjectIdentifier(object), default: []].append(self)
        }
    }

    /// Waits for the changes of what the property holds now.
    private func follow() {
        inner?.cancel()
        guard !rest.isEmpty, let object = object.value else { return }
        let value = KeyValueCoding.value(of: object, name[...]) as? NSObject
        inner = value.map { KeyValueSubscription($0, rest, changed) }
    }

    func cancel() {
        inner?.cancel()
        guard let object = object.value else { return }
        Self.lock.withLock { Self.subscriptions[ObjectIdentifier(object)]?.removeAll { $0 === self } }
    }

    static func all(of object: AnyObject) -> [KeyValueSubscription] {
        lock.withLock { subscriptions[ObjectIdentifier(object)] ?? [] }.filter { $0.object.value === object }
    }

    /// Tells everyone who waits for a change of that property.
    static func didChange(_ object: AnyObject, _ name: String) {
        for subscription in all(of: object) where subscription.name == name {
            subscription.follow()
            subscription.changed()
        }
    }
}

extension PhoneObject {
    private nonisolated static let namesLock = NSLock()
    private nonisolated(unsafe) static var names: [AnyKeyPath: String] = [:]

    /// Tells the observers of an object that a property changed.
    public nonisolated static func didChange(_ object: AnyObject, _ name: String) {
        KeyValueSubscription.didChange(object, name)
        for dependent in KeyValueCoding.dependents(of: object, name) {
            KeyValueSubscription.didChange(object, dependent)
        }
    }

    /// A key path that `observe` gets, with its name.
    public nonisolated static func named<Root, Value>(
        _ keyPath: KeyPath<Root, Value>,
        _ name: String
    ) -> KeyPath<Root, Value> {
        namesLock.withLock { names[keyPath] = name }
        return keyPath
    }

    /// A key path that `observe` gets, with its name.
    public nonisolated static func named<Root, Value>(
        _ keyPath: ReferenceWritableKeyPath<Root, Value>,
        _ name: String
    ) -> ReferenceWritableKeyPath<Root, Value> {
        namesLock.withLock { names[keyPath] = name }
        return keyPath
    }

    nonisolated static func name(of keyPath: AnyKeyPath) -> String? { namesLock.withLock { names[keyPath] } }
}
