internal import CSystem
internal import Dispatch
internal import JSON
internal import JSONRPC
internal import Localization
internal import Platform
internal import Synchronization

/// The connection to the host: stdin and stdout as they were when the process started.
///
/// Descriptor 1 is then a copy of stderr, so that a `print` never corrupts the protocol,
/// and descriptor 0 is `/dev/null`, so that nothing else reads the host's lines.
///
/// `@unchecked`: only the main thread uses it, except for ``now``, ``post(_:)``, and what sends by ``notify(_:_:)`` or
/// ``request(_:_:)``.
final class HostConnection: @unchecked Sendable {
    /// The minimum version of the contract that this kit needs; the reply to `activate` names it unless the extension
    /// needs a later one.
    ///
    /// Raise it only when the kit itself uses something of a later version: an older host refuses every extension
    /// made with the kit.
    static let contractVersion = "1.0"

    let session = Session(lineLimit: 16 << 20)
    private let input: Int32
    private let output: Int32
    /// Messages that arrived while the reply to a request to the host was awaited.
    private var inbox: [Incoming] = []
    private var inputEnded = false
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var methods = CallHandlers()
    private let mailbox = Mailbox()
    private let mainThread = pthread_self()
    /// Whether the host needs the process no more.
    private(set) var isDeactivated = false

    /// The seed of random generators, if the host has one.
    var seed: UInt64?
    /// The fixed clock in milliseconds since 1970, if the host has one.
    private let clock = Mutex<Int64?>(nil)
    /// The locale of notifications that name none.
    var locale = "en"
    /// The texts for that locale by key; a host before version 1.2 of the contract sends none.
    var texts: JSON = [:]
    private var missingKeys: Set<String> = []

    init() {
        if isatty(0) != 0 {
            let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "this"
            let text = "\(name) is an extension that pushhost starts: pushhost --plugins <bundle>\n"
            write(2, text, text.utf8.count)
            exit(1)
        }
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
        session.onCall = { [unowned self] in methods.answer($0) }
        add(ExtensionMethod.deactivate) { [unowned self] _, _ in
            isDeactivated = true
            return [:]
        }
    }

    /// Handles a method; the handler returns nil if it answers later.
    func add(_ method: some HostMethod, _ handler: @escaping (Call, Arguments) throws -> JSON?) {
        methods.add(method.rawValue, method.parameters, handler)
    }

    /// The current time; if the host's clock is fixed, each reading advances it by one millisecond.
    var now: Date {
        clock.withLock { clock in
            guard let time = clock else { return Date() }
            clock = time + 1
            return Date(timeIntervalSince1970: Double(time) / 1_000)
        }
    }

    /// Applies the params of `activate`, and returns its result, which names the version of the contract.
    func activate(_ arguments: Arguments, needs version: String = HostConnection.contractVersion) throws -> JSON {
        locale = try arguments.string("locale")
        if let seed = arguments["seed"]?.integer { self.seed = UInt64(bitPattern: seed) }
        if let time = try arguments.optionalString("clock") { setClock(time) }
        return ["version": .string(version)]
    }

    /// Lets the fixed clock go on from that time; nothing else changes.
    @discardableResult
    func setClock(_ time: String) -> JSON {
        clock.withLock { $0 = Timestamp.parse(time) }
        return [:]
    }

    /// The text of a key, filled with the arguments; the key if there is none, which is logged once for each key.
    func text(forKey key: String, _ arguments: [String], in texts: JSON, locale: String) -> String {
        if let text = texts[key].flatMap(LocalizedText.init) { return text.filled(arguments).text }
        onMainThread { [self] in
            guard missingKeys.insert(key).inserted else { return }
            log(.warning, "no text has the key \(key) for the locale \(locale)")
        }
        return key
    }

    // MARK: The main thread

    /// Handles the host's messages, and what other threads post, until the closure says that the process may end.
    ///
    /// The closure gets whether the host closed the pipe; by default that or `deactivate` is enough.
    func run(until isDone: ((_ inputEnded: Bool) -> Bool)? = nil) {
        while !(isDone?(inputEnded) ?? (inputEnded || isDeactivated)) {
            wait()
            while !inbox.isEmpty { session.handle(inbox.removeFirst()) }
            writeOutput()
        }
    }

    /// Handles responses, and what other threads post, until the condition holds; returns whether it holds.
    ///
    /// It gives up when the time is over, or when the host closed the pipe. The host's calls are kept for later.
    func run(while isWaiting: () -> Bool, for limit: Duration? = nil) -> Bool {
        let end = limit.map { ContinuousClock.now + $0 }
        while isWaiting() {
            let rest = end.map { ContinuousClock.now.duration(to: $0) }
            guard !inputEnded, rest.map({ $0 > .zero }) ?? true else { return false }
            wait(milliseconds: rest.map { Int32(clamping: $0.wholeMilliseconds) } ?? -1)
            let messages = inbox
            inbox = []
            for message in messages {
                if case .response = message { session.handle(message) } else { inbox.append(message) }
            }
        }
        return true
    }

    /// Waits until the host sends something or another thread posts something, and does what is posted.
    private func wait(milliseconds: Int32 = -1) {
        // A negative descriptor is ignored: after the end of the input, poll would return at once each time.
        let descriptors = [inputEnded ? -1 : input, mailbox.descriptor]
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
        for job in mailbox.removeAll() { job() }
        if polled[0].revents != 0 { fill() }
        writeOutput()
    }

    // MARK: Any thread

    /// Runs a closure on the main thread, between calls or while it waits for the host.
    func post(_ job: @escaping @Sendable () -> Void) { mailbox.post(job) }

    private var isMainThread: Bool { pthread_equal(mainThread, pthread_self()) != 0 }

    private func onMainThread(_ job: @escaping @Sendable () -> Void) { if isMainThread { job() } else { post(job) } }

    /// Sends a notification after what this thread sent before.
    func notify(_ method: String, _ params: JSON) {
        onMainThread { [self] in
            if let found = params.nonFinite {
                log(.warning, "\(method) is not sent: JSON has no \(found.value)")
            } else {
                session.notify(method, params: params)
                writeOutput()
            }
        }
    }

    /// Writes a line into the host's log.
    func log(_ level: LogLevel, _ message: String, about notification: String? = nil) {
        let params: MemberList = [
            "notification": notification.map(JSON.string), "level": .string(level.rawValue),
            "message": .string(message),
        ]
        notify("log", JSON(present: params))
    }

    /// Sends a request to the host and waits for its reply.
    func request(_ method: String, _ params: JSON) throws(ExtensionError) -> JSON {
        if let problem = NonFiniteProblem(params, at: "/params") {
            throw ExtensionError(reason: "invalidRecord", problem.description, path: problem.path)
        }
        let reply = Reply()
        onMainThread { [self] in
            session.request(method, params: params) { reply.complete($0) }
            writeOutput()
        }
        guard !isMainThread || run(while: { reply.result == nil }) else {
            throw ExtensionError(reason: "hostGone", "the host closed the pipe before it answered \(method)")
        }
        switch reply.wait() {
        case .success(let value): return value
        case .failure(.error(let error)): throw ExtensionError(error)
        case .failure(.malformed(let text)): throw ExtensionError(reason: "hostError", text)
        }
    }

    // MARK: Pipes

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

/// A method that the host calls.
protocol HostMethod: RawRepresentable<String> {
    /// The parameters in positional order; a name that ends in `?` is optional.
    var parameters: [String] { get }
}

/// The reply to a request, for the thread that waits for it.
private final class Reply: Sendable {
    private let state = Mutex<Result<JSON, ResponseError>?>(nil)
    private let completed = DispatchSemaphore(value: 0)

    var result: Result<JSON, ResponseError>? { state.withLock(\.self) }

    func complete(_ result: Result<JSON, ResponseError>) {
        state.withLock { $0 = result }
        completed.signal()
    }

    func wait() -> Result<JSON, ResponseError> {
        completed.wait()
        guard let result else { preconditionFailure("it is completed before the signal") }
        return result
    }
}

/// A queue of what other threads want the main thread to do, which may be waiting for the host.
private final class Mailbox: Sendable {
    private let jobs = Mutex<[@Sendable () -> Void]>([])
    /// Readable while jobs wait.
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

    /// Adds a job; callable from any thread.
    func post(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
        // If the pipe is full, the descriptor is readable already.
        write(wakeDescriptor, "!", 1)
    }

    /// Removes and returns all jobs, in the order in which they were posted.
    func removeAll() -> [@Sendable () -> Void] {
        var discarded: [UInt8] = Array(repeating: 0, count: 64)
        // The pipe is emptied first, so that a job posted meanwhile makes it readable again.
        while read(descriptor, &discarded, discarded.count) > 0 {}
        return jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
    }
}
