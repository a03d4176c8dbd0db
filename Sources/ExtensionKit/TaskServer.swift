internal import CSystem
internal import JSON
internal import JSONRPC
internal import Platform
internal import Synchronization

/// The process of an extension whose calls are answered by tasks: the main thread reads and answers.
///
/// `@unchecked`: only the main thread uses it; tasks pass it on in what they post to that thread.
final class TaskServer: @unchecked Sendable {
    let host = HostConnection()
    /// The variables of the host's environment that `activate` passed.
    private(set) var environment: [String: String] = [:]
    /// The calls that are not answered yet, by number, and what their tasks work on.
    private var calls: [Int: (call: Call, input: any Sendable)] = [:]
    private var lastCall = 0
    /// The work before the process ends, if it was not begun, and whether it is done.
    private var stop: (@Sendable () async -> Void)?
    private var isStopped = true

    /// Hides this process's memory, which the host's first message may fill with keys, before that is read.
    static func hideMemory() {
        let result = csystem_hide_memory()
        precondition(result == 0, "this process cannot be hidden from others: \(String(cString: strerror(-result)))")
    }

    /// Does that work before the process ends.
    func stopsWith(_ work: @escaping @Sendable () async -> Void) { (stop, isStopped) = (work, false) }

    func run() { host.run { [unowned self] in stopIfNeeded(inputEnded: $0) } }

    /// Answers a call with the result of its task.
    private func finish(_ number: Int, _ result: Result<JSON, RPCError>) {
        let answered = calls.removeValue(forKey: number)
        answered?.call.answer(result.writable)
        // The host continues while the batch is freed, which takes long for thousands of values.
        host.writeOutput()
        withExtendedLifetime(answered) {}
    }

    /// Begins the last work when the process is not needed any more; returns whether the process may end.
    private func stopIfNeeded(inputEnded: Bool) -> Bool {
        guard inputEnded || host.isDeactivated else { return false }
        // If the host died, nobody knows what became of its calls, so nothing may be given back.
        guard host.isDeactivated else { return calls.isEmpty }
        if let stop {
            self.stop = nil
            Task.detached { [self] in
                await stop()
                host.post { [self] in isStopped = true }
            }
        }
        return isStopped && calls.isEmpty
    }

    /// Handles `activate`; the closure creates the extension's object, and returns the optional parts that it offers.
    func activate(_ arguments: Arguments, _ prepare: () -> [String]) throws -> JSON {
        let result = try host.activate(arguments)
        for (name, value) in arguments["environment"]?.object.map(Array.init) ?? [] {
            environment[name] = value.string
        }
        let capabilities = prepare()
        guard !capabilities.isEmpty else { return result }
        return JSON(present: result.members + ["capabilities": JSON(capabilities.map(JSON.string))])
    }

    /// Answers a call with the result of a task, and returns nil, since the call is answered later.
    ///
    /// The input, which the task works on, is kept until the answer is written, as freeing a batch takes long.
    func answerLater<Input: Sendable>(
        _ call: Call,
        _ input: Input,
        _ body: @escaping @Sendable (Input) async throws -> JSON
    ) -> JSON? {
        lastCall += 1
        calls[lastCall] = (call, input)
        let (number, handover) = (lastCall, Handover(input))
        Task.detached { [self] in
            let result: Result<JSON, RPCError>
            do {
                result = .success(try await body(handover.take()))
            } catch {
                result = .failure(RPCError(ofAuthor: error))
            }
            host.post { [self] in finish(number, result) }
        }
        return nil
    }
}

/// Passes a value to a task, which has given it back when its work is done: the main thread then frees the value.
private final class Handover<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Returns the value; callable once.
    func take() -> Value {
        value.withLock { value in
            guard let taken = value.take() else { preconditionFailure("the value was taken before") }
            return taken
        }
    }
}
