package import JSON
package import Platform

/// A client of a host that runs already, over a control connection.
package final class ControlClient {
    /// The host's process identifier.
    package let pid: Int32
    private let stream: LineStream
    private let signals: SignalSource
    private var lastID: Int64 = 0

    /// Connects to a host; nil if it has ended.
    ///
    /// - Parameters:
    ///   - socket: Its socket, which is removed if the host has ended.
    ///   - limit: How long to wait until it accepts the connection, in milliseconds.
    ///   - signals: The signals that interrupt waiting.
    /// - Throws: Why the host cannot be reached.
    package init?(_ socket: ControlFolder.Socket, limit: Int32, signals: SignalSource) throws(ClientError) {
        let descriptor: Int32
        do throws(ControlFolder.Problem) {
            guard let connected = try ControlFolder.connect(socket, limit: limit) else { return nil }
            descriptor = connected
        } catch {
            throw .failed(error.description)
        }
        pid = socket.pid
        self.signals = signals
        // One descriptor for each direction, as a pipe has.
        stream = LineStream(toPeer: fcntl(descriptor, F_DUPFD_CLOEXEC, 3), fromPeer: descriptor)
    }

    /// Whether the host has closed the connection.
    package var isAtEnd: Bool { stream.isAtEnd }

    /// Sends a request.
    ///
    /// - Returns: Its id, for ``result(of:_:until:)``.
    package func send(_ method: String, _ params: JSON = [:]) -> Int64 {
        lastID += 1
        let request: JSON = ["jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": params]
        stream.write(request.bytes + [UInt8(ascii: "\n")])
        return lastID
    }

    /// Waits for the result of a request; every other message is dropped.
    ///
    /// - Parameters:
    ///   - method: The method that was called.
    ///   - id: The id of the request.
    ///   - deadline: Until when to wait, on the monotonic clock in milliseconds.
    /// - Returns: The result.
    /// - Throws: ``ClientError/refused(_:)`` if the host answers with an error, and other errors if it does not answer.
    package func result(of method: String, _ id: Int64, until deadline: Int64) throws(ClientError) -> JSON {
        while true {
            while let line = stream.takeLine() {
                guard let message = try? JSON(parsing: line) else {
                    throw .failed("it answered \(method) with a line that is not JSON")
                }
                if message["id"] == .integer(id) { return try HostClient.unwrap(message, of: method) }
            }
            guard !stream.isAtEnd else { throw .failed("it ended before it answered \(method)") }
            var descriptors = PollSet()
            descriptors.add(signals.descriptor, for: .reading)
            stream.add(to: &descriptors)
            // Also after the deadline: the answer may have come while another host was waited for.
            guard descriptors.wait(until: deadline) > 0 || Clock.monotonic() < deadline else {
                throw .failed("it did not answer \(method) in time")
            }
            for ready in descriptors.ready {
                switch ready {
                case signals.descriptor: if let number = signals.read() { throw .interrupted(signal: number) }
                case stream.fromPeer: stream.read()
                default: stream.flush()
                }
            }
        }
    }
}
