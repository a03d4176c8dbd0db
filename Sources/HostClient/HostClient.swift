package import JSON
package import Platform

/// A client of a host that runs as a child of this process: calls, replies and notifications over pipes.
package final class HostClient {
    /// How long a host may take for a reply, in milliseconds.
    ///
    /// The host has shorter deadlines of its own, so a longer wait is a fault of the host.
    private static let replyLimit: Int64 = 90_000
    /// How long it may take to end, in milliseconds: twice what stopping its extensions takes.
    private static let stopLimit: Int64 = 10_000
    /// The maximum number of notifications that are kept.
    private static let notificationLimit = 100
    /// The maximum number of lines of stderr that are kept.
    private static let lineLimit = 1_000

    /// What a client does while it waits for a reply that takes long.
    package struct Pastime {
        /// The first time at which ``body`` is called, in milliseconds, and the time from call to call.
        let (delay, interval): (Int64, Int64)
        /// What it waits for besides.
        let descriptors: [Int32]
        /// Called at these times, and when a descriptor can be read; it returns whether the call is to be cancelled.
        ///
        /// It must not call the host.
        let body: (_ ready: Set<Int32>, _ milliseconds: Int64) throws(ClientError) -> Bool

        package init(
            delay: Int64 = 300,
            interval: Int64 = 100,
            descriptors: [Int32],
            _ body: @escaping (_ ready: Set<Int32>, _ milliseconds: Int64) throws(ClientError) -> Bool
        ) {
            (self.delay, self.interval, self.descriptors, self.body) = (delay, interval, descriptors, body)
        }
    }

    /// A reply, and the time until it arrived.
    package typealias Reply = (message: JSON, milliseconds: Int64)

    private let connection: LineConnection
    private var lastID: Int64 = 0
    /// The first notifications that arrived.
    package private(set) var notifications: [(method: String, params: JSON)] = []

    /// Receives the replies to the requests of ``send(_:_:)``, while ``wait(for:writing:until:)`` waits.
    package var onReply: (_ id: Int64, _ message: JSON) -> Void = { _, _ in }

    /// The last lines that extensions wrote on their stderr, of those that the host told of.
    private var errorLines: [JSON] = []
    /// What to do while ``call(_:_:)`` waits; nil for nothing.
    package var pastime: Pastime?

    /// Starts a host.
    package init(_ launch: Program, signals: SignalSource) throws(ClientError) {
        connection = try LineConnection(launch, signals: signals)
    }

    /// The end of the host's log.
    package var log: String { connection.standardError }

    /// Receives everything that the host writes into its log.
    package var onLog: (ArraySlice<UInt8>) -> Void {
        get { connection.onStandardError }
        set { connection.onStandardError = newValue }
    }

    /// Calls a method and waits for the reply.
    package func call(_ method: String, _ params: JSON = [:]) throws(ClientError) -> Reply {
        let start = Clock.monotonic()
        let limit = start + Self.replyLimit
        let id = send(method, params)
        var next = pastime.map { start + $0.delay } ?? .max
        var isCancelled = false
        while true {
            while let line = connection.bufferedLine() {
                let message = try Self.message(line)
                if message["id"] == .integer(id) { return (message, Clock.monotonic() - start) }
                keep(message)
            }
            guard !connection.isAtEnd else { throw .failed("the host ended before it answered \(method)") }
            guard Clock.monotonic() < limit else {
                throw .failed("the host did not answer \(method) within \(Self.replyLimit) ms")
            }
            let ready = try connection.wait(until: min(next, limit), alongside: pastime?.descriptors ?? [])
            guard let pastime, !ready.isEmpty || Clock.monotonic() >= next else { continue }
            if Clock.monotonic() >= next { next = Clock.monotonic() + pastime.interval }
            if try pastime.body(ready, Clock.monotonic() - start), !isCancelled {
                isCancelled = true
                _ = send("$/cancelRequest", ["id": .integer(id)])
            }
        }
    }

    /// Returns the notifications that arrived, and forgets them.
    package func drainNotifications() -> [(method: String, params: JSON)] {
        defer { notifications = [] }
        return notifications
    }

    /// Returns the lines that extensions wrote on their stderr (params of `$/stderr`), and forgets them.
    package func drainErrorLines() -> [JSON] {
        defer { errorLines = [] }
        return errorLines
    }

    /// Waits until the host sends something, a descriptor can be read or the deadline has passed.
    ///
    /// - Parameters:
    ///   - descriptors: Other descriptors to wait for.
    ///   - writable: Descriptors to wait for until they can be written.
    ///   - deadline: When to stop waiting, on the monotonic clock in milliseconds.
    /// - Returns: The descriptors that can be read.
    /// - Throws: A signal to this process, or an error if the host has ended.
    package func wait(
        for descriptors: [Int32],
        writing writable: [Int32] = [],
        until deadline: Int64
    ) throws(ClientError) -> Set<Int32> {
        let ready = try connection.wait(until: deadline, alongside: descriptors, writing: writable)
        while let line = connection.bufferedLine() {
            if let message = try? JSON(parsing: line) { keep(message) }
        }
        if connection.isAtEnd { throw .failed("the host has ended") }
        return ready
    }

    /// Sends a request and returns its id.
    package func send(_ method: String, _ params: JSON) -> Int64 {
        lastID += 1
        let request: JSON = ["jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": params]
        connection.write(request.bytes + [UInt8(ascii: "\n")])
        return lastID
    }

    /// The next message of the host; nil at the end of its stdout or if the deadline has passed.
    private func nextMessage(until deadline: Int64) throws(ClientError) -> JSON? {
        try connection.nextLine(until: deadline).map(Self.message)
    }

    private static func message(_ line: [UInt8]) throws(ClientError) -> JSON {
        guard let message = try? JSON(parsing: line) else {
            throw .failed("the host wrote a line that is not JSON: \(String(decoding: line, as: UTF8.self))")
        }
        return message
    }

    private func keep(_ message: JSON) {
        if let id = message["id"]?.integer, message["method"] == nil { return onReply(id, message) }
        guard let method = message["method"]?.string else { return }
        if method == "$/stderr" {
            // An extension may print without end, and must not push other notifications out.
            if errorLines.count == Self.lineLimit { errorLines.removeFirst(Self.lineLimit / 2) }
            errorLines.append(message["params"] ?? .null)
        } else if notifications.count < Self.notificationLimit {
            notifications.append((method, message["params"] ?? .null))
        }
    }

    /// Calls a method and waits for its result.
    ///
    /// - Throws: ``ClientError/refused(_:)`` if the host answers with an error.
    package func result(_ method: String, _ params: JSON = [:]) throws(ClientError) -> JSON {
        try Self.unwrap(try call(method, params).message, of: method)
    }

    /// Calls a method that may take any time, and waits for its result.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - params: Its parameters.
    ///   - interval: How often the state of the host is read meanwhile, in milliseconds; nil for never.
    ///   - show: Receives the results of `status`.
    /// - Returns: The result.
    /// - Throws: ``ClientError/refused(_:)`` if the host answers with an error.
    package func result(
        _ method: String,
        _ params: JSON,
        every interval: Int64?,
        _ show: (JSON) -> Void
    ) throws(ClientError) -> JSON {
        let id = send(method, params)
        var statusID: Int64?
        var next = Clock.monotonic()
        while true {
            if let interval, statusID == nil, Clock.monotonic() >= next {
                statusID = send("status", [:])
                next = Clock.monotonic() + interval
            }
            // While `status` is not answered, only a message needs attention.
            guard let message = try nextMessage(until: interval == nil || statusID != nil ? .max : next) else {
                guard !connection.isAtEnd else { throw .failed("the host ended before it answered \(method)") }
                continue
            }
            if message["id"] == .integer(id) { return try Self.unwrap(message, of: method) }
            if let asked = statusID, message["id"] == .integer(asked) {
                statusID = nil
                if let status = message["result"] { show(status) }
            } else {
                keep(message)
            }
        }
    }

    /// Returns the result in a reply.
    ///
    /// - Throws: ``ClientError/refused(_:)`` if the reply is an error.
    static func unwrap(_ message: JSON, of method: String) throws(ClientError) -> JSON {
        if let result = message["result"] { return result }
        let error = message["error"]
        throw .refused(
            ClientError.Refusal(
                code: error?["code"]?.integer ?? 0,
                message: error?["message"]?.string ?? "the host answered \(method) with an error without a message",
                reason: error?["data"]?["reason"]?.string,
                path: error?["data"]?["path"]?.string
            )
        )
    }

    /// Tells the host that nothing follows, so that it ends; this does not wait for it.
    package func closeInput() { connection.closeInput() }

    /// Ends the host.
    ///
    /// - Parameter isHasty: Whether it is also sent SIGTERM, so that it abandons calls in progress.
    /// - Returns: How it ended, or nil if it had to be killed, and the time that this took.
    package func stop(isHasty: Bool) -> (end: ExitStatus?, milliseconds: Int64) {
        let start = Clock.monotonic()
        if isHasty { connection.program.terminate() }
        connection.closeInput()
        let end = waitForEnd(until: start + Self.stopLimit)
        if end == nil {
            connection.program.killGroup()
            _ = waitForEnd(until: .max)
        }
        return (end, Clock.monotonic() - start)
    }

    /// Waits for the end; a signal to this process terminates the host.
    private func waitForEnd(until deadline: Int64) -> ExitStatus? {
        while true {
            do throws(ClientError) {
                return try connection.waitForEnd(until: deadline)
            } catch {
                connection.program.terminate()
            }
        }
    }
}
