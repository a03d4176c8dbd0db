public import JSON
public import JSONRPC

/// The built `pushhost` and a client's end of its pipes.
public final class HostProcess {
    /// The process itself, for signals, stderr and raw bytes.
    public let process: ChildProcess

    /// The notifications that came and were not taken yet, oldest first.
    public private(set) var notifications: [JSON] = []

    /// Replies that came while another was awaited, oldest first.
    private var replies: [JSON] = []
    private var nextID: Int64 = 1

    /// Starts the host, or another program of this package that speaks the same, with that command line.
    ///
    /// Environment and folder are ours where absent. A wrapper is a command that becomes the one behind it.
    /// The host's wires are checked, unless there is a reason; see ``hostCommand(_:unchecked:)``.
    public init(
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        directory: String? = nil,
        program: String = "pushhost",
        under wrapper: [String] = [],
        unchecked reason: String? = nil
    ) throws {
        let own = program == "pushhost"
        let command =
            wrapper + (try own ? hostCommand(arguments, unchecked: reason) : [builtProduct(program)] + arguments)
        process = try ChildProcess(
            command[0],
            Array(command.dropFirst()),
            environment: environment,
            directory: directory
        )
    }

    /// Calls a method and gives the whole reply object, result or error.
    @discardableResult
    public func call(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let id = try request(method, params)
        if let index = replies.firstIndex(where: { $0["id"] == id }) { return replies.remove(at: index) }
        while let message = try next("the reply to \(method)") {
            guard message["id"] != id else { return message }
            replies.append(message)
        }
        throw ended("the reply to \(method)")
    }

    /// Calls a method that must succeed and gives its result.
    @discardableResult
    public func result(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let reply = try call(method, params)
        guard let result = reply["result"] else { throw TestFailure("\(method) \(params) failed: \(reply)") }
        return result
    }

    /// Calls a method that must fail and gives its error.
    @discardableResult
    public func error(_ method: String, _ params: JSON = [:]) throws -> RPCError {
        let reply = try call(method, params)
        guard let code = reply["error"]?["code"]?.integer, let message = reply["error"]?["message"]?.string else {
            throw TestFailure("\(method) \(params) did not fail: \(reply)")
        }
        return RPCError(code: .init(rawValue: Int(code)), message: message, data: reply["error"]?["data"])
    }

    /// Sends a request without awaiting its reply, and gives the id under which that comes.
    @discardableResult
    public func request(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let id = JSON.integer(nextID)
        nextID += 1
        try send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
        return id
    }

    /// Sends any message on a line of its own.
    public func send(_ message: JSON) throws { try send(line: message.description) }

    /// Sends a line as it is, well-formed or not, and adds its end.
    public func send(line: String) throws { try process.write(line: line) }

    /// The next reply in the order in which they came; a batch's array is one reply.
    public func reply() throws -> JSON {
        guard replies.isEmpty else { return replies.removeFirst() }
        guard let message = try next("a reply") else { throw ended("a reply") }
        return message
    }

    /// The params of the oldest notification of that method, awaited when it has not come yet.
    public func notification(_ method: String) throws -> JSON {
        while true {
            if let index = notifications.firstIndex(where: { $0["method"] == .string(method) }) {
                return notifications.remove(at: index)["params"] ?? .null
            }
            guard let line = try process.readLine() else { throw ended("the notification \(method)") }
            let message = try JSON(parsing: line)
            if message["method"] != nil { notifications.append(message) } else { replies.append(message) }
        }
    }

    /// Ends the host's stdin and waits until it has ended; what it still wrote stays to be taken.
    public func finish() throws -> ChildProcess.Status {
        process.closeInput()
        while let message = try next("the end") { replies.append(message) }
        return try process.wait()
    }

    /// The next message that is no notification; nothing at the end of stdout.
    private func next(_ goal: String) throws -> JSON? {
        while let line = try process.readLine() {
            do {
                let message = try JSON(parsing: line)
                guard message["method"] != nil else { return message }
                notifications.append(message)
            } catch {
                throw TestFailure("awaited \(goal), found a line that is no JSON (\(error)): \(line)")
            }
        }
        return nil
    }

    private func ended(_ goal: String) -> TestFailure {
        let status = (try? process.wait()).map { "\($0)" } ?? "not yet"
        return TestFailure(
            "the host ended (\(status)) before \(goal); its stderr says: \(process.standardError.suffix(2_000))"
        )
    }
}
