internal import CSystem
internal import Foundation
internal import JSON
internal import JSONRPC

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
            case .answer(let batch, let result): calls.removeValue(forKey: batch)?.answer(result)
            case .log(let level, let message):
                host.session.notify("log", params: ["level": .string(level.rawValue), "message": .string(message)])
            }
        }
    }

    private func answer(_ call: Call) {
        do {
            guard let method = methods[call.method] else { throw RPCError.methodNotFound(call.method) }
            if let result = try method.handler(call, try method.signature.bind(call.params, allowsUnknown: true)) {
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
        return result
    }

    private func deliver(_ call: Call, _ arguments: Arguments) throws -> JSON? {
        let (suite, records) = (try arguments.string("suite"), try arguments.array("batch"))
        let probe = try arguments.optionalBool("probe") ?? false
        lastBatch += 1
        calls[lastBatch] = call
        let (batch, destination, mailbox) = (lastBatch, destination, mailbox)
        Task.detached {
            let result = await destination.result(of: suite, records, probe: probe)
            mailbox.post(.answer(batch: batch, result))
        }
        return nil
    }
}

extension DestinationExtension {
    /// The reply to a batch on the wire.
    fileprivate func result(of suite: String, _ records: JSON.Array, probe: Bool) async -> Result<JSON, RPCError> {
        do {
            let (batch, held) = try DeliveryBatch.read(suite: suite, records, probe: probe)
            var result = try await deliver(batch)
            result.held += held
            return .success(result.json)
        } catch {
            return .failure((error as? ExtensionError)?.wireError ?? RPCError(error))
        }
    }
}
