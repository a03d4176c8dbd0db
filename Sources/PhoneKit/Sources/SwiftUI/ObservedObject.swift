// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Combine
public import PhoneShadows
import UIKit

/// Lets the views be drawn again whenever an object changes.
private final class Subscription {
    let object: AnyObject
    private let cancellable: AnyCancellable

    init<O: ObservableObject>(_ object: O, _ graph: ViewGraph) {
        self.object = object
        cancellable = object.objectWillChange.sink { [weak graph] _ in graph?.invalidate() }
    }

    /// Keeps the subscription of a property, or subscribes again for another object.
    @MainActor
    static func keep<O: ObservableObject>(_ object: O, _ context: Context, _ key: some Hashable) {
        let known = context.slot.value(key) { Subscription(object, context.graph) }
        if known.object !== object { context.slot.exchange(key, Subscription(object, context.graph)) }
    }
}

@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    @dynamicMemberLookup
    public struct Wrapper {
        let root: ObjectType
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            Binding(get: { root[keyPath: keyPath] }, set: { root[keyPath: keyPath] = $0 })
        }
    }

    public var wrappedValue: ObjectType
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    public init(initialValue: ObjectType) { wrappedValue = initialValue }
    public var projectedValue: Wrapper { Wrapper(root: wrappedValue) }
}

extension ObservedObject: LinkedProperty {
    mutating func link(_ context: Context, _ key: Int) { Subscription.keep(wrappedValue, context, key) }
}

@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
    private let make: () -> ObjectType
    private var object: ObjectType?

    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { make = thunk }

    public var wrappedValue: ObjectType { object ?? make() }
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(root: wrappedValue) }
}

extension StateObject: LinkedProperty {
    mutating func link(_ context: Context, _ key: Int) {
        let object = context.slot.value("object \(key)", make)
        self.object = object
        Subscription.keep(object, context, key)
    }
}

@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
    private var object: ObjectType?

    public init() {}

    public var wrappedValue: ObjectType {
        guard let object else {
            fatalError(
                "No ObservableObject of type \(ObjectType.self) found: a view around this one must have it, with "
                    + ".environmentObject(_:)"
            )
        }
        return object
    }
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(root: wrappedValue) }
}

extension EnvironmentObject: LinkedProperty {
    mutating func link(_ context: Context, _ key: Int) {
        object = context.environment.object(ObjectType.self)
        if let object { Subscription.keep(object, context, key) }
    }
}

@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value: AnyObject & Observable> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding(get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
    }
}

/// A value of the user defaults.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
    private let read: () -> Value
    private let write: (Value) -> Void
    private var graph: ViewGraph?

    public var wrappedValue: Value {
        get { read() }
        nonmutating set {
            write(newValue)
            graph?.invalidate()
        }
    }
    public var projectedValue: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }

    private init<Stored>(
        _ value: Value,
        _ key: String,
        _ store: PhoneShadows.UserDefaults?,
        as type: Stored.Type,
        from: @escaping (Stored) -> Value?,
        to: @escaping (Value) -> Stored?
    ) {
        let store = store ?? .standard
        read = { (store.object(forKey: key) as? Stored).flatMap(from) ?? value }
        write = { store.set(to($0), forKey: key) }
    }

    private init(plain value: Value, _ key: String, _ store: PhoneShadows.UserDefaults?) {
        self.init(value, key, store, as: Value.self, from: { $0 }, to: { $0 })
    }
}

extension AppStorage: LinkedProperty {
    mutating func link(_ context: Context, _ key: Int) { graph = context.graph }
}

extension AppStorage {
    public init(wrappedValue: Value, _ key: String, store: PhoneShadows.UserDefaults? = nil) where Value == Bool {
        self.init(plain: wrappedValue, key, store)
    }
    public init(wrappedValue: Value, _ key: String, store: PhoneShadows.UserDefaults? = nil) where Value == Int {
        self.init(plain: wrappedValue, key, store)
    }
    public init(wrappedValue: Value, _ key: String, store: PhoneShadows.UserDefaults? = nil) where Value == Double {
        self.init(plain: wrappedValue, key, store)
    }
    public init(wrappedValue: Value, _ key: String, store: PhoneShadows.UserDefaults? = nil) where Value == String {
        self.init(plain: wrappedValue, key, store)
    }
    public init(wrappedValue: Value, _ key: String, store: PhoneShadows.UserDefaults? = nil) where Value == Data {
        self.init(plain: wrappedValue, key, store)
    }
    public init(wrappedValue: Value, _ key: String, store: PhoneShadows.UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        self.init(wrappedValue, key, store, as: Int.self, from: { Value(rawValue: $0) }, to: { $0.rawValue })
    }
    public init(wrappedValue: Value, _ key: String, store: PhoneShadows.UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        self.init(wrappedValue, key, store, as: String.self, from: { Value(rawValue: $0) }, to: { $0.rawValue })
    }
    public init(_ key: String, store: PhoneShadows.UserDefaults? = nil) where Value == String? {
        self.init(nil, key, store, as: String.self, from: { $0 }, to: { $0 })
    }
    public init(_ key: String, store: PhoneShadows.UserDefaults? = nil) where Value == Int? {
        self.init(nil, key, store, as: Int.self, from: { $0 }, to: { $0 })
    }
    public init(_ key: String, store: PhoneShadows.UserDefaults? = nil) where Value == Bool? {
        self.init(nil, key, store, as: Bool.self, from: { $0 }, to: { $0 })
    }
}
