internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Suites

extension MethodTable<HostMethod> {
    /// Every method that a client may call.
    static var client: MethodTable<HostMethod> {
        var table = MethodTable()
        table.addNotificationMethods()
        table.addSaveMethods(notification: "notification?")
        table.addStorageMethods(extra: [])
        table.addSuiteMethods()
        table.addDeadLetterMethods()
        table.addPropertyListMethods()
        table.addHostMethods()
        return table
    }

    private mutating func addHostMethods() {
        let pong: JSON = ["version": .string(ContractDocuments.version)]
        addFree("ping") { _, _ in .done(pong) }
        addFree("status") { host, _ in .done(host.status) }
        addFree("extensions") { host, _ in .done(host.describeExtensions()) }
        add("reloadExtensions", ["force?"], .reload, of: .nothing) { host, call in try host.reloadExtensions(call) }
        addFree("rpc.discover") { _, _ in .done(ContractDocuments.host) }
        addFree("subscribe", ["topics"]) { _, call in
            var topics: Set<Topic> = []
            for (index, value) in try call.arguments.array("topics").enumerated() {
                guard let topic = value.string.flatMap(Topic.init(rawValue:)) else {
                    let known = Topic.allCases.map(\.rawValue).joined(separator: ", ")
                    throw RPCError.invalidParams(
                        path: "\(call.arguments.path("topics"))/\(index)",
                        "\(value.excerpt()) is no topic; there are \(known)"
                    )
                }
                topics.insert(topic)
            }
            call.peer.topics = topics
            return .done(["topics": JSON(Topic.allCases.filter(topics.contains).map { .string($0.rawValue) })])
        }
        addFree("shutdown") { host, call in
            host.shutDown(call.call)
            return .later
        }
        addFree("$/cancelRequest", ["id"]) { host, call in
            let id = try call.arguments.value("id")
            guard id.string != nil || id.number != nil || id == .null else {
                throw call.arguments.mistyped("id", "a string, a number or null")
            }
            guard let cancelled = call.call.session.call(withID: id) else { return .done(["cancelled": false]) }
            host.finish(
                cancelled,
                .failure(RPCError(.requestCancelled, reason: "requestCancelled", "the caller cancelled the request"))
            )
            return .done(["cancelled": true])
        }
    }
}

extension Host {
    /// Stops taking lines; the reply is the last one, after all that is in flight.
    fileprivate func shutDown(_ call: Call) {
        isStopping = true
        shutdownCalls.append(call)
    }
}
