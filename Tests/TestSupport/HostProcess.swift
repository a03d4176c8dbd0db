public import JSON
public import JSONRPC

/// The built `pushhost` and the client's end of its pipes.
public final class HostProcess {
    /// The process itself, for signals, stderr and raw bytes.
    public let process: ChildProcess

    /// The notifications that were received and not returned yet, oldest first.
    public private(set) var notifications: [JSON] = []

    /// Replies that were received while another one was awaited, oldest first.
    private var replies: [JSON] = []
    private var nextID: Int64 = 1

    /// Starts the host, or another program of this package with the same protocol.
    ///
    /// - Parameters:
    ///   - arguments: The program's arguments.
    ///   - environment: The environment; that of the test by default.
    ///   - directory: The working folder; that of the test by default.
    ///   - program: The name of the built product.
    ///   - wrapper: A command that executes the command line that follows it.
    ///   - reason: Why the host's messages are not checked; see ``hostCommand(_:unchecked:)``.
    /// - Throws: If the program cannot be started, or the suite of the test does not have the trait `wire`.
    public init(
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        directory: String? = nil,
        program: String = "pushhost",
        under wrapper: [String] = [],
        unchecked reason: String? = nil
    ) throws {
        let isHost = program == "pushhost"
        let command =
            wrapper + (try isHost ? hostCommand(arguments, unchecked: reason) : [builtProduct(program)] + arguments)
        process = try ChildProcess(
            command[0],
            Array(command.dropFirst()),
            environment: environment,
            directory: directory
        )
    }

    /// Calls a method and returns the whole reply object, result or error.
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

    /// Calls a method that must succeed and returns its result.
    @discardableResult
    public func result(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let reply = try call(method, params)
        guard let result = reply["result"] else { throw TestFailure("\(method) \(params) failed: \(reply)") }
        return result
    }

    /// Calls a method that must fail and returns its error.
    @discardableResult
    public func error(_ method: String, _ params: JSON = [:]) throws -> RPCError {
        let reply = try call(method, params)
        guard let code = reply["error"]?["code"]?.integer, let message = reply["error"]?["message"]?.string else {
            throw TestFailure("\(method) \(params) did not fail: \(reply)")
        }
        return RPCError(code: .init(rawValue: Int(code)), message: message, data: reply["error"]?["data"])
    }

    /// Sends a request without waiting for its reply, and returns its id.
    @discardableResult
    public func request(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let id = JSON.integer(nextID)
        nextID += 1
        try send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
        return id
    }

    /// Sends a message on one line.
    public func send(_ message: JSON) throws { try send(line: message.description) }

    /// Sends a line unchanged, well-formed or not, followed by a newline.
    public func send(line: String) throws { try process.write(line: line) }

    /// Returns the reply that was received first; the array of a batch is one reply.
    public func reply() throws -> JSON {
        guard replies.isEmpty else { return replies.removeFirst() }
        guard let message = try next("a reply") else { throw ended("a reply") }
        return message
    }

    /// Returns the params of the oldest notification of a method; waits for one if necessary.
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

    /// Closes the host's stdin and waits until it has exited; its remaining output can still be read.
    public func finish() throws -> ChildProcess.Status {
        process.closeInput()
        while let message = try next("the end") { replies.append(message) }
        return try process.wait()
    }

    /// The next message that is not a notification; nil at the end of stdout.
    private func next(_ goal: String) throws -> JSON? {
        while let line = try process.readLine() {
            do {
                let message = try JSON(parsing: line)
                guard message["method"] != nil else { return message }
                notifications.append(message)
            } catch {
                throw TestFailure("awaited \(goal), but received a line that is not JSON (\(error)): \(line)")
            }
        }
        return nil
    }

    private func ended(_ goal: String) -> TestFailure {
        let status = (try? process.wait()).map { "\($0)" } ?? "still running"
        return TestFailure(
            "the host closed its stdout (\(status)) before \(goal); its stderr says: \(process.standardError.suffix(2_000))"
        )
    }
}
