internal import Delivery
package import Logging
package import Platform

/// Shows how a relay is: metrics and health over HTTP, and messages to the supervisor of the process.
package final class RelayMonitor: MonitoredService {
    /// The least time between two states for the supervisor, in milliseconds.
    private static let statusInterval: Int64 = 1_000

    private let relay: RelayService
    private let notifier: ServiceNotifier
    private var server: MonitoringServer?
    private var hasStarted = false
    private var isStopping = false
    /// When the supervisor may get the next state.
    private var nextStatus: Int64 = 0
    private var sentStatus: String?

    /// Begins to show how a relay is, to clients of the listener and to the supervisor that the environment names.
    package init(_ relay: RelayService, _ listener: LoopbackListener?, environment: [String: String], _ logger: Logger)
    {
        self.relay = relay
        notifier = ServiceNotifier(environment: environment, process: getpid(), logger)
        server = listener.map { MonitoringServer($0, self, logger) }
        guard let port = listener?.port else { return }
        logger.info("metrics are at http://127.0.0.1:\(port)/metrics", metadata: ["port": "\(port)"])
    }

    // MARK: The event loop

    /// Names the descriptors to poll.
    package func forEachDescriptor(_ body: (Int32, PollSet.Interest) -> Void) { server?.forEachDescriptor(body) }

    /// When ``expire()`` is due.
    package var deadline: Int64? {
        let status = statusText == sentStatus ? nil : nextStatus
        return [notifier.deadline, server?.deadline, status].compactMap(\.self).min()
    }

    /// Handles that a descriptor is ready.
    package func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        server?.ready(descriptor, buffer: buffer)
    }

    /// Tells the supervisor what has changed, and handles the deadlines that have passed; called in each iteration.
    package func advance() {
        let now = Clock.monotonic()
        server?.expire(now: now)
        if !hasStarted {
            hasStarted = true
            // The process serves its supervisor from now on. A source that cannot be reached is no reason to start it again.
            notifier.ready(now: now)
        }
        if relay.status.isStopping, !isStopping {
            isStopping = true
            notifier.stopping(now: now)
        }
        notifier.expire(now: now)
        let text = statusText
        guard text != sentStatus, now >= nextStatus else { return }
        sentStatus = text
        nextStatus = now + Self.statusInterval
        notifier.status(text, now: now)
    }

    /// Closes all connections.
    package func close() { server?.close() }

    // MARK: State

    private var statusText: String {
        let status = relay.status
        if status.isStopping { return "stopping; \(status.kept) records are held" }
        if let reason = notReadyReason { return "not ready: \(reason)" }
        let pending = status.pending.map { ", \($0) pending" } ?? ""
        let problem = status.isPaused ? "; paused: \(status.problem ?? "the destination asked for it")" : ""
        return "\(status.source) to \(status.destination): \(status.delivered) delivered\(pending)\(problem)"
    }

    var notReadyReason: String? {
        let status = relay.status
        if status.isStopping { return "the relay is stopping" }
        guard !status.isReady else { return nil }
        if let problem = status.sourceProblem { return "the source \(status.source) failed: \(problem)" }
        return status.problem ?? "the source \(status.source) has not answered yet"
    }

    var metrics: [Metric] {
        let status = relay.status
        let names = [("source", status.source), ("destination", status.destination)]
        // With nothing pending, nothing is old.
        let age =
            status.oldest.map { Double(max(0, Clock.systemTime() - $0)) / 1_000 } ?? (status.pending == 0 ? 0 : nil)
        func metric(_ name: String, _ kind: Metric.Kind, _ help: String, _ value: Double?) -> Metric {
            Metric("pushhost_relay_\(name)", kind, help, value)
        }
        return [
            Metric("pushhost_relay_up", .gauge, "The relay runs.", samples: [.init(labels: names, value: 1)]),
            metric("ready", .gauge, "1 if the source hands out records and nobody must act.", status.isReady ? 1 : 0),
            metric("paused", .gauge, "1 while the destination gets nothing after a failure.", status.isPaused ? 1 : 0),
            metric("pending", .gauge, "Records in the source that are not settled.", status.pending.map(Double.init)),
            metric("oldest_age_seconds", .gauge, "The age of the oldest of them.", age),
            metric("held", .gauge, "Records that this relay holds.", Double(status.kept)),
            metric("rate_share", .gauge, "The part of the rate limit that this relay may use.", status.rateShare ?? 1),
            metric("delivered_total", .counter, "Records that the destination accepted.", Double(status.delivered)),
            metric("rejected_total", .counter, "Records that became dead letters.", Double(status.rejected)),
            metric(
                "ambiguous_total",
                .counter,
                "Deliveries of which nobody knows the outcome.",
                Double(status.ambiguous)
            ),
            metric("retries_total", .counter, "Records that were offered again.", Double(status.retries)),
            metric("lost_total", .counter, "Records that went to another relay.", Double(status.lost)),
        ]
    }
}
