import ExtensionKit
import Foundation
import JSON

/// A destination that uses every part of the kit; the name of a record determines its outcome.
@main
final class KitDestination: DryRunDestination, CheckableDestination, @unchecked Sendable {
    private let context: DestinationContext
    // Guarded by the lock.
    private var waiting: CheckedContinuation<Void, Never>?
    /// Batches run concurrently, so the one that releases the others may come first.
    private var mayGo = false
    private let lock = NSLock()

    init(context: DestinationContext) { self.context = context }

    func deliver(_ batch: DeliveryBatch) async throws -> DeliveryResult {
        print("a print of the author's")
        var result = DeliveryResult()
        for record in batch.records {
            switch record.content {
            case .customEvent("refuse", _): throw ExtensionError(reason: "notNow", "not now")
            case .customEvent("wait", _):
                await wait()
                result.accepted.append(record.id)
            case .customEvent("go", _):
                letGo()
                result.accepted.append(record.id)
            case .customEvent("share", _):
                context.log(.notice, batch.rateShare.map { "\($0)" } ?? "the whole limit")
                result.accepted.append(record.id)
            case .customEvent("until", _):
                context.log(.notice, "\(batch.sendUntil?.timeIntervalSince1970 ?? 0)")
                result.accepted.append(record.id)
            case .customEvent("log", let properties):
                let counts = "\(record.user?.count ?? 0) \(properties?.count ?? 0)"
                context.log(.notice, "\(batch.suite) \(record.time) \(counts)")
                result.accepted.append(record.id)
            case .customEvent: result.uncertain.append(record.id)
            case .customAttribute(let key, let value): result.rejected.append(.init(record.id, "\(key) is \(value)"))
            case .userAttribute(let field, _): result.held.append(.init(record.id, "\(field) \(record.possiblySent)"))
            }
        }
        return result
    }

    func dryRun(_ batch: DeliveryBatch) async throws -> DryRunResult {
        var result = DryRunResult()
        for record in batch.records {
            guard case .customEvent(let name, _) = record.content else {
                result.held.append(.init(record.id, "not an event"))
                continue
            }
            if name == "refuse" { throw ExtensionError(reason: "notNow", "not now") }
            result.requests.append(.init(method: "PUT", url: "test:1", headers: ["A": "b"], body: .string(name)))
        }
        return result
    }

    func check() async -> DestinationCheck {
        DestinationCheck(
            isReachable: true,
            isAccepted: true,
            duration: .milliseconds(7),
            date: Date(timeIntervalSince1970: 1_767_225_600),
            message: "here"
        )
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let goes = lock.withLock {
                if !mayGo { waiting = continuation }
                return mayGo
            }
            if goes { continuation.resume() }
        }
    }

    private func letGo() {
        let waiting = lock.withLock {
            mayGo = true
            return self.waiting
        }
        waiting?.resume()
    }
}
