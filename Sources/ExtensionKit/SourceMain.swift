internal import JSON
internal import JSONRPC

extension SourceExtension {
    /// Serves the host on stdin and stdout; what `@main` calls.
    public static func main() {
        TaskServer.hideMemory()
        SourceMain<Self>().run()
    }
}

/// A source's process: tasks pull and settle records.
private final class SourceMain<Source: SourceExtension> {
    private let server = TaskServer()
    private lazy var source = Source(
        context: SourceContext(environment: server.environment, notify: server.host.notify)
    )

    init() {
        let host = server.host
        host.add(SourceMethod.activate) { [unowned self] _, arguments in
            let result = try server.activate(arguments) { [] }
            server.stopsWith { [source] in await source.stop() }
            return result
        }
        host.add(SourceMethod.pull) { [unowned self] in try pull($0, $1) }
        host.add(SourceMethod.begin) { [unowned self] in try begin($0, $1) }
        host.add(SourceMethod.settle) { [unowned self] in try settle($0, $1) }
    }

    func run() { server.run() }

    private func pull(_ call: Call, _ arguments: Arguments) throws -> JSON? {
        let limit = Int(clamping: try arguments.required("limit", .integer(in: 1...Int64.max)))
        let wait = Duration.milliseconds(try arguments.required("wait", .integer(in: 0...86_400_000)))
        let source = source
        return server.answerLater(call, ()) { _ in try await source.pull(limit: limit, wait: wait).reply }
    }

    private func begin(_ call: Call, _ arguments: Arguments) throws -> JSON? {
        let source = source
        return server.answerLater(call, try arguments.ids("ids")) { ids in
            let begun = try await source.begin(ids)
            return reply(lost: begun.lost, sendUntil: begun.sendUntil?.timestamp)
        }
    }

    private func settle(_ call: Call, _ arguments: Arguments) throws -> JSON? {
        let source = source
        return server.answerLater(call, try SourceSettlement(arguments)) { settlement in
            reply(lost: try await source.settle(settlement))
        }
    }
}

/// The answer to a call that stores something.
private func reply(lost: [Int64], sendUntil: String? = nil) -> JSON {
    JSON(present: ["lost": JSON(nonEmpty: lost), "sendUntil": sendUntil.map(JSON.string)])
}
