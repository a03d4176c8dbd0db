internal import CCurl
internal import Foundation

/// The thread of a client: it owns libcurl's handles, starts and ends transfers, and waits for their connections.
final class TransferLoop: @unchecked Sendable {
    /// The requests of other threads since the last iteration.
    private struct Requests {
        var started: [TransferOrder] = []
        var cancelled: [TransferOrder] = []
        var isStopping = false
    }

    /// How long the thread waits if no transfer has an earlier deadline.
    private static let longestWait = Duration.seconds(3_600)

    private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let multi: UnsafeMutableRawPointer
    private let options: TransferOptions
    // Guarded by the lock.
    private var requests = Requests()
    private var isOver = false
    private let lock = NSLock()
    /// The transfers under way, by their handles; used only by the thread.
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

    init(_ options: TransferOptions, connectionsPerHost: Int) throws(HTTPClientError) {
        self.options = options
        guard Self.isInitialized, let multi = curl_multi_init() else {
            throw HTTPClientError(description: "libcurl cannot be used: there is no memory left for it")
        }
        // Without the descriptors for wake-ups, the thread would never notice a request.
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
    func start(_ order: TransferOrder, _ continuation: CheckedContinuation<HTTPResult, Never>) {
        order.continuation = continuation
        let isCancelled = lock.withLock {
            if !order.isCancelled { request { $0.started.append(order) } }
            return order.isCancelled
        }
        if isCancelled { continuation.resume(returning: Transfer.cancelledBeforehand) }
    }

    /// Cancels a transfer; has no effect after its end.
    func cancel(_ order: TransferOrder) {
        lock.withLock {
            order.isCancelled = true
            request { $0.cancelled.append(order) }
        }
    }

    /// Ends the thread once no transfer is left.
    func stop() {
        lock.withLock { request { $0.isStopping = true } }
    }

    /// Changes the requests and wakes the thread; must be called under the lock.
    private func request(_ change: (inout Requests) -> Void) {
        guard !isOver else { return }
        change(&requests)
        curl_multi_wakeup(multi)
    }

    // MARK: Called by the loop's thread

    /// Serves transfers until ``stop()``.
    func run() {
        while !handleRequests() {
            var running: Int32 = 0
            var code = curl_multi_perform(multi, &running)
            finishTransfers()
            endLateTransfers()
            if code == CURLM_OK { code = curl_multi_poll(multi, nil, 0, wait, nil) }
            if code != CURLM_OK { recover(from: code) }
        }
        curl_multi_cleanup(multi)
    }

    /// Handles the requests of other threads; returns whether the thread must end.
    private func handleRequests() -> Bool {
        let (now, mayEnd) = lock.withLock {
            let now = requests
            requests = Requests(isStopping: now.isStopping)
            isOver = now.isStopping && transfers.isEmpty && now.started.isEmpty
            return (now, isOver)
        }
        for order in now.started { beginTransfer(order) }
        for order in now.cancelled {
            guard let transfer = transfers.values.first(where: { $0.order === order }) else { continue }
            endTransfer(transfer, .cancelled)
        }
        return mayEnd
    }

    private func beginTransfer(_ order: TransferOrder) {
        do throws(HTTPClientError) {
            let transfer = try Transfer(order, options)
            transfers[transfer.easy] = transfer
            let code = curl_multi_add_handle(multi, transfer.easy)
            if code != CURLM_OK { endTransfer(transfer, .failed(String(cString: curl_multi_strerror(code)))) }
        } catch {
            let result = HTTPResult(head: nil, failure: .failed(error.description), mayHaveSentBody: false)
            order.continuation?.resume(returning: result)
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
        for transfer in transfers.values where transfer.order.deadline <= now { endTransfer(transfer, .timedOut) }
    }

    private func endTransfer(_ transfer: Transfer, _ failure: HTTPFailure?) {
        transfers[transfer.easy] = nil
        curl_multi_remove_handle(multi, transfer.easy)
        transfer.order.continuation?.resume(returning: transfer.result(failure))
    }

    /// The number of milliseconds until the next deadline; libcurl wakes up earlier for its own timers.
    private var wait: Int32 {
        let next = transfers.values.map(\.order.deadline).min().map { ContinuousClock.now.duration(to: $0) }
        let milliseconds = min(max(next ?? Self.longestWait, .zero), Self.longestWait) / .milliseconds(1)
        return Int32(milliseconds.rounded(.up))
    }

    /// Ends all transfers after an error of libcurl, and pauses so that a permanent error does not cause a busy loop.
    private func recover(from code: CURLMcode) {
        let text = String(cString: curl_multi_strerror(code))
        for transfer in transfers.values { endTransfer(transfer, .failed(text)) }
        Thread.sleep(forTimeInterval: 0.1)
    }
}
