import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Takes what comes for the tasks of a session, within bounds of size and time.
final class ResponseInbox: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// An answer of Braze has a few hundred bytes, and some more for each object that failed.
    private static let sizeLimit = 1 << 20
    /// How long a task that was cancelled may take to end.
    private static let grace = Duration.seconds(5)

    /// What is known of a task.
    private struct Pending {
        let task: URLSessionTask
        let continuation: CheckedContinuation<Exchange, Never>
        var deadline: ContinuousClock.Instant
        var response: HTTPURLResponse?
        var body: [UInt8] = []
        /// Why it was cancelled.
        var fault: String?
    }

    private let timeout: Duration
    /// The queue of the delegate's methods, which must never wait for the session: under a flood that serves nobody.
    let queue: OperationQueue
    private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "braze.deadlines"))
    // Guarded by the lock.
    private var pending: [Int: Pending] = [:]
    /// When the timer goes off; it is not moved for each task, which costs more than to look in vain once in a while.
    private var alarm: ContinuousClock.Instant?
    private let lock = NSLock()

    init(timeout: Duration) {
        self.timeout = timeout
        #if canImport(FoundationNetworking)
        queue = DelegateQueue()
        #else
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        #endif
        super.init()
        timer.setEventHandler { [weak self] in self?.expire() }
        timer.resume()
    }

    deinit { timer.cancel() }

    /// Starts a task; the continuation gets what comes of it.
    func start(_ task: URLSessionTask, _ continuation: CheckedContinuation<Exchange, Never>) {
        lock.withLock {
            let deadline = ContinuousClock.now + timeout
            pending[task.taskIdentifier] = Pending(task: task, continuation: continuation, deadline: deadline)
            wake(at: deadline)
        }
        task.resume()
    }

    // MARK: The session's news

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The key goes nowhere else; the redirect itself is the answer.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // A connection that was used before ended without an answer, and libcurl begins anew on another one. The
        // first request may have arrived; it gets no second body, and nobody waits until the server misses that.
        lock.withLock { _ = cancel(task.taskIdentifier, "the connection ended") }
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.failureResponse != nil else { return completionHandler(.performDefaultHandling, nil) }
        // The refusal is the answer; on Linux the default handling of one with WWW-Authenticate never ends.
        let entry = lock.withLock { pending.removeValue(forKey: task.taskIdentifier) }
        if let entry { finish(entry, nil) }
        // Which waits for the session.
        DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        lock.withLock { pending[dataTask.taskIdentifier]?.response = response as? HTTPURLResponse }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = lock.withLock {
            guard let size = pending[dataTask.taskIdentifier]?.body.count else { return false }
            guard size + data.count > Self.sizeLimit else {
                pending[dataTask.taskIdentifier]?.body += data
                return false
            }
            return cancel(dataTask.taskIdentifier, "the answer has more than \(Self.sizeLimit) bytes")
        }
        if isTooLarge { Connections.cut() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let entry = lock.withLock({ pending.removeValue(forKey: task.taskIdentifier) }) { finish(entry, error) }
    }

    // MARK: The end

    private func finish(_ entry: Pending, _ error: (any Error)?) {
        let response = entry.response ?? entry.task.response as? HTTPURLResponse
        let fault = entry.fault ?? error.map { $0.localizedDescription }
        // What is sent is counted before it goes to the connection, and none goes to one whose certificate is wrong.
        // The error would not tell: it may be that of a second attempt.
        let isSent = entry.task.countOfBytesSent > 0
        if let response, fault == nil || !(200..<300).contains(response.statusCode) {
            guard isSent || response.statusCode < 500 else {
                let text = "\(response.statusCode) before anything was sent, as from a proxy that does not get through"
                return entry.continuation.resume(returning: .failure(text, mayHaveArrived: false))
            }
            // An answer that is no success says all with its status, even where its body was cut off.
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields {
                if let name = name as? String, let value = value as? String { headers[name] = value }
            }
            let answer = Answer(status: response.statusCode, headers: headers, body: entry.body)
            return entry.continuation.resume(returning: .answer(answer))
        }
        let text = "no answer of Braze: \(fault ?? "the connection ended")"
        entry.continuation.resume(returning: .failure(text, mayHaveArrived: isSent))
    }

    /// Begins to end a task, under the lock; whether that was not begun before.
    @discardableResult
    private func cancel(_ identifier: Int, _ fault: String) -> Bool {
        guard let entry = pending[identifier], entry.fault == nil else { return false }
        pending[identifier]?.fault = fault
        let deadline = ContinuousClock.now + Self.grace
        pending[identifier]?.deadline = deadline
        wake(at: deadline)
        let task = entry.task
        DispatchQueue.global().async { task.cancel() }
        return true
    }

    /// Cancels tasks whose time is over; one that does not even end then is given up.
    private func expire() {
        let now = ContinuousClock.now
        let givenUp = lock.withLock {
            alarm = nil
            let late = pending.filter { $0.value.deadline <= now }
            for (identifier, entry) in late {
                if entry.fault == nil {
                    cancel(identifier, "there was none within \(timeout)")
                } else {
                    pending[identifier] = nil
                }
            }
            if let next = pending.values.map(\.deadline).min() { wake(at: next) }
            return late.values.filter { $0.fault != nil }
        }
        if !givenUp.isEmpty { Connections.cut() }
        for entry in givenUp {
            entry.continuation.resume(returning: .failure("no answer of Braze", mayHaveArrived: true))
        }
    }

    /// Sees to it that the timer goes off at a deadline or before; called under the lock.
    private func wake(at deadline: ContinuousClock.Instant) {
        if let alarm, alarm <= deadline { return }
        alarm = deadline
        let wait = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        timer.schedule(deadline: .now() + .milliseconds(Int(max(wait, 0).rounded(.up))), leeway: .milliseconds(10))
    }
}
