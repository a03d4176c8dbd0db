internal import CSystem
internal import JSON
internal import JSONRPC
internal import Platform
internal import Synchronization

extension DestinationExtension {
    /// Serves the host on stdin and stdout; what `@main` calls.
    public static func main() {
        // The host's first message may hold keys, so this happens before it is read.
        let result = csystem_hide_memory()
        precondition(result == 0, "this process cannot be hidden from others: \(String(cString: strerror(-result)))")
        DestinationMain<Self>().run()
    }
}

/// A destination's process: tasks deliver batches, the main thread reads and answers.
private final class DestinationMain<Destination: DestinationExtension> {
    /// A message from a task to the main thread.
    private enum Message: Sendable {
        case answer(batch: Int, Result<JSON, RPCError>)
        case log(DestinationContext.LogLevel, String)
    }

    private let host = HostConnection()
    private let mailbox = Mailbox<Message>()
    /// The variables of the host's environment that `activate` passed.
    private var environment: [String: String] = [:]
    private lazy var destination = Destination(
        context: DestinationContext(environment: environment) { [mailbox] in mailbox.post(.log($0, $1)) }
    )
    /// The calls that are not answered yet, by batch number, and what their tasks work on.
    private var calls: [Int: (call: Call, input: any Sendable)] = [:]
    private var lastBatch = 0
    private var isDeactivated = false
    /// The methods; a handler returns nil if it answers later.
    private var methods = MethodTable<(Call, Arguments) throws -> JSON?>()

    init() {
        add(.activate) { [unowned self] _, arguments in try activate(arguments) }
        add(.deliver) { [unowned self] in try deliver($0, $1) }
        add(.check) { [unowned self] call, _ in try check(call) }
        add(.deactivate) { [unowned self] _, _ in
            isDeactivated = true
            return [:]
        }
        host.session.onCall = { [unowned self] in answer($0) }
    }

    private func add(_ method: DestinationMethod, _ handler: @escaping (Call, Arguments) throws -> JSON?) {
        methods.add(method.rawValue, method.parameters, handler)
    }

    func run() {
        host.run(mailbox, until: { [unowned self] in ($0 || isDeactivated) && calls.isEmpty }) { message in
            switch message {
            case .answer(let batch, let result):
                let answered = calls.removeValue(forKey: batch)
                answered?.call.answer(result)
                // The host continues while the batch is freed, which takes long for thousands of values.
                host.flush()
                withExtendedLifetime(answered) {}
            case .log(let level, let message):
                host.session.notify("log", params: ["level": .string(level.rawValue), "message": .string(message)])
            }
        }
    }

    private func answer(_ call: Call) {
        do {
            guard let method = methods[call] else { throw RPCError.methodNotFound(call.method) }
            if let result = try method.handler(call, try method.signature.bind(call, allowsUnknown: true)) {
                call.answer(.success(result))
            }
        } catch {
            call.answer(.failure(RPCError(error)))
        }
    }

    private func activate(_ arguments: Arguments) throws -> JSON {
        let result = try host.activate(arguments)
        for (name, value) in arguments["environment"]?.object.map(Array.init) ?? [] {
            environment[name] = value.string
        }
        _ = destination
        guard !capabilities.isEmpty else { return result }
        let members = result.object?.map { ($0.name, $0.value) } ?? []
        return .object(JSON.Object(members + [("capabilities", JSON(capabilities.map(JSON.string)))]))
    }

    private func deliver(_ call: Call, _ arguments: Arguments) throws -> JSON? {
        let (suite, records) = (try arguments.string("suite"), try arguments.array("batch"))
        let identity = try arguments.optionalString("suiteIdentity")
        let probe = try arguments.optionalBool("probe") ?? false
        let isDryRun = try arguments.optionalBool("dryRun") ?? false
        // Read by this thread, which also frees the batch: the memory serves the next batch.
        let (batch, held) = try DeliveryBatch.read(
            suite: suite,
            identity: identity,
            records,
            probe: probe
        )
        if isDryRun {
            guard let destination = destination as? any DryRunDestination else {
                // Never delivered instead, whatever the host knows of this destination.
                throw RPCError.invalidParams(path: "/params/dryRun", "this destination cannot make a dry run")
            }
            return answerLater(call, batch) { batch in
                var result = try await destination.dryRun(batch)
                result.held += held
                return result.json
            }
        }
        let destination = destination
        return answerLater(call, batch) { batch in
            var result = try await destination.deliver(batch)
            result.held += held
            return result.json
        }
    }

    private func check(_ call: Call) throws -> JSON? {
        guard let destination = destination as? any CheckableDestination else {
            throw RPCError.methodNotFound(call.method)
        }
        return answerLater(call, ()) { _ in try await destination.check().json }
    }

    /// The optional parts of the contract that the author's type offers.
    private var capabilities: [String] {
        [
            destination is any DryRunDestination ? "dryRun" : nil,
            destination is any CheckableDestination ? "check" : nil,
        ].compactMap(\.self)
    }

    /// Answers a call with the result of a task.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - input: What the task works on. It is kept until the answer is written, as freeing a batch takes long.
    ///   - body: The task's work.
    /// - Returns: Nil, since the call is answered later.
    private func answerLater<Input: Sendable>(
        _ call: Call,
        _ input: Input,
        _ body: @escaping @Sendable (Input) async throws -> JSON
    ) -> JSON? {
        lastBatch += 1
        calls[lastBatch] = (call, input)
        let (batch, mailbox, handover) = (lastBatch, mailbox, Handover(input))
        Task.detached {
            do {
                mailbox.post(.answer(batch: batch, .success(try await body(handover.take()))))
            } catch {
                mailbox.post(.answer(batch: batch, .failure((error as? ExtensionError)?.wireError ?? RPCError(error))))
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
