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

    func transformed<T>(
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

    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> some Publisher<T, Failure> { map { $0[keyPath: keyPath] } }
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

    public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
    where P.Output == Output, P.Failure == Failure { Publishers.Merge(self, other) }
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
    where B.Output == Output, B.Failure == Failure { Publishers.Merge3(self, b, c) }
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
        with b: B,
        _ c: C,
        _ d: D
    ) -> Publishers.Merge4<Self, B, C, D> where B.Output == Output, B.Failure == Failure {
        Publishers.Merge4(self, b, c, d)
    }
    public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
    where P.Failure == Failure { Publishers.CombineLatest(self, other) }
    public func combineLatest<P: Publisher, T>(
        _ other: P,
        _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
        combineLatest(other).map(transform)
    }
    public func combineLatest<P: Publisher, Q: Publisher>(
        _ publisher1: P,
        _ publisher2: Q
    ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        Publishers.CombineLatest3(self, publisher1, publisher2)
    }
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P>
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
