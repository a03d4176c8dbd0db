internal import Calls
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Presenting
internal import Records
internal import Suites

extension MethodTable<HostMethod> {
    /// Adds the methods that a control connection may call too: they neither save nor show nor end anything.
    mutating func addControlMethods(_ status: HostStatus, _ reload: ExtensionReload, _ jobs: JobService) {
        let pong = (["version": .string(ContractDocuments.version)] as JSON).keepingText
        addFree("ping") { _, _, _ in pong }
        // Not free, although it waits for no other call: it reads suites, and must not wait there for a commit that runs.
        add("status", [], .nothing) { call in
            jobs.summarize((try? jobs.store.names()) ?? [], call) { suites in
                status.host(suites.compactMap { try? $0.content.get() })
            }
        }
        addFree("extensions") { _, _, _ in status.allExtensions }
        add("reloadExtensions", ["force?"], .reload) { call in try reload.reloadExtensions(call) }
    }

    /// Adds the methods about the host itself.
    mutating func addHostMethods(
        _ status: HostStatus,
        _ reload: ExtensionReload,
        _ checks: ExtensionChecks,
        _ shutdown: Shutdown,
        _ jobs: JobService,
        _ outbox: Outbox
    ) {
        addControlMethods(status, reload, jobs)
        add("checkExtension", ["path"], .nothing) { call in try checks.checkExtension(call) }
        addFree("rpc.discover") { _, _, _ in ContractDocuments.host }
        addFree("subscribe", ["topics"]) { arguments, peer, _ in
            var topics: Set<Topic> = []
            for (index, value) in try arguments.array("topics").enumerated() {
                guard let topic = value.string.flatMap(Topic.init(rawValue:)) else {
                    let known = Topic.allCases.map(\.rawValue).joined(separator: ", ")
                    throw RPCError.invalidParams(
                        path: "\(arguments.path("topics"))/\(index)",
                        "\(value.excerpt()) is no topic; there are \(known)"
                    )
                }
                topics.insert(topic)
            }
            peer.topics = topics
            return ["topics": JSON(Topic.allCases.filter(topics.contains).map { .string($0.rawValue) })]
        }
        addFree("shutdown") { _, _, call in
            shutdown.request(call)
            return nil
        }
        addFree("$/cancelRequest", ["id"]) { arguments, _, call in
            let id = try arguments.value("id")
            guard id.string != nil || id.number != nil || id == .null else {
                throw arguments.mistyped("id", "a string, a number or null")
            }
            guard let cancelled = call.session.call(withID: id) else { return ["cancelled": false] }
            outbox.finish(
                cancelled,
                .failure(RPCError(.requestCancelled, reason: "requestCancelled", "the caller cancelled the request"))
            )
            return ["cancelled": true]
        }
    }
}

/// Handles `shutdown`, whose calls are answered last.
final class Shutdown {
    private let gate: Gate
    private let outbox: Outbox
    private var calls: [Call] = []

    init(_ gate: Gate, _ outbox: Outbox) {
        self.gate = gate
        self.outbox = outbox
    }

    /// Stops the handling of further messages; the call is answered after all calls in flight.
    func request(_ call: Call) {
        gate.end(.shutdown)
        calls.append(call)
    }

    /// Answers the calls.
    func finish() {
        for call in calls { outbox.finish(call, .success(.null)) }
        calls = []
    }
}
