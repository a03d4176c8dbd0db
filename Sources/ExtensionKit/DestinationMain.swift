internal import CSystem
internal import JSON
internal import JSONRPC
internal import Platform

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
    /// The calls that are not answered yet, by batch number.
    private var calls: [Int: Call] = [:]
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
                let call = calls.removeValue(forKey: batch)
                call?.answer(result)
                // The host continues while the params are freed, which takes long for thousands of values.
                host.flush()
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
        let probe = try arguments.optionalBool("probe") ?? false
        if try arguments.optionalBool("dryRun") ?? false {
            guard let destination = destination as? any DryRunDestination else {
                // Never delivered instead, whatever the host knows of this destination.
                throw RPCError.invalidParams(path: "/params/dryRun", "this destination cannot make a dry run")
            }
            return answerLater(call) {
                let (batch, held) = try DeliveryBatch.read(suite: suite, records, probe: probe)
                var result = try await destination.dryRun(batch)
                result.held += held
                return (result.json, batch)
            }
        }
        let destination = destination
        return answerLater(call) {
            let (batch, held) = try DeliveryBatch.read(suite: suite, records, probe: probe)
            var result = try await destination.deliver(batch)
            result.held += held
            return (result.json, batch)
        }
    }

    private func check(_ call: Call) throws -> JSON? {
        guard let destination = destination as? any CheckableDestination else {
            throw RPCError.methodNotFound(call.method)
        }
        return answerLater(call) { (try await destination.check().json, nil) }
    }

    /// The optional parts of the contract that the author's type offers.
    private var capabilities: [String] {
        [
            destination is any DryRunDestination ? "dryRun" : nil,
            destination is any CheckableDestination ? "check" : nil,
        ].compactMap(\.self)
    }

    /// Answers a call with the result of a task; its batch is freed after the answer, as that takes long.
    private func answerLater(
        _ call: Call,
        _ body: @escaping @Sendable () async throws -> (result: JSON, batch: DeliveryBatch?)
    ) -> JSON? {
        lastBatch += 1
        calls[lastBatch] = call
        let (batch, mailbox) = (lastBatch, mailbox)
        Task.detached {
            do {
                let (result, records) = try await body()
                withExtendedLifetime(records) { mailbox.post(.answer(batch: batch, .success(result))) }
            } catch {
                mailbox.post(.answer(batch: batch, .failure((error as? ExtensionError)?.wireError ?? RPCError(error))))
            }
        }
        return nil
    }
}
