internal import CCurl
internal import Platform
internal import Synchronization

/// The thread of a client: it owns libcurl's handles, starts and ends transfers, and waits for their connections.
final class TransferLoop: @unchecked Sendable {
    /// What other threads asked of this one since its last iteration.
    private struct Commands {
        var started: [PendingTransfer] = []
        var cancelled: [PendingTransfer] = []
        var isStopping = false
    }

    /// How long the thread waits if no transfer has an earlier deadline.
    private static let longestWait = Duration.seconds(3_600)

    /// Initialises libcurl at the first use of this property.
    private static let initialization = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    private let multi: UnsafeMutableRawPointer
    private let options: TransferOptions
    // Guarded by the lock.
    private var commands = Commands()
    private var isOver = false
    private let lock = Mutex(())
    /// The transfers under way, by their handles; used only by the thread.
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

    init(_ options: TransferOptions, connectionsPerHost: Int) throws(HTTPClientError) {
        self.options = options
        guard Self.initialization == CURLE_OK, let multi = curl_multi_init() else {
            throw HTTPClientError(description: "libcurl cannot be used: there is no memory left for it")
        }
        // Without the descriptors for wake-ups, the thread would never notice a command.
        guard curl_multi_wakeup(multi) == CURLM_OK else {
            curl_multi_cleanup(multi)
            throw HTTPClientError(description: "libcurl cannot be used: there are no descriptors left for it")
        }
        self.multi = multi
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connectionsPerHost)
    }

    // MARK: Called by any thread

    /// Starts a transfer, unless it is already cancelled.
    func start(_ pending: PendingTransfer, _ continuation: CheckedContinuation<HTTPResult, Never>) {
        pending.continuation = continuation
        let isCancelled = lock.withLock { _ in
            if !pending.isCancelled { enqueue { $0.started.append(pending) } }
            return pending.isCancelled
        }
        if isCancelled { continuation.resume(returning: Transfer.cancelledBeforehand) }
    }

    /// Cancels a transfer; has no effect after its end.
    func cancel(_ pending: PendingTransfer) {
        lock.withLock { _ in
            pending.isCancelled = true
            enqueue { $0.cancelled.append(pending) }
        }
    }

    /// Ends the thread once no transfer is left.
    func stop() {
        lock.withLock { _ in enqueue { $0.isStopping = true } }
    }

    /// Adds a command and wakes the thread; must be called under the lock.
    private func enqueue(_ change: (inout Commands) -> Void) {
        // Only a late cancellation comes after the end: who starts a transfer holds the client, whose `deinit` stops.
        guard !isOver else { return }
        change(&commands)
        curl_multi_wakeup(multi)
    }

    // MARK: Called by the loop's thread

    /// Serves transfers until ``stop()``.
    func run() {
        while !performCommands() {
            var running: Int32 = 0
            var code = curl_multi_perform(multi, &running)
            finishTransfers()
            endLateTransfers()
            if code == CURLM_OK { code = curl_multi_poll(multi, nil, 0, wait, nil) }
            if code != CURLM_OK { recover(from: code) }
        }
        curl_multi_cleanup(multi)
    }

    /// Performs the commands of other threads; returns whether the loop is over.
    private func performCommands() -> Bool {
        let (now, isOver) = lock.withLock { _ in
            let now = commands
            commands = Commands(isStopping: now.isStopping)
            self.isOver = now.isStopping && transfers.isEmpty && now.started.isEmpty
            return (now, self.isOver)
        }
        for pending in now.started { beginTransfer(pending) }
        for pending in now.cancelled {
            guard let transfer = transfers.values.first(where: { $0.pending === pending }) else { continue }
            endTransfer(transfer, .cancelled)
        }
        return isOver
    }

    private func beginTransfer(_ pending: PendingTransfer) {
        do throws(HTTPClientError) {
            let transfer = try Transfer(pending, options)
            transfers[transfer.easy] = transfer
            let code = curl_multi_add_handle(multi, transfer.easy)
            if code != CURLM_OK { endTransfer(transfer, .failed(String(cString: curl_multi_strerror(code)))) }
        } catch {
            let result = HTTPResult(head: nil, failure: .failed(error.description), mayHaveSentBody: false)
            pending.continuation?.resume(returning: result)
        }
    }

    private func finishTransfers() {
        var count: Int32 = 0
        while let message = curl_multi_info_read(multi, &count) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = transfers[easy]
            else { continue }
            endTransfer(transfer, transfer.failure(for: ccurl_result(message)))
        }
    }

    private func endLateTransfers() {
        let now = ContinuousClock.now
        for transfer in transfers.values where transfer.pending.deadline <= now { endTransfer(transfer, .timedOut) }
    }

    private func endTransfer(_ transfer: Transfer, _ failure: HTTPFailure?) {
        transfers[transfer.easy] = nil
        curl_multi_remove_handle(multi, transfer.easy)
        transfer.pending.continuation?.resume(returning: transfer.result(failure))
    }

    /// The number of milliseconds until the next deadline; libcurl wakes up earlier for its own timers.
    private var wait: Int32 {
        let next = transfers.values.map(\.pending.deadline).min().map { ContinuousClock.now.duration(to: $0) }
        let milliseconds = min(max(next ?? Self.longestWait, .zero), Self.longestWait) / .milliseconds(1)
        return Int32(milliseconds.rounded(.up))
    }

    /// Ends all transfers after an error of libcurl, and pauses so that a permanent error does not cause a busy loop.
    private func recover(from code: CURLMcode) {
        let text = String(cString: curl_multi_strerror(code))
        for transfer in transfers.values { endTransfer(transfer, .failed(text)) }
        usleep(100_000)
    }
}
