import Foundation
import JSON
import TestSupport

/// A client of NATS for tests, without TLS: it makes requests, one at a time, and reads what streams hold.
final class NATSClient {
    /// A message of a stream.
    struct Stored {
        let sequence: Int64
        let subject: String
        /// The headers by name.
        let headers: [String: String]
        let body: JSON

        /// The records of the message, each as if it were a message of its own.
        var records: [Stored] {
            guard let records = body["records"]?.array, let ids = body["ids"]?.array else { return [self] }
            let shared = [("suite", body["suite"] ?? .null), ("identity", body["identity"] ?? .null)]
            return zip(ids, records).map { id, record in
                let members = shared + [("id", id)] + (record.object.map(Array.init) ?? []).map { ($0.name, $0.value) }
                let object = JSON.object(JSON.Object(members))
                return Stored(sequence: sequence, subject: subject, headers: headers, body: object)
            }
        }
    }

    private let descriptor: Int32
    /// How long to wait for an answer, in seconds, whatever else the server sends meanwhile.
    ///
    /// A cluster answers a request never if the leader changes just then.
    var patience = ChildProcess.patience
    private var deadline = ContinuousClock.now + .seconds(ChildProcess.patience)
    private var buffer: [UInt8] = []
    private var requests = 0
    private let inbox = "_INBOX.\(UUID().uuidString)"

    /// Connects to a server of this machine.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - user: The user and the password, if the server asks for them.
    /// - Throws: Why that is not possible.
    init(_ server: NATSServer, user: (name: String, password: String)? = nil) throws {
        #if os(Linux)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, type, 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(server.port).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let text = String(cString: strerror(errno))
            throw TestFailure("cannot connect to \(server.url): \(text)")
        }
        _ = try line()
        var options: [(String, JSON)] = [("verbose", false), ("headers", true), ("no_responders", true)]
        if let user { options += [("user", .string(user.name)), ("pass", .string(user.password))] }
        try send("CONNECT \(JSON.object(JSON.Object(options)))\r\nSUB \(inbox).* 1\r\nPING\r\n")
        while try line() != "PONG" {}
    }

    deinit { close(descriptor) }

    // MARK: Streams

    /// Calls JetStream's API.
    ///
    /// - Returns: The reply.
    /// - Throws: The error that the reply describes.
    @discardableResult
    func api(_ name: String, _ params: JSON = [:]) throws -> JSON {
        let reply = try request("$JS.API.\(name)", params.description)
        if let error = reply["error"] { throw TestFailure("\(name) failed: \(error)") }
        return reply
    }

    /// Creates a stream; without other properties it is one that `nats` publishes to.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - partitions: The number of partitions.
    ///   - isLinked: Whether a message has several records, or one as in earlier versions.
    ///   - properties: Other properties.
    /// - Throws: Why the server refuses it.
    func createStream(
        _ name: String = "PUSHHOST",
        partitions: Int = 16,
        isLinked: Bool = true,
        _ properties: [(String, JSON)] = []
    ) throws {
        let subjects = (0..<partitions).map { JSON.string("\(name).*.\(isLinked ? "*." : "")\($0)") }
        let own: [(String, JSON)] = [
            ("name", .string(name)), ("subjects", JSON(subjects)), ("retention", "limits"), ("discard", "new"),
            ("storage", "file"), ("num_replicas", 1), ("duplicate_window", 600_000_000_000),
        ]
        let changed = properties.map(\.0)
        try api("STREAM.CREATE.\(name)", .object(JSON.Object(own.filter { !changed.contains($0.0) } + properties)))
    }

    /// The properties and the state of a stream.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - patience: How long to wait for the answer, in seconds.
    /// - Returns: The answer.
    /// - Throws: An error if there is none.
    func streamInfo(_ name: String = "PUSHHOST", patience: Double = ChildProcess.patience) throws -> JSON {
        self.patience = patience
        defer { self.patience = ChildProcess.patience }
        return try api("STREAM.INFO.\(name)")
    }

    /// All messages of a stream, in order.
    func messages(_ name: String = "PUSHHOST") throws -> [Stored] {
        let state = try streamInfo(name)["state"] ?? .null
        guard let first = state["first_seq"]?.integer, let last = state["last_seq"]?.integer, first <= last else {
            return []
        }
        return try (first...last).compactMap { sequence in
            let reply = try request("$JS.API.STREAM.MSG.GET.\(name)", "{\"seq\":\(sequence)}")
            // A message that was acknowledged is gone.
            return try reply["message"].map { try Self.stored($0, sequence) }
        }
    }

    /// All records in the messages of a stream, each as if it were a message of its own.
    func records(_ name: String = "PUSHHOST") throws -> [Stored] { try messages(name).flatMap(\.records) }

    private static func stored(_ message: JSON, _ sequence: Int64) throws -> Stored {
        func decode(_ member: String) -> String {
            let data = message[member]?.string.flatMap { Data(base64Encoded: $0) } ?? Data()
            return String(decoding: data, as: UTF8.self)
        }
        var headers: [String: String] = [:]
        for line in decode("hdrs").split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        let body = decode("data")
        let subject = message["subject"]?.string ?? ""
        return Stored(sequence: sequence, subject: subject, headers: headers, body: try JSON(parsing: body))
    }

    // MARK: Protocol

    /// Watches what is published, also what a stream does not store.
    func watch(_ subject: String) throws {
        beginWaiting()
        try send("SUB \(subject) 2\r\nPING\r\n")
        while try line() != "PONG" {}
    }

    /// Waits for the next message that is watched, and returns its subject.
    func awaitMessage() throws -> String {
        beginWaiting()
        while true {
            let parts = try line().split(separator: " ").map(String.init)
            if parts.first == "PING" { try send("PONG\r\n") }
            guard let kind = parts.first, ["MSG", "HMSG"].contains(kind), let count = parts.last.flatMap({ Int($0) })
            else { continue }
            _ = try take(count + 2)
            if parts[2] == "2" { return parts[1] }
        }
    }

    /// Makes a request, and returns the reply's body.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - body: The body.
    ///   - id: The id by which a stream recognises the message; nil for none.
    /// - Returns: The reply's body.
    /// - Throws: That nobody answers.
    func request(_ subject: String, _ body: String, id: String? = nil) throws -> JSON {
        requests += 1
        beginWaiting()
        let reply = "\(inbox).\(requests)"
        if let id {
            let head = "NATS/1.0\r\nNats-Msg-Id: \(id)\r\n\r\n"
            let sizes = "\(head.utf8.count) \(head.utf8.count + body.utf8.count)"
            try send("HPUB \(subject) \(reply) \(sizes)\r\n\(head)\(body)\r\n")
        } else {
            try send("PUB \(subject) \(reply) \(body.utf8.count)\r\n\(body)\r\n")
        }
        while true {
            let parts = try line().split(separator: " ").map(String.init)
            switch parts.first {
            case "PING": try send("PONG\r\n")
            case "-ERR": throw TestFailure("the server refuses \(subject): \(parts.dropFirst().joined(separator: " "))")
            case "MSG", "HMSG":
                guard let count = parts.last.flatMap({ Int($0) }) else { throw TestFailure("invalid \(parts)") }
                let payload = try take(count + 2).dropLast(2)
                // What a consumer delivers has the subject of its stream.
                guard parts[1] == reply || !parts[1].hasPrefix(inbox) else { continue }
                let head = parts[0] == "HMSG" ? Int(parts[parts.count - 2]) ?? 0 : 0
                let text = String(decoding: payload.dropFirst(head), as: UTF8.self)
                guard !text.isEmpty else { throw TestFailure("nobody answers \(subject)") }
                return try JSON(parsing: text)
            default: continue
            }
        }
    }

    private func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw TestFailure("the server closed the connection") }
            rest = rest.dropFirst(count)
        }
    }

    private func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 1)
                return line.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            try fill()
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private func beginWaiting() { deadline = ContinuousClock.now + .seconds(patience) }

    private func fill() throws {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let left = max(.zero, ContinuousClock.now.duration(to: deadline))
        guard poll(&entry, 1, Int32(left / .milliseconds(1))) == 1 else {
            throw TestFailure("the server did not answer within \(patience) s")
        }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { throw TestFailure("the server closed the connection") }
        buffer += chunk[..<count]
    }
}
