import JSON
import TestSupport
import Testing

/// The built host with the bundles of this repository and a fixed clock and random seed.
struct BundlesHost {
    static let suite = "group.com.example.pushhost"

    private let host: HostProcess

    /// Passes a host with its own data folder to the closure; the host must then exit normally and log nothing.
    static func with(_ options: [String] = [], seed: Int = 1, _ body: (BundlesHost) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let errors = try run(data: folder, options, seed: seed, body: body)
            #expect(errors == "")
        }
    }

    /// Passes two hosts to the closures, one after the other; the second one uses the data folder of the first one.
    static func withSuccessors(
        _ first: (BundlesHost) throws -> Void,
        _ second: (BundlesHost) throws -> Void
    ) throws {
        try withTemporaryDirectory { folder in
            let errors = try run(data: folder, body: first)
            #expect(errors == "")
            // Each test's recording starts without suites, and the host logs a diagnostic about that.
            let lines = try run(data: folder, body: second).split(separator: "\n")
            #expect(lines.filter { !$0.contains(" --record: \(folder) holds suites already") } == [])
        }
    }

    /// Passes a host to the closure, expects it to exit normally, and returns what it wrote to stderr.
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

    /// Returns the params of the oldest notification of a subscribed topic; waits for one if necessary.
    func notification(_ topic: String) throws -> JSON { try host.notification(topic) }

    /// Calls a method that must fail, and returns the error.
    func error(_ method: String, _ params: JSON) throws -> JSON {
        let reply = try host.call(method, params)
        return try #require(reply["error"], "\(method) \(params) did not fail: \(reply)")
    }

    /// Calls a method that the extension must refuse, and returns the extension's own error.
    func refusal(_ method: String, _ params: JSON) throws -> JSON {
        let error = try error(method, params)
        #expect(error["data"]?["reason"] == "extensionRefused", "\(error)")
        return try #require(error["data"]?["cause"], "\(error)")
    }

    /// Shows a notification of a category and returns the reply.
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

    /// The pending records of the bundles' suite, without their ids and times.
    func pending() throws -> [JSON] {
        let page = try result("pending", ["suite": .string(Self.suite)])
        let records = try #require(page["records"]?.array)
        #expect(page["total"] == JSON(records.count))
        return records.map { record in
            let members = (record.object ?? JSON.Object([])).filter { $0.name != "id" && $0.name != "time" }
            return .object(JSON.Object(members.map { ($0.name, $0.value) }))
        }
    }

    /// Removes every record from the bundles' suite.
    func flush() throws { _ = try result("flushPending", ["suite": .string(Self.suite)]) }

    /// Saves an unrelated record in the bundles' suite.
    func saveUnrelatedRecord() throws {
        _ = try result("saveCustomEvent", ["suite": .string(Self.suite), "name": "Filler"])
    }
}

/// The parts of a reply that show a notification.
struct Shown {
    let notification: JSON
    let view: JSON
    let actions: JSON

    init(_ result: JSON) {
        notification = result["notification"] ?? .null
        view = result["view"] ?? .null
        actions = result["actions"] ?? .null
    }

    /// The node with an id, or `nil`.
    subscript(id: String) -> JSON? { nodes.first { $0["id"] == .string(id) } }

    /// Every node of the view, from top to bottom.
    private var nodes: [JSON] { Self.nodes(view) }

    private static func nodes(_ node: JSON) -> [JSON] { [node] + node.children.flatMap(nodes) }
}

extension JSON {
    /// The child nodes of a view's node.
    var children: [JSON] { self["children"]?.array.map { Swift.Array($0) } ?? [] }
}
