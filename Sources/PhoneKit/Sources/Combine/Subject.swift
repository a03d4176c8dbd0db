// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

import Foundation
import Synchronization

/// A publisher whose values are sent from outside.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    public func send() { send(()) }
}

/// The subscribers of a subject, which any thread may change.
private final class Listeners<Output, Failure: Error>: @unchecked Sendable {
    private let lock = NSLock()
    private var listeners: [(number: Int, listener: AnyPublisher<Output, Failure>.Downstream)] = []
    private var count = 0
    private(set) var end: Subscribers.Completion<Failure>?

    func add(_ listener: AnyPublisher<Output, Failure>.Downstream) -> AnyCancellable {
        let number = lock.withLock {
            count += 1
            listeners.append((count, listener))
            return count
        }
        if let end { listener.completion(end) }
        return AnyCancellable { [self] in lock.withLock { listeners.removeAll { $0.number == number } } }
    }

    func send(_ value: Output) {
        guard end == nil else { return }
        for entry in lock.withLock({ listeners }) { entry.listener.value(value) }
    }

    func send(completion: Subscribers.Completion<Failure>) {
        guard end == nil else { return }
        end = completion
        for entry in lock.withLock({ listeners }) { entry.listener.completion(completion) }
    }
}

public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
    private let listeners = Listeners<Output, Failure>()
    public init() {}
    public func send(_ value: Output) { listeners.send(value) }
    public func send(completion: Subscribers.Completion<Failure>) { listeners.send(completion: completion) }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        AnyPublisher<Output, Failure> { [listeners] in listeners.add($0) }.receive(subscriber: subscriber)
    }
}

public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
    private let listeners = Listeners<Output, Failure>()
    private var current: Output
    /// Whether a subscriber that comes after the end gets the value.
    var keepsLast = false

    public init(_ value: Output) { current = value }
    public var value: Output {
        get { current }
        set { send(newValue) }
    }
    public func send(_ value: Output) {
        guard listeners.end == nil else { return }
        current = value
        listeners.send(value)
    }
    public func send(completion: Subscribers.Completion<Failure>) { listeners.send(completion: completion) }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        AnyPublisher<Output, Failure> { [self] downstream in
            if listeners.end == nil || keepsLast { downstream.value(current) }
            return listeners.add(downstream)
        }
        .receive(subscriber: subscriber)
    }
}

// MARK: Observable objects

/// An object that tells before it changes.
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    var objectWillChange: ObjectWillChangePublisher { get }
}

public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {
    public typealias Output = Void
    public typealias Failure = Never
    private let subject = PassthroughSubject<Void, Never>()
    public init() {}
    public func send() { subject.send() }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        subject.receive(subscriber: subscriber)
    }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The publisher of the object, which its `@Published` properties share.
    public var objectWillChange: ObservableObjectPublisher { ObjectPublishers.publisher(of: self) }
}

/// The publishers of objects, since an extension of a protocol has no place for one.
private enum ObjectPublishers {
    private struct Entry {
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }

    private nonisolated(unsafe) static var entries: [ObjectIdentifier: Entry] = [:]
    private static let lock = NSLock()

    static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        let id = ObjectIdentifier(object)
        return lock.withLock {
            if let known = entries[id], known.object === object { return known.publisher }
            entries = entries.filter { $0.value.object != nil }
            let publisher = ObservableObjectPublisher()
            var mirror: Mirror? = Mirror(reflecting: object)
            while let current = mirror {
                for case let property as any PublishedProperty in current.children.map(\.value) {
                    property.tell(publisher)
                }
                mirror = current.superclassMirror
            }
            entries[id] = Entry(object: object, publisher: publisher)
            return publisher
        }
    }
}

/// A property that tells its object's publisher before it changes.
private protocol PublishedProperty {
    func tell(_ publisher: ObservableObjectPublisher)
}

extension Published: PublishedProperty {
    fileprivate func tell(_ publisher: ObservableObjectPublisher) { storage.objectWillChange = publisher }
}

/// A property whose changes are published, and make its object tell that it changes.
@propertyWrapper
public struct Published<Value> {
    /// Where the value is, which the property and its publisher share.
    final class Storage: @unchecked Sendable {
        let subject: CurrentValueSubject<Value, Never>
        /// The newest value; the subject has it only when the subscribers were told.
        fileprivate var value: Value
        /// The publisher of the object, once somebody has asked for it.
        fileprivate weak var objectWillChange: ObservableObjectPublisher?
        fileprivate var kept: [AnyCancellable] = []

        init(_ value: Value) { (self.value, subject) = (value, CurrentValueSubject(value)) }

        /// Tells before the value changes, as Apple's does: a subscriber still reads the old one from the object.
        func set(_ value: Value) {
            objectWillChange?.send()
            subject.send(value)
            self.value = value
        }
    }

    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never
        let storage: Storage
        func keep(_ cancellable: AnyCancellable) { storage.kept.append(cancellable) }
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.subject.receive(subscriber: subscriber)
        }
    }

    private let storage: Storage

    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
    public init(initialValue: Value) { storage = Storage(initialValue) }

    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { fatalError("@Published is only available on properties of classes") }
        set { fatalError("@Published is only available on properties of classes") }
    }
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        set {}
    }

    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.value }
        set { object[keyPath: storageKeyPath].storage.set(newValue) }
    }
}
