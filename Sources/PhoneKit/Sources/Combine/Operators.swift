// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

extension Publisher {
    /// A publisher that does something with each value and with the end.
    private func piped<T, F: Error>(
        _ value: @escaping (Output, AnyPublisher<T, F>.Downstream) -> Void,
        _ completion: @escaping (Subscribers.Completion<Failure>, AnyPublisher<T, F>.Downstream) -> Void
    ) -> AnyPublisher<T, F> {
        AnyPublisher { downstream in
            sink(receiveCompletion: { completion($0, downstream) }, receiveValue: { value($0, downstream) })
        }
    }

    private func transformed<T>(
        _ value: @escaping (Output, AnyPublisher<T, Failure>.Downstream) -> Void
    ) -> AnyPublisher<T, Failure> { piped(value) { $1.completion($0) } }

    /// A publisher whose state begins with each subscriber.
    private func stateful<State, T>(
        _ initial: State,
        _ value: @escaping (inout State, Output, AnyPublisher<T, Failure>.Downstream) -> Void,
        atEnd: @escaping (State, AnyPublisher<T, Failure>.Downstream) -> Void = { _, _ in }
    ) -> AnyPublisher<T, Failure> {
        AnyPublisher { downstream in
            let state = Box(initial)
            return sink(
                receiveCompletion: {
                    if case .finished = $0 { atEnd(state.value, downstream) }
                    downstream.completion($0)
                },
                receiveValue: { value(&state.value, $0, downstream) }
            )
        }
    }

    // MARK: Values

    public func map<T>(_ transform: @escaping (Output) -> T) -> some Publisher<T, Failure> {
        transformed { $1.value(transform($0)) }
    }
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> some Publisher<T, Failure> {
        transformed { $1.value($0[keyPath: keyPath]) }
    }
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> some Publisher<T, Failure> {
        transformed { if let value = transform($0) { $1.value(value) } }
    }
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> some Publisher<Output, Failure> {
        transformed { if isIncluded($0) { $1.value($0) } }
    }
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> some Publisher<T, any Error> {
        piped { value, downstream in
            do { downstream.value(try transform(value)) } catch { downstream.completion(.failure(error)) }
        } _: { completion, downstream in
            downstream.completion(completion.erased)
        }
    }
    public func scan<T>(_ initial: T, _ next: @escaping (T, Output) -> T) -> some Publisher<T, Failure> {
        stateful(initial) { state, value, downstream in
            state = next(state, value)
            downstream.value(state)
        }
    }
    public func removeDuplicates(by isEqual: @escaping (Output, Output) -> Bool) -> some Publisher<Output, Failure> {
        stateful(Output?.none) { last, value, downstream in
            if let known = last, isEqual(known, value) { return }
            last = value
            downstream.value(value)
        }
    }
    public func removeDuplicates() -> some Publisher<Output, Failure> where Output: Equatable {
        removeDuplicates(by: ==)
    }
    public func replaceNil<T>(with output: T) -> some Publisher<T, Failure> where Output == T? { map { $0 ?? output } }
    public func collect() -> some Publisher<[Output], Failure> {
        stateful([Output]()) { all, value, _ in
            all.append(value)
        } atEnd: { all, downstream in
            downstream.value(all)
        }
    }
    public func dropFirst(_ count: Int = 1) -> some Publisher<Output, Failure> {
        stateful(count) { left, value, downstream in
            if left > 0 { left -= 1 } else { downstream.value(value) }
        }
    }
    public func prefix(_ maxLength: Int) -> some Publisher<Output, Failure> {
        stateful(maxLength) { left, value, downstream in
            guard left > 0 else { return }
            left -= 1
            downstream.value(value)
            if left == 0 { downstream.completion(.finished) }
        }
    }
    public func first() -> some Publisher<Output, Failure> { prefix(1) }
    public func first(where predicate: @escaping (Output) -> Bool) -> some Publisher<Output, Failure> {
        filter(predicate).prefix(1)
    }
    public func prepend(_ elements: Output...) -> some Publisher<Output, Failure> {
        AnyPublisher<Output, Failure> { downstream in
            for element in elements { downstream.value(element) }
            return sink(receiveCompletion: downstream.completion, receiveValue: downstream.value)
        }
    }
    public func handleEvents(
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) -> some Publisher<Output, Failure> {
        piped { value, downstream in
            receiveOutput?(value)
            downstream.value(value)
        } _: { completion, downstream in
            receiveCompletion?(completion)
            downstream.completion(completion)
        } as AnyPublisher<Output, Failure>
    }
    public func share() -> some Publisher<Output, Failure> {
        let subject = PassthroughSubject<Output, Failure>()
        let connection = Box(AnyCancellable?.none)
        return AnyPublisher<Output, Failure> { downstream in
            let own = subject.sink(receiveCompletion: downstream.completion, receiveValue: downstream.value)
            if connection.value == nil { connection.value = subscribe(subject) }
            return own
        }
    }

    // MARK: Errors

    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> some Publisher<Output, E> {
        piped {
            $1.value($0)
        } _: { completion, downstream in
            switch completion {
            case .finished: downstream.completion(.finished)
            case .failure(let error): downstream.completion(.failure(transform(error)))
            }
        } as AnyPublisher<Output, E>
    }
    public func setFailureType<E: Error>(to failureType: E.Type) -> some Publisher<Output, E> where Failure == Never {
        piped {
            $1.value($0)
        } _: { _, downstream in
            downstream.completion(.finished)
        } as AnyPublisher<Output, E>
    }
    public func replaceError(with output: Output) -> some Publisher<Output, Never> {
        piped {
            $1.value($0)
        } _: { completion, downstream in
            if case .failure = completion { downstream.value(output) }
            downstream.completion(.finished)
        } as AnyPublisher<Output, Never>
    }
    public func `catch`<P: Publisher>(
        _ handler: @escaping (Failure) -> P
    ) -> some Publisher<Output, P.Failure> where P.Output == Output {
        AnyPublisher<Output, P.Failure> { downstream in
            let links = Box([AnyCancellable]())
            links.value.append(
                sink(
                    receiveCompletion: { completion in
                        guard case .failure(let error) = completion else { return downstream.completion(.finished) }
                        links.value.append(
                            handler(error).sink(
                                receiveCompletion: downstream.completion,
                                receiveValue: downstream.value
                            )
                        )
                    },
                    receiveValue: downstream.value
                )
            )
            return AnyCancellable { links.value = [] }
        }
    }
    public func decode<Item: Decodable>(type: Item.Type, decoder: JSONDecoder) -> some Publisher<Item, any Error>
    where Output == Data { tryMap { try decoder.decode(type, from: $0) } }

    // MARK: Publishers of publishers

    public func flatMap<T, P: Publisher>(
        _ transform: @escaping (Output) -> P
    ) -> some Publisher<T, Failure> where P.Output == T, P.Failure == Failure {
        inner(latestOnly: false, transform)
    }
    public func switchToLatest() -> some Publisher<Output.Output, Failure>
    where Output: Publisher, Output.Failure == Failure { inner(latestOnly: true) { $0 } }

    private func inner<P: Publisher>(
        latestOnly: Bool,
        _ transform: @escaping (Output) -> P
    ) -> AnyPublisher<P.Output, Failure> where P.Failure == Failure {
        AnyPublisher { downstream in
            let links = Box([AnyCancellable]())
            let open = Box(1)
            let close: (Subscribers.Completion<Failure>) -> Void = { completion in
                open.value -= 1
                if case .failure = completion { return downstream.completion(completion) }
                if open.value == 0 { downstream.completion(.finished) }
            }
            let outer = sink(receiveCompletion: close) { value in
                if latestOnly, !links.value.isEmpty {
                    links.value = []
                    open.value = 1
                }
                open.value += 1
                links.value.append(transform(value).sink(receiveCompletion: close, receiveValue: downstream.value))
            }
            return AnyCancellable {
                outer.cancel()
                links.value = []
            }
        }
    }

    // MARK: Several publishers

    public func merge<P: Publisher>(with other: P) -> some Publisher<Output, Failure>
    where P.Output == Output, P.Failure == Failure { Publishers.Merge(self, other) }
    public func combineLatest<P: Publisher>(_ other: P) -> some Publisher<(Output, P.Output), Failure>
    where P.Failure == Failure { Publishers.CombineLatest(self, other) }
    public func combineLatest<P: Publisher, Q: Publisher>(
        _ other: P,
        _ third: Q
    ) -> some Publisher<(Output, P.Output, Q.Output), Failure> where P.Failure == Failure, Q.Failure == Failure {
        Publishers.CombineLatest3(self, other, third)
    }
    public func zip<P: Publisher>(_ other: P) -> some Publisher<(Output, P.Output), Failure>
    where P.Failure == Failure { Publishers.Zip(self, other) }
}

/// A value that closures share.
final class Box<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

extension Subscribers.Completion {
    fileprivate var erased: Subscribers.Completion<any Error> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(error)
        }
    }
}

public enum Publishers {
    public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        public let a: A
        public let b: B
        public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (a, b) = (a, b)
            [a.eraseToAnyPublisher(), b.eraseToAnyPublisher()].publisher.setFailureType(to: Failure.self)
                .flatMap { $0 }.receive(subscriber: subscriber)
        }
    }

    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B
        public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (a, b) = (a, b)
            AnyPublisher<Output, Failure> { downstream in
                let values = Box((A.Output?.none, B.Output?.none))
                let pass = {
                    if let first = values.value.0, let second = values.value.1 { downstream.value((first, second)) }
                }
                return AnyCancellable.both(
                    a,
                    {
                        values.value.0 = $0; pass()
                    },
                    b,
                    {
                        values.value.1 = $0; pass()
                    },
                    downstream.completion
                )
            }
            .receive(subscriber: subscriber)
        }
    }

    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B
        public let c: C
        public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
        }
    }

    public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B
        public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (a, b) = (a, b)
            AnyPublisher<Output, Failure> { downstream in
                let values = Box(([A.Output](), [B.Output]()))
                let pass = {
                    guard !values.value.0.isEmpty, !values.value.1.isEmpty else { return }
                    downstream.value((values.value.0.removeFirst(), values.value.1.removeFirst()))
                }
                return AnyCancellable.both(
                    a,
                    {
                        values.value.0.append($0); pass()
                    },
                    b,
                    {
                        values.value.1.append($0); pass()
                    },
                    downstream.completion
                )
            }
            .receive(subscriber: subscriber)
        }
    }
}

extension AnyCancellable {
    /// Listens to two publishers, and ends when both have ended or one has failed.
    fileprivate static func both<A: Publisher, B: Publisher>(
        _ a: A,
        _ first: @escaping (A.Output) -> Void,
        _ b: B,
        _ second: @escaping (B.Output) -> Void,
        _ completion: @escaping (Subscribers.Completion<A.Failure>) -> Void
    ) -> AnyCancellable where A.Failure == B.Failure {
        let open = Box(2)
        let close: (Subscribers.Completion<A.Failure>) -> Void = { end in
            open.value -= 1
            if case .failure = end { return completion(end) }
            if open.value == 0 { completion(.finished) }
        }
        let links = [
            a.sink(receiveCompletion: close, receiveValue: first),
            b.sink(receiveCompletion: close, receiveValue: second),
        ]
        return AnyCancellable { for link in links { link.cancel() } }
    }
}
