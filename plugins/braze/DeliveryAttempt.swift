import BrazeRules
import ExtensionKit
import JSON

/// A request and, if it is refused, the smaller requests that replace it until the bad record is found.
///
/// A state machine without I/O: send ``next``, then pass its verdict to ``receive(_:)``.
struct DeliveryAttempt {
    private let limits: RequestLimits
    private let options: MappingOptions
    private let users: [Identity]
    /// The requests that are still to be sent, in order.
    private var waiting: [TrackRequest]
    /// The outcome of the records so far; a record in no list was not attempted.
    private(set) var result = DeliveryResult()
    /// Why this attempt, and all others, must not send anything more.
    private(set) var end: String?

    init(_ request: TrackRequest, _ limits: RequestLimits, _ options: MappingOptions, _ users: [Identity]) {
        waiting = [request]
        self.limits = limits
        self.options = options
        self.users = users
    }

    /// Whether everything was sent and answered.
    var isDone: Bool { waiting.isEmpty && end == nil }

    /// The request to send now.
    var next: TrackRequest? { end == nil ? waiting.first : nil }

    /// Handles the verdict on ``next``.
    mutating func receive(_ verdict: Verdict) {
        let request = waiting.removeFirst()
        result.diagnostics += verdict.diagnostics
        switch verdict.outcome {
        case .accepted:
            var failed: [TrackObject] = []
            for (place, object) in request.objects.enumerated() {
                if let reason = verdict.failures[place] {
                    let later = request.objects[(place + 1)...].enumerated()
                        .filter { verdict.failures[place + 1 + $0.offset] == nil && !$0.element.isEvent }
                        .flatMap { $0.element.records }
                    failed += reject(object, reason, before: later, besideTaken: true)
                } else {
                    for record in object.records { result.accepted.append(record.id) }
                }
            }
            waiting.insert(contentsOf: pack(failed), at: 0)
        case .invalid where !verdict.failures.isEmpty:
            // A replacement stays at the position of its object, since the order of a user's attributes matters.
            let rest = request.objects.enumerated().flatMap { place, object in
                verdict.failures[place].map { reject(object, $0) } ?? [object]
            }
            waiting.insert(contentsOf: pack(rest), at: 0)
        case .invalid(let reason), .tooLarge(let reason):
            waiting.insert(contentsOf: request.halves ?? pack(reject(request.objects[0], reason)), at: 0)
        case .stop(let text):
            result.stop = text
            end = text
        case .retryLater(let text):
            result.diagnostics.append(.init(reason: "notDelivered", text))
            end = text
        case .uncertain(let text):
            result.uncertain += request.records
            result.diagnostics.append(.init(reason: "uncertain", text))
            end = text
        }
    }

    /// Rejects the record of a failed object; an object of several records is split, to find the bad one.
    ///
    /// An attribute must not be sent again if a later change of it was accepted. If other objects of the request were
    /// accepted, Braze may have applied parts of the failed object: increments in it are ambiguous and are not sent
    /// again.
    private mutating func reject(
        _ object: TrackObject,
        _ reason: String,
        before taken: [EncodedRecord] = [],
        besideTaken: Bool = false
    ) -> [TrackObject] {
        guard object.records.count > 1 else {
            result.rejected += object.records.map { DeliveryResult.Refusal($0.id, reason) }
            return []
        }
        let additions = besideTaken ? object.records.filter(\.addsToAttribute).map(\.id) : []
        if !additions.isEmpty {
            result.uncertain += additions
            let text = "Braze refused an object of several attributes (\(reason)), and may have counted its increments"
            result.diagnostics.append(.init(reason: "uncertain", text))
        }
        return object.records.filter { !additions.contains($0.id) }.compactMap { record in
            guard !taken.contains(where: { $0.userIndex == record.userIndex && $0.key == record.key }) else {
                let text = "an attribute beside it was refused (\(reason)), and a later change of this one was taken"
                result.rejected.append(DeliveryResult.Refusal(record.id, text))
                return nil
            }
            return TrackObject(attributes: [record], of: users[record.userIndex], options)
        }
    }

    /// Packs objects into requests, in order.
    private func pack(_ objects: [TrackObject]) -> [TrackRequest] {
        var requests: [[TrackObject]] = []
        var bytes = 0
        for object in objects {
            bytes += object.bytes.count + 1
            if let count = requests.last?.count, count < limits.objects, bytes <= limits.bytes {
                requests[requests.count - 1].append(object)
            } else {
                requests.append([object])
                bytes = TrackRequest.overhead + object.bytes.count + 1
            }
        }
        return requests.map { TrackRequest(objects: $0) }
    }
}

extension EncodedRecord {
    /// Whether it is a change that is not idempotent: `inc`, or `$add` of objects.
    fileprivate var addsToAttribute: Bool {
        guard !isEvent, let value = (try? JSON(parsing: [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")]))?.object,
            let change = value.first(where: { _ in true })?.value.object
        else { return false }
        return change["$add"] != nil || change.count == 1 && change["inc"] != nil
    }
}
