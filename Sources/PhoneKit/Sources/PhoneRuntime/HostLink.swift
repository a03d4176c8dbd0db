import Foundation
package import JSON
package import JSONRPC
import Synchronization

/// The connection to the host: stdin and stdout as they were when the process started.
///
/// A thread of its own reads the host's messages. It passes calls to the main queue and answers to the threads that
/// wait for them, so that code on any thread may use the host. Descriptor 1 is then a copy of stderr, so that a
/// `print` never corrupts the protocol, and descriptor 0 is `/dev/null`.
package final class HostLink: @unchecked Sendable {
    /// The link of this process; nil in a process that the host did not start, such as a test.
    package static var current: HostLink? {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex<HostLink?>(nil)

    /// The session, which only a thread that holds the lock may use.
    private let session = Session(lineLimit: 16 << 20)
    private let lock = NSRecursiveLock()
    private let input: Int32
    private let output: Int32
    private var inbox: [Incoming] = []
    private var hasEnded = false
    private var waiting: [ObjectIdentifier: Waiter] = [:]

    /// A link over two descriptors.
    package init(input: Int32, output: Int32) {
        (self.input, self.output) = (input, output)
        session.onMessage = { [unowned self] in inbox.append($0) }
    }

    /// A link over this process's stdin and stdout, which nothing else can use then.
    package static func standard() -> HostLink {
        let link = HostLink(input: fcntl(0, F_DUPFD_CLOEXEC, 3), output: fcntl(1, F_DUPFD_CLOEXEC, 3))
        dup2(2, 1)
        let nothing = open("/dev/null", O_RDONLY)
        dup2(nothing, 0)
        close(nothing)
        signal(SIGPIPE, SIG_IGN)
        return link
    }

    /// Begins to read; the handlers run on the main queue, in the order of the messages.
    package func start(
        onCall: @escaping @MainActor (HostCall) -> Void,
        onEnd: @escaping @MainActor () -> Void
    ) {
        lock.withLock {
            session.onCall = { [unowned self] call in
                let call = HostCall(call, link: self)
                DispatchQueue.main.async { onCall(call) }
            }
        }
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                locked {
                    buffer.withUnsafeBytes { session.consume(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                    handleInbox()
                }
            }
            locked {
                session.finish()
                handleInbox()
                hasEnded = true
                for waiter in waiting.values { waiter.signal.signal() }
            }
            DispatchQueue.main.async { onEnd() }
        }
    }

    private func handleInbox() {
        while !inbox.isEmpty { session.handle(inbox.removeFirst()) }
    }

    /// Runs the body with the session, and writes what it sent.
    private func locked(_ body: () -> Void) {
        lock.withLock {
            body()
            while !session.output.isEmpty {
                session.output.drain { bytes in
                    let count = write(output, bytes.baseAddress, bytes.count)
                    // After a write error the host has exited, and the end of the input follows.
                    return count >= 0 ? count : errno == EINTR ? 0 : bytes.count
                }
            }
        }
    }

    /// A thread that waits for an answer.
    private final class Waiter {
        let signal = DispatchSemaphore(value: 0)
        var answer: Result<JSON, HostError>?
    }

    /// Sends a request to the host and waits for its answer; any thread may call it.
    package func request(_ method: String, _ params: [(String, JSON?)]) throws(HostError) -> JSON {
        let params = JSON(members: params)
        if let found = params.nonFinite {
            let path = found.steps.joined(separator: "/")
            throw HostError(reason: "invalidRecord", "JSON has no \(found.value), which is at \(path)")
        }
        let waiter = Waiter()
        locked {
            guard !hasEnded else {
                waiter.signal.signal()
                return
            }
            waiting[ObjectIdentifier(waiter)] = waiter
            session.request(method, params: params) { answer in
                waiter.answer = answer.mapError { HostError($0) }
                waiter.signal.signal()
            }
        }
        waiter.signal.wait()
        let answer = lock.withLock {
            waiting[ObjectIdentifier(waiter)] = nil
            return waiter.answer
        }
        guard let answer else {
            throw HostError(reason: "hostGone", "the host closed the pipe before it answered \(method)")
        }
        return try answer.get()
    }

    /// Sends a notification to the host; any thread may call it.
    package func notify(_ method: String, _ params: [(String, JSON?)]) {
        locked { session.notify(method, params: JSON(members: params)) }
    }

    /// Writes a line to the host's log.
    package func log(_ level: String, _ message: String) {
        notify("log", [("level", .string(level)), ("message", .string(message))])
    }

    fileprivate func answer(_ call: Call, _ result: Result<JSON, RPCError>) {
        // What the extension printed is in the host's log before the answer, and not lost if the process is killed.
        fflush(nil)
        locked {
            if case .success(let value) = result, let found = value.nonFinite {
                let path = found.steps.joined(separator: "/")
                let error = HostError(reason: "invalidResult", "JSON has no \(found.value), which is at \(path)")
                return call.answer(.failure(error.wireError))
            }
            call.answer(result)
        }
    }
}

/// A call of the host, which is answered once.
package final class HostCall: @unchecked Sendable {
    private let call: Call
    private let link: HostLink
    /// The name of the method.
    package let method: String
    /// Whether the host expects no answer.
    package let isNotification: Bool

    fileprivate init(_ call: Call, link: HostLink) {
        (self.call, self.link) = (call, link)
        (method, isNotification) = (call.method, call.isNotification)
    }

    /// The params by name; throws the error to answer with if they do not fit the signature.
    package func arguments(_ signature: Signature) throws(RPCError) -> Arguments {
        try signature.bind(call, allowsUnknown: true)
    }

    /// Answers the call.
    package func answer(_ result: Result<JSON, RPCError>) { link.answer(call, result) }
}

/// An error with which the host refused a request of the extension, or the extension a call of the host.
package struct HostError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable word for programs.
    package let reason: String
    /// One sentence for people.
    package let message: String

    /// An error with that reason.
    package init(reason: String, _ message: String) { (self.reason, self.message) = (reason, message) }

    init(_ error: ResponseError) {
        switch error {
        case .error(let error): self.init(reason: error.reason ?? "hostError", error.message)
        case .malformed(let text): self.init(reason: "hostError", text)
        }
    }

    /// The error on the wire.
    package var wireError: RPCError { RPCError(RPCError.Code(rawValue: 1), reason: reason, message) }

    /// The message.
    package var description: String { message }
}

extension JSON {
    /// An object of the members that have a value.
    package init(members: [(String, JSON?)]) {
        self = .object(JSON.Object(members.compactMap { name, value in value.map { (name, $0) } }))
    }
}
