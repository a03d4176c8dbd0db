// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

// Publishers, without back pressure: every value is passed on at once.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

public protocol Subscriber<Input, Failure> {
    associatedtype Input
    associatedtype Failure: Error
    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Cancellable {
    func cancel()
}

public protocol Subscription: Cancellable {
    func request(_ demand: Subscribers.Demand)
}

public enum Subscribers {
    public struct Demand: Equatable, Sendable {
        public let max: Int?
        public static let unlimited = Demand(max: nil)
        public static let none = Demand(max: 0)
        public static func max(_ value: Int) -> Demand { Demand(max: value) }
    }

    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

extension Subscribers.Completion: Sendable where Failure: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}

/// Ends a subscription when it is released.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
    private var action: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) { action = cancel }
    public init<C: Cancellable>(_ canceller: C) { action = canceller.cancel }
    deinit { cancel() }
    public func cancel() { action.take()?() }
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }
    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Cancellable {
    public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
}

/// A subscriber of two closures, which knows whether it still listens.
final class Sink<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    private var receiveValue: ((Input) -> Void)?
    private var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    private var subscription: (any Subscription)?
    private var isOver = false

    init(_ completion: @escaping (Subscribers.Completion<Failure>) -> Void, _ value: @escaping (Input) -> Void) {
        (receiveCompletion, receiveValue) = (completion, value)
    }

    func receive(subscription: any Subscription) {
        guard !isOver else { return subscription.cancel() }
        self.subscription = subscription
        subscription.request(.unlimited)
    }
    func receive(_ input: Input) -> Subscribers.Demand {
        receiveValue?(input)
        return .none
    }
    func receive(completion: Subscribers.Completion<Failure>) {
        let receive = receiveCompletion
        end()
        receive?(completion)
    }
    func cancel() {
        let subscription = subscription
        end()
        subscription?.cancel()
    }
    private func end() {
        isOver = true
        (receiveValue, receiveCompletion, subscription) = (nil, nil, nil)
    }
}

extension Publisher {
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
        sink(receiveCompletion: { subject.send(completion: $0) }, receiveValue: { subject.send($0) })
    }
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Sink(receiveCompletion, receiveValue)
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }
    public func assign(to published: inout Published<Output>.Publisher) {
        let target = published
        target.keep(sink { [weak storage = target.storage] in storage?.set($0) })
    }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
    /// Begins to pass values and the end to a downstream, and returns what ends that.
    typealias Downstream = (value: (Output) -> Void, completion: (Subscribers.Completion<Failure>) -> Void)
    private let start: (Downstream) -> AnyCancellable

    init(_ start: @escaping (Downstream) -> AnyCancellable) { self.start = start }
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        start = { publisher.sink(receiveCompletion: $0.completion, receiveValue: $0.value) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let link = Link()
        subscriber.receive(subscription: link)
        guard !link.isCancelled else { return }
        link.upstream = start(
            (
                value: { if !link.isCancelled { _ = subscriber.receive($0) } },
                completion: { if !link.isCancelled { subscriber.receive(completion: $0) } }
            )
        )
    }
}

/// What a subscriber holds of the publisher that it listens to.
final class Link: Subscription {
    private(set) var isCancelled = false
    var upstream: AnyCancellable? { didSet { if isCancelled { upstream?.cancel() } } }

    func request(_ demand: Subscribers.Demand) {}
    func cancel() {
        isCancelled = true
        upstream.take()?.cancel()
    }
}

// MARK: Simple publishers

public struct Just<Output>: Publisher {
    public typealias Failure = Never
    public let output: Output
    public init(_ output: Output) { self.output = output }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        AnyPublisher<Output, Never> { downstream in
            downstream.value(output)
            downstream.completion(.finished)
            return AnyCancellable {}
        }
        .receive(subscriber: subscriber)
    }
}

public struct Empty<Output, Failure: Error>: Publisher {
    public let completeImmediately: Bool
    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        AnyPublisher<Output, Failure> { downstream in
            if completeImmediately { downstream.completion(.finished) }
            return AnyCancellable {}
        }
        .receive(subscriber: subscriber)
    }
}

public struct Fail<Output, Failure: Error>: Publisher {
    public let error: Failure
    public init(error: Failure) { self.error = error }
    public init(outputType: Output.Type, failure: Failure) { error = failure }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        AnyPublisher<Output, Failure> { downstream in
            downstream.completion(.failure(error))
            return AnyCancellable {}
        }
        .receive(subscriber: subscriber)
    }
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure
    public let createPublisher: () -> DeferredPublisher
    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().receive(subscriber: subscriber)
    }
}

/// A result that is there now or later, and is passed to each subscriber.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
    public typealias Promise = (Result<Output, Failure>) -> Void
    private let subject = CurrentValueSubject<Output?, Failure>(nil)

    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { [subject] result in
            switch result {
            case .success(let value):
                subject.send(value)
                subject.keepsLast = true
                subject.send(completion: .finished)
            case .failure(let error): subject.send(completion: .failure(error))
            }
        }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subject.compactMap { $0 }.receive(subscriber: subscriber)
    }
}

extension Sequence {
    public var publisher: some Publisher<Element, Never> {
        AnyPublisher<Element, Never> { downstream in
            for element in self { downstream.value(element) }
            downstream.completion(.finished)
            return AnyCancellable {}
        }
    }
}
