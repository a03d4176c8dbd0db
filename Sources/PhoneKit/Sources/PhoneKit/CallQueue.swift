import Foundation
import JSON
import JSONRPC
import PhoneRuntime

/// The host's calls, which are handled on the main queue, one at a time.
@MainActor
final class CallQueue {
    /// Handles a call, and calls the closure with its result, at once or later.
    typealias Handler = @MainActor (Arguments, @escaping @MainActor (Result<JSON, RPCError>) -> Void) throws -> Void

    private var methods = MethodTable<Handler>()
    private var waiting: [HostCall] = []
    /// How many calls were begun.
    private var number = 0
    /// Whether a call is handled that is not answered yet.
    private(set) var isBusy = false
    /// Called when a call was answered.
    var onAnswer: @MainActor () -> Void = {}

    func add(_ method: String, _ parameters: [String], _ handler: @escaping Handler) {
        methods.add(method, parameters, handler)
    }

    /// Lets the next call be handled before the current one is answered.
    func release() {
        DispatchQueue.main.async { [self] in
            guard isBusy else { return }
            isBusy = false
            handleNext()
        }
    }

    func take(_ call: HostCall) {
        waiting.append(call)
        handleNext()
    }

    private func handleNext() {
        guard !isBusy, !waiting.isEmpty else { return }
        isBusy = true
        let call = waiting.removeFirst()
        number += 1
        let own = number
        let answer: @MainActor (Result<JSON, RPCError>) -> Void = { [self] result in
            call.answer(result)
            guard own == number, isBusy else { return }
            isBusy = false
            onAnswer()
            handleNext()
        }
        guard let method = methods[call.method] else {
            return answer(.failure(.methodNotFound(call.method)))
        }
        do {
            let arguments = try call.arguments(method.signature)
            moveClock(arguments) {
                do { try method.handler(arguments, answer) } catch { answer(.failure(Self.wire(error))) }
            }
        } catch {
            answer(.failure(error))
        }
    }

    /// With a fixed clock, lets time pass until the notification's own.
    private func moveClock(_ arguments: Arguments, _ body: @escaping @MainActor () -> Void) {
        let clock = MainClock.shared
        let names = arguments.signature.parameters.map(\.name)
        guard clock.isVirtual, names.contains("request"),
            let time = arguments["request"]?["date"]?.string.flatMap(Timestamp.parse), time > clock.now
        else { return body() }
        clock.advance(to: time) { body() }
    }

    static func wire(_ error: any Error) -> RPCError { (error as? HostError)?.wireError ?? RPCError(error) }
}
