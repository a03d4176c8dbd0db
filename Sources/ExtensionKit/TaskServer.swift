internal import CSystem
internal import JSON
internal import JSONRPC
internal import Platform
internal import Synchronization

/// The process of an extension whose calls are answered by tasks: the main thread reads and answers.
///
/// - Important: Used by the main thread only, except for ``notify(_:_:)``.
final class TaskServer {
    /// A message from a task to the main thread.
    private enum Message: Sendable {
        case answer(call: Int, Result<JSON, RPCError>)
        case notification(method: String, params: JSON)
        case stopped
    }

    private let host = HostConnection()
    private let mailbox = Mailbox<Message>()
    /// The variables of the host's environment that `activate` passed.
    private(set) var environment: [String: String] = [:]
    /// The calls that are not answered yet, by number, and what their tasks work on.
    private var calls: [Int: (call: Call, input: any Sendable)] = [:]
    private var lastCall = 0
    private var isDeactivated = false
    /// The work before the process ends, if it was not begun, and whether it is done.
    private var stop: (@Sendable () async -> Void)?
    private var isStopped = true
    private var methods = CallHandlers()

    /// Hides this process's memory, which the host's first message may fill with keys, before that is read.
    static func hideMemory() {
        let result = csystem_hide_memory()
        precondition(result == 0, "this process cannot be hidden from others: \(String(cString: strerror(-result)))")
    }

    init() {
        host.session.onCall = { [unowned self] in methods.answer($0) }
    }

    func add(_ method: String, _ parameters: [String], _ handler: @escaping (Call, Arguments) throws -> JSON?) {
        methods.add(method, parameters, handler)
    }

    /// Does that work before the process ends.
    func stopsWith(_ work: @escaping @Sendable () async -> Void) { (stop, isStopped) = (work, false) }

    /// Ends the process once the calls under way are answered.
    func deactivate() { isDeactivated = true }

    func run() {
        host.run(mailbox, until: { [unowned self] in stopIfNeeded(inputEnded: $0) }) { message in
            switch message {
            case .answer(let number, let result):
                let answered = calls.removeValue(forKey: number)
                answered?.call.answer(result.writable)
                // The host continues while the batch is freed, which takes long for thousands of values.
                host.writeOutput()
                withExtendedLifetime(answered) {}
            case .notification(let method, let params):
                if let found = params.nonFinite {
                    let text = "\(method) is not sent: JSON has no \(found.value)"
                    host.session.notify("log", params: ["level": "warning", "message": .string(text)])
                } else {
                    host.session.notify(method, params: params)
                }
            case .stopped: isStopped = true
            }
        }
    }

    /// Begins the last work when the process is not needed any more; returns whether the process may end.
    private func stopIfNeeded(inputEnded: Bool) -> Bool {
        guard inputEnded || isDeactivated else { return false }
        // If the host died, nobody knows what became of its calls, so nothing may be given back.
        guard isDeactivated else { return calls.isEmpty }
        if let stop {
            self.stop = nil
            let mailbox = mailbox
            Task.detached {
                await stop()
                mailbox.post(.stopped)
            }
        }
        return isStopped && calls.isEmpty
    }

    /// A function by which any thread sends a notification to the host, after what was sent before.
    var notify: @Sendable (_ method: String, _ params: JSON) -> Void {
        { [mailbox] in mailbox.post(.notification(method: $0, params: $1)) }
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
        let (number, mailbox, handover) = (lastCall, mailbox, Handover(input))
        Task.detached {
            do {
                mailbox.post(.answer(call: number, .success(try await body(handover.take()))))
            } catch {
                mailbox.post(.answer(call: number, .failure(RPCError(ofAuthor: error))))
            }
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
