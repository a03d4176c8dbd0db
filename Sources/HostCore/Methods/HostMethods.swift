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
        table.addHostMethods()
        return table
    }

    private mutating func addHostMethods() {
        let pong: JSON = ["version": .string(Contract.version)]
        addFree("ping") { _, _ in .done(pong) }
        addFree("status") { host, _ in .done(host.status) }
        addFree("extensions") { host, _ in .done(host.describeExtensions()) }
        addFree("rpc.discover") { _, _ in .done(Contract.host) }
        addFree("subscribe", ["topics"]) { _, call in
            var topics: Set<Topic> = []
            for (index, value) in try call.arguments.array("topics").enumerated() {
                guard let topic = value.string.flatMap(Topic.init(rawValue:)) else {
                    let known = Topic.allCases.map(\.rawValue).joined(separator: ", ")
                    throw RPCError.invalidParams(
                        path: "\(call.arguments.path("topics"))/\(index)",
                        "\(value) is no topic; there are \(known)"
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

    fileprivate var status: JSON {
        let running = extensions.processes.filter { $0.pid != nil }
        return [
            "version": .string(Contract.version),
            "sqlite": .string(SuiteStore.sqliteVersion),
            "data": .string(configuration.dataFolder),
            "requestsInFlight": JSON(clients.reduce(0) { $0 + $1.inFlight.count + $1.waiting.count }),
            "presentations": JSON(notifications.visible.count),
            "extensionsRunning": JSON(running.count),
            "logLinesDropped": JSON(logSink.dropped),
        ]
    }

    fileprivate func describeExtensions() -> JSON {
        let catalog = extensions.catalog(self)
        let running = Dictionary(uniqueKeysWithValues: extensions.processes.map { ($0.bundle.identifier, $0) })
        return [
            "extensions": JSON(catalog.bundles.map { describe($0, running[$0.identifier]) }),
            "problems": JSON(catalog.problems.map(\.json)),
        ]
    }

    private func describe(_ bundle: ExtensionBundle, _ process: ExtensionProcess?) -> JSON {
        var members: [(String, JSON)] = [
            ("identifier", .string(bundle.identifier)),
            ("path", .string(bundle.path)),
            ("point", .string(bundle.point.rawValue)),
            ("categories", JSON(bundle.categories.map(JSON.string))),
            ("applicationGroups", JSON(bundle.applicationGroups.map(JSON.string))),
            ("initialContentSizeRatio", .real(bundle.initialContentSizeRatio)),
            ("defaultContentHidden", .bool(bundle.defaultContentHidden)),
            ("overridesDefaultTitle", .bool(bundle.overridesDefaultTitle)),
            ("userInteractionEnabled", .bool(bundle.userInteractionEnabled)),
            ("state", .string(process?.state ?? "idle")),
            ("presentations", JSON(process?.presentations ?? 0)),
            ("callsInFlight", JSON(process?.callsInFlight ?? 0)),
            ("starts", JSON(process?.starts ?? 0)),
        ]
        if let pid = process?.pid { members.append(("pid", .integer(Int64(pid)))) }
        if let time = process?.activationTime { members.append(("activationMilliseconds", .integer(time))) }
        if let count = process?.strayLines, count > 0 { members.append(("strayLines", JSON(count))) }
        if let fault = process?.lastFault { members.append(("lastFault", .string("\(fault)"))) }
        members.append(("problems", JSON(bundle.problems.map(\.json))))
        return .object(JSON.Object(members))
    }
}

extension BundleProblem {
    fileprivate var json: JSON {
        ["path": .string(path), "message": .string(message), "severity": .string(severity.rawValue)]
    }
}
