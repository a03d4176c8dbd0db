internal import CSystem
internal import JSON
internal import JSONRPC
internal import Platform
internal import Synchronization

/// The connection to the host: stdin and stdout as they were when the process started.
///
/// Descriptor 1 is then a copy of stderr, so that a `print` never corrupts the protocol,
/// and descriptor 0 is `/dev/null`, so that nothing else reads the host's lines.
///
/// - Important: Used by the main thread only.
final class HostConnection {
    let session = Session(lineLimit: 16 << 20)
    private let input: Int32
    private let output: Int32
    /// Messages that arrived while the reply to a request to the host was awaited.
    private var inbox: [Incoming] = []
    private var inputEnded = false
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    /// The seed of random generators, if the host has one.
    var seed: UInt64?
    private var clock: Date?
    /// The locale of notifications that name none.
    var locale = "en"
    /// The texts for that locale by key; a host before version 1.2 of the contract sends none.
    var texts: JSON = [:]
    private var missingKeys: Set<String> = []

    init() {
        // A message is a tree of many small blocks, which is freed as soon as it is answered.
        JSON.useMemory(allocate: csystem_recycling_malloc, free: csystem_recycling_free)
        input = fcntl(0, F_DUPFD_CLOEXEC, 3)
        output = fcntl(1, F_DUPFD_CLOEXEC, 3)
        dup2(2, 1)
        let nothing = open("/dev/null", O_RDONLY)
        dup2(nothing, 0)
        close(nothing)
        signal(SIGPIPE, SIG_IGN)
        session.onMessage = { [unowned self] in inbox.append($0) }
    }

    /// The current time; if the host's clock is fixed, each reading advances it by one millisecond.
    var now: Date {
        guard let time = clock else { return Date() }
        clock = time.addingTimeInterval(0.001)
        return time
    }

    /// Applies the params of `activate`, and returns its result, which names the version of the contract.
    func activate(_ arguments: Arguments, needs version: String = ExtensionMethod.contractVersion) throws -> JSON {
        locale = try arguments.string("locale")
        if let seed = arguments["seed"]?.integer { self.seed = UInt64(bitPattern: seed) }
        if let time = try arguments.optionalString("clock").flatMap(Timestamp.parse) {
            clock = Date(timeIntervalSince1970: Double(time) / 1_000)
        }
        return ["version": .string(version)]
    }

    /// Logs once for each key that the bundle has no such text.
    func warnOfMissingText(forKey key: String, locale: String) {
        guard missingKeys.insert(key).inserted else { return }
        let message = "no text has the key \(key) for the locale \(locale)"
        session.notify("log", params: ["level": "warning", "message": .string(message)])
    }

    /// Handles the host's messages until it closes the pipe.
    func run() {
        while let message = next() {
            session.handle(message)
            writeOutput()
        }
    }

    /// Handles the host's messages and the messages that other threads post to the mailbox.
    ///
    /// It returns when `isDone` says so, given whether the host closed the pipe; by default that is enough.
    func run<Message>(
        _ mailbox: Mailbox<Message>,
        until isDone: (_ inputEnded: Bool) -> Bool = { $0 },
        _ handle: (Message) -> Void
    ) {
        while !isDone(inputEnded) {
            // A negative descriptor is ignored: after the end of the input, poll would return at once each time.
            let descriptors = [inputEnded ? -1 : input, mailbox.descriptor]
            var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            for message in mailbox.removeAll() { handle(message) }
            if polled[0].revents != 0 { fill() }
            while !inbox.isEmpty { session.handle(inbox.removeFirst()) }
            writeOutput()
        }
    }

    /// Sends a request to the host and waits for its reply.
    func request(_ method: String, _ params: JSON) throws(ExtensionError) -> JSON {
        if let problem = NonFiniteProblem(params, at: "/params") {
            throw ExtensionError(reason: "invalidRecord", problem.description, path: problem.path)
        }
        var answer: Result<JSON, ResponseError>?
        session.request(method, params: params) { answer = $0 }
        writeOutput()
        var kept: [Incoming] = []
        while answer == nil {
            guard let message = next() else {
                throw ExtensionError(reason: "hostGone", "the host closed the pipe before it answered \(method)")
            }
            if case .response = message { session.handle(message) } else { kept.append(message) }
        }
        inbox = kept + inbox
        switch answer {
        case .success(let value): return value
        case .failure(.error(let error)): throw ExtensionError(error)
        case .failure(.malformed(let text)): throw ExtensionError(reason: "hostError", text)
        case nil: preconditionFailure("the loop ends with an answer")
        }
    }

    private func next() -> Incoming? {
        while inbox.isEmpty && !inputEnded { fill() }
        return inbox.isEmpty ? nil : inbox.removeFirst()
    }

    /// Waits until the host sends something, and reads it.
    private func fill() {
        let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
        if count > 0 {
            buffer.withUnsafeBytes { bytes in
                session.consume(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
        } else if count == 0 || errno != EINTR {
            inputEnded = true
            session.finish()
        }
    }

    /// Writes what waits to be sent to the host.
    func writeOutput() {
        while !session.output.isEmpty {
            session.output.drain { bytes in
                let count = write(output, bytes.baseAddress, bytes.count)
                // After a write error the host has exited, and the end of the input follows.
                return count >= 0 ? count : errno == EINTR ? 0 : bytes.count
            }
        }
    }
}

/// A number in a message for the host that JSON lacks, which cannot be written.
private struct NonFiniteProblem: Error, CustomStringConvertible {
    /// The JSON Pointer to the number.
    let path: String
    let description: String

    /// The first such number in the value at a JSON Pointer.
    init?(_ value: JSON, at root: String) {
        guard let found = value.nonFinite else { return nil }
        path = root + found.steps.map { "/" + JSONPointer.escape($0) }.joined()
        description = "JSON has no \(found.value), which is at \(path): pass a finite number"
    }
}

extension JSON {
    /// Refuses a result with a number that JSON lacks.
    func requireFinite() throws(RPCError) {
        if let problem = NonFiniteProblem(self, at: "/result") { throw .internalError(problem) }
    }
}

extension Result where Success == JSON, Failure == RPCError {
    /// The result, or an error if it has a number that JSON lacks.
    var writable: Self {
        flatMap { result in
            do throws(RPCError) {
                try result.requireFinite()
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
    }
}

/// The handlers of the host's calls, by method; a handler returns nil if it answers later.
typealias CallHandlers = MethodTable<(Call, Arguments) throws -> JSON?>

extension CallHandlers {
    /// Answers a call, unless its handler answers it later.
    func answer(_ call: Call) {
        do {
            guard let method = self[call] else { throw RPCError.methodNotFound(call.method) }
            if let result = try method.handler(call, try method.signature.bind(call, allowsUnknown: true)) {
                call.answer(.success(result))
            }
        } catch {
            call.answer(.failure(RPCError(ofAuthor: error)))
        }
    }
}

extension RPCError {
    /// The error on the wire for one that the author's code or the kit threw.
    init(ofAuthor error: any Error) { self = (error as? ExtensionError)?.wireError ?? RPCError(error) }
}

/// A queue of messages from other threads to the main thread, which may be waiting for the host.
final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    /// Readable while messages wait.
    let descriptor: Int32
    private let wakeDescriptor: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("cannot create a pipe: \(String(cString: strerror(errno)))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, wakeDescriptor) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(wakeDescriptor)
    }

    /// Adds a message; callable from any thread.
    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        // If the pipe is full, the descriptor is readable already.
        write(wakeDescriptor, "!", 1)
    }

    /// Removes and returns all messages, in the order in which they were posted.
    func removeAll() -> [Message] {
        var discarded: [UInt8] = Array(repeating: 0, count: 64)
        // The pipe is emptied first, so that a message posted meanwhile makes it readable again.
        while read(descriptor, &discarded, discarded.count) > 0 {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
