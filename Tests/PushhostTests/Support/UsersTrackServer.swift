import Foundation
import JSON
import TestSupport

/// Braze's `POST /users/track` on this machine: it applies Braze's rules, fails on demand and logs what it processed.
final class UsersTrackServer {
    /// An object that the server processed.
    struct Processed {
        /// The number of the request that contained it.
        let request: Int
        /// `attributes`, `events` or `purchases`.
        let array: String
        let object: JSON
    }

    /// A request that the server received.
    struct Request {
        let number: Int
        let method: String
        let path: String
        /// By name, in lower case.
        let headers: [String: String]
        /// Nil if no response was sent.
        let status: Int?
        let fault: String
        /// How many objects the request held and how many of them were processed.
        let objects: Int
        let processed: Int
        /// The number of requests in flight when it arrived.
        let concurrent: [Int]
    }

    /// The API key that the server accepts.
    static let key = "key-that-nobody-may-see"

    /// The headers that the server accepts.
    static let headers = ["Authorization": "Bearer \(key)", "Content-Type": "application/json"]

    let process: ChildProcess
    let port: Int

    /// Starts a server on the given or a free port; it loads an existing log file and appends what it processes.
    init(port: Int = 0, log: String? = nil, _ options: [String] = []) throws {
        let script = "\(repositoryRoot)/Tests/Fixtures/users-track/users_track_server.py"
        let own = ["--key", Self.key, "--port", "\(port)", "--until-eof"] + (log.map { ["--log", $0] } ?? [])
        process = try ChildProcess(try Tool.python.path(), [script] + own + options)
        guard let line = try process.readLine(), let port = Int(line) else {
            throw TestFailure("the server did not start: \(process.standardError)")
        }
        self.port = port
    }

    var endpoint: String { "http://127.0.0.1:\(port)" }

    /// The test's environment, and the two variables with which the `braze` destination finds this server.
    var environment: [String: String] {
        let own = ["BRAZE_REST_ENDPOINT": endpoint, "BRAZE_API_KEY": Self.key]
        return ProcessInfo.processInfo.environment.merging(own) { $1 }
    }

    // MARK: Faults

    /// Queues faults, one for each request; replaces the queued ones if requested.
    func inject(_ faults: [UsersTrackFault], replacing: Bool = false) throws {
        try control("POST", "faults", ["faults": JSON(faults.map(\.json)), "replace": .bool(replacing)])
    }

    /// Injects random faults while none is queued; the same seed gives the same faults.
    func injectRandomly(seed: Int, probability: Double, _ faults: [UsersTrackFault]) throws {
        let params: JSON = [
            "seed": JSON(seed), "probability": .real(probability), "faults": JSON(faults.map(\.json)),
        ]
        try control("POST", "chaos", params)
    }

    /// Makes every event with a property of this name, and every attribute of this name, a culprit.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - answer: The answer to requests with a culprit; nil to make the name harmless again.
    /// - Throws: If the server cannot be reached.
    func setCulprit(_ name: String, _ answer: UsersTrackFault.CulpritAnswer?) throws {
        try control("POST", "culprits", ["name": .string(name), "answer": JSON(answer?.rawValue)])
    }

    /// Continues stalled requests.
    func release() throws { try control("POST", "release") }

    // MARK: Received requests

    /// Waits until so many requests began, objects were processed, and requests are stalled.
    func wait(requests: Int = 0, objects: Int = 0, stalled: Int = 0) throws {
        let params: JSON = ["requests": JSON(requests), "objects": JSON(objects), "stalled": JSON(stalled)]
        try control("POST", "wait", params)
    }

    /// Every processed object, in order.
    func log() throws -> [Processed] {
        try list("log", "objects").map { entry in
            guard let request = entry["request"]?.integer, let array = entry["array"]?.string,
                let object = entry["object"]
            else { throw TestFailure("the server's log has \(entry)") }
            return Processed(request: Int(request), array: array, object: object)
        }
    }

    /// Every request since the start, in order.
    func requests() throws -> [Request] {
        try list("requests", "requests").map { entry in
            func number(_ name: String) -> Int { entry[name]?.integer.map(Int.init) ?? -1 }
            let headers = (entry["headers"]?.array ?? JSON([]).array).map(Array.init) ?? []
            return Request(
                number: number("number"),
                method: entry["method"]?.string ?? "",
                path: entry["path"]?.string ?? "",
                headers: Dictionary(headers.map { ($0[0]?.string?.lowercased() ?? "", $0[1]?.string ?? "") }) { $1 },
                status: entry["status"]?.integer.map(Int.init),
                fault: entry["fault"]?.string ?? "",
                objects: number("objects"),
                processed: number("processed"),
                concurrent: entry["concurrent"]?.array?.compactMap { $0.integer.map(Int.init) } ?? []
            )
        }
    }

    private func list(_ path: String, _ member: String) throws -> [JSON] {
        guard let array = try control("GET", path)[member]?.array else { throw TestFailure("\(path) is not an array") }
        return Array(array)
    }

    @discardableResult
    private func control(_ method: String, _ path: String, _ params: JSON = [:]) throws -> JSON {
        let connection = try LoopbackConnection(port: port)
        let headers = ["Connection": "close", "Content-Type": "application/json"]
        try connection.send(method, "/control/\(path)", headers: headers, body: params.description)
        let response = try connection.response()
        guard response.status == 200 else { throw TestFailure("/control/\(path) \(params): \(response.body)") }
        return try response.json
    }
}
