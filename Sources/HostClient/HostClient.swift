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

    /// A reply, and the time until it arrived.
    package typealias Reply = (message: JSON, milliseconds: Int64)

    private let connection: LineConnection
    private var lastID: Int64 = 0
    /// The first notifications that arrived.
    package private(set) var notifications: [(method: String, params: JSON)] = []

    /// Starts a host.
    package init(_ launch: Program, signals: SignalSource) throws(ClientError) {
        connection = try LineConnection(launch, signals: signals)
    }

    /// The end of the host's log.
    package var log: String { connection.standardError }

    /// Calls a method and waits for the reply.
    package func call(_ method: String, _ params: JSON = [:]) throws(ClientError) -> Reply {
        let start = Clock.monotonic()
        lastID += 1
        let request: JSON = ["jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": params]
        connection.write(request.bytes + [UInt8(ascii: "\n")])
        while true {
            guard let line = try connection.nextLine(until: start + Self.replyLimit) else {
                throw .failed(
                    connection.isAtEnd
                        ? "the host ended before it answered \(method)"
                        : "the host did not answer \(method) within \(Self.replyLimit) ms"
                )
            }
            guard let message = try? JSON(parsing: line) else {
                throw .failed("the host wrote a line that is not JSON: \(String(decoding: line, as: UTF8.self))")
            }
            if message["id"] == .integer(lastID) { return (message, Clock.monotonic() - start) }
            guard notifications.count < Self.notificationLimit else { continue }
            notifications.append((message["method"]?.string ?? "", message["params"] ?? .null))
        }
    }

    /// Calls a method and waits for its result.
    ///
    /// - Throws: ``ClientError/refused(_:)`` if the host answers with an error.
    package func result(_ method: String, _ params: JSON = [:]) throws(ClientError) -> JSON {
        let message = try call(method, params).message
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
