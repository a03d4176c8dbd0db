import JSON
import TestSupport
import Testing

/// The built host with the bundles of this repository, clock and chance fixed.
struct BundlesHost {
    static let suite = "group.com.example.pushhost"

    private let host: HostProcess

    /// Lends a host with a data folder of its own to the closure; then it must end in order and in silence.
    static func with(_ options: [String] = [], seed: Int = 1, _ body: (BundlesHost) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let errors = try run(data: folder, options, seed: seed, body: body)
            #expect(errors == "")
        }
    }

    /// Lends two hosts, one after the other, with the same data folder to the closures: the second begins with what
    /// the first one left.
    static func withSuccessors(
        _ first: (BundlesHost) throws -> Void,
        _ second: (BundlesHost) throws -> Void
    ) throws {
        try withTemporaryDirectory { folder in
            let errors = try run(data: folder, body: first)
            #expect(errors == "")
            // The recording that the tests make of each host begins without suites, which the host remarks.
            let lines = try run(data: folder, body: second).split(separator: "\n")
            #expect(lines.filter { !$0.contains(" --record: \(folder) holds suites already") } == [])
        }
    }

    /// Lends a host to the closure, after which it must end in order, and gives what it wrote to stderr.
    private static func run(
        data folder: String,
        _ options: [String] = [],
        seed: Int = 1,
        body: (BundlesHost) throws -> Void
    ) throws -> String {
        let fixed = ["--clock", "2026-01-01T00:00:00Z", "--seed", String(seed)]
        let folders = ["--plugins", "\(repositoryRoot)/plugins", "--data", folder]
        let host = try HostProcess(folders + fixed + options)
        try body(BundlesHost(host: host))
        #expect(try host.finish() == .code(0))
        return host.process.standardError
    }

    // MARK: Calls

    func result(_ method: String, _ params: JSON = [:]) throws -> JSON { try host.result(method, params) }

    /// The params of the oldest notification of a subscribed topic, waited for if there is none yet.
    func notification(_ topic: String) throws -> JSON { try host.notification(topic) }

    /// Calls a method that must fail, and gives the error.
    func error(_ method: String, _ params: JSON) throws -> JSON {
        let reply = try host.call(method, params)
        return try #require(reply["error"], "\(method) \(params) did not fail: \(reply)")
    }

    /// Calls a method that the extension must refuse, and gives its own error.
    func refusal(_ method: String, _ params: JSON) throws -> JSON {
        let error = try error(method, params)
        #expect(error["data"]?["reason"] == "extensionRefused", "\(error)")
        return try #require(error["data"]?["cause"], "\(error)")
    }

    /// Shows a notification of a category and gives what came of it.
    func receive(
        category: String,
        thread: String = "",
        sizeClass: String? = nil,
        _ pairs: [(String, JSON)] = []
    ) throws -> Shown {
        let payload = Self.payload(category: category, thread: thread, pairs)
        let size = sizeClass.map { [("verticalSizeClass", JSON.string($0))] } ?? []
        return Shown(try result("didReceive", .object(JSON.Object([("payload", payload)] + size))))
    }

    static func payload(category: String, thread: String = "", _ pairs: [(String, JSON)] = []) -> JSON {
        let aps: JSON = ["alert": "Hello", "category": .string(category), "thread-id": .string(thread)]
        return .object(JSON.Object([("aps", aps)] + pairs))
    }

    // MARK: The suite

    /// The records that wait in the bundles' suite, without their ids and times.
    func pending() throws -> [JSON] {
        let page = try result("pending", ["suite": .string(Self.suite)])
        let records = try #require(page["records"]?.array)
        #expect(page["total"] == JSON(records.count))
        return records.map { record in
            let members = (record.object ?? JSON.Object([])).filter { $0.name != "id" && $0.name != "time" }
            return .object(JSON.Object(members.map { ($0.name, $0.value) }))
        }
    }

    /// Takes every record out of the bundles' suite.
    func flush() throws { _ = try result("flushPending", ["suite": .string(Self.suite)]) }

    /// Leaves a record of somebody else in the bundles' suite.
    func fill() throws { _ = try result("saveCustomEvent", ["suite": .string(Self.suite), "name": "Filler"]) }
}

/// What a reply shows of a notification.
struct Shown {
    let notification: JSON
    let view: JSON
    let actions: JSON

    init(_ result: JSON) {
        notification = result["notification"] ?? .null
        view = result["view"] ?? .null
        actions = result["actions"] ?? .null
    }

    /// The node of that id, where the view has one.
    subscript(id: String) -> JSON? { nodes.first { $0["id"] == .string(id) } }

    /// Every node of the view, from top to bottom.
    private var nodes: [JSON] { Self.nodes(view) }

    private static func nodes(_ node: JSON) -> [JSON] { [node] + node.children.flatMap(nodes) }
}

extension JSON {
    /// The nodes that a node of a view holds.
    var children: [JSON] { self["children"]?.array.map { Swift.Array($0) } ?? [] }
}
