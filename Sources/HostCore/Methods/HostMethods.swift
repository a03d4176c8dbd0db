internal import Calls
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Presenting
internal import Records
internal import Suites

extension MethodTable<HostMethod> {
    /// Adds the methods that a control connection may call too: none saves or shows anything; a reload ends what changed bundles show.
    mutating func addControlMethods(_ status: HostStatus, _ reload: ExtensionReload, _ jobs: JobService) {
        let pong = (["version": .string(ContractDocuments.version)] as JSON).keepingText
        addFree("ping") { _, _, _ in pong }
        // Not free, although it waits for no other call: it reads suites, and must not wait there for a commit that runs.
        add("status", [], .nothing) { invocation in
            // A suite that cannot be read is left out; `suites` says why.
            jobs.summarize((try? jobs.store.names()) ?? [], invocation) { suites in
                status.host(suites.compactMap { try? $0.content.get() })
            }
        }
        addFree("extensions") { _, _, _ in status.allExtensions }
        add("reloadExtensions", ["force?"], .reload) { invocation in try reload.reloadExtensions(invocation) }
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
        add("checkExtension", ["path"], .nothing) { invocation in try checks.checkExtension(invocation) }
        addFree("rpc.discover") { _, _, _ in ContractDocuments.host }
        addFree("subscribe", ["topics"]) { arguments, peer, _ in
            var topics: Set<Topic> = []
            for (index, value) in try arguments.array("topics").enumerated() {
                guard let topic = value.string.flatMap(Topic.init(rawValue:)) else {
                    let known = Topic.allCases.map(\.rawValue).joined(separator: ", ")
                    throw RPCError.invalidParams(
                        path: "\(arguments.path("topics"))/\(index)",
                        "\(value.excerpt()) is not a topic; there are \(known)"
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
