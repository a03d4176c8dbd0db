import BrazeRules
import ExtensionKit
import JSON

/// A request on its way, with what must follow it when it is refused: smaller ones, until the culprit is found.
///
/// A state machine without input and output: ask for ``next``, send it, ``take(_:)`` what came of it.
struct Shipment {
    private let limits: RequestLimits
    private let options: MappingOptions
    private let users: [Identity]
    /// What is still to be sent, in order.
    private var waiting: [TrackRequest]
    /// What became of the records so far; those in no list were not attempted.
    private(set) var result = DeliveryResult()
    /// Why nothing more is to be sent, by this shipment and by others.
    private(set) var end: String?

    init(_ request: TrackRequest, _ limits: RequestLimits, _ options: MappingOptions, _ users: [Identity]) {
        waiting = [request]
        self.limits = limits
        self.options = options
        self.users = users
    }

    /// Whether all of it was sent and answered.
    var isDone: Bool { waiting.isEmpty && end == nil }

    /// The request to be sent now.
    var next: TrackRequest? { end == nil ? waiting.first : nil }

    /// Takes what came of ``next``.
    mutating func take(_ verdict: Verdict) {
        let request = waiting.removeFirst()
        result.diagnostics += verdict.diagnostics
        switch verdict.outcome {
        case .taken:
            var failed: [TrackObject] = []
            for (place, object) in request.objects.enumerated() {
                if let reason = verdict.failures[place] {
                    let later = request.objects[(place + 1)...].enumerated()
                        .filter { verdict.failures[place + 1 + $0.offset] == nil && !$0.element.isEvent }
                        .flatMap { $0.element.drafts }
                    failed += giveUp(object, reason, before: later, besideTaken: true)
                } else {
                    result.accepted += object.drafts.map(\.id)
                }
            }
            waiting.insert(contentsOf: cut(failed), at: 0)
        case .invalid where !verdict.failures.isEmpty:
            // What takes the place of an object stays there: the order of a user's attributes counts.
            let rest = request.objects.enumerated().flatMap { place, object in
                verdict.failures[place].map { giveUp(object, $0) } ?? [object]
            }
            waiting.insert(contentsOf: cut(rest), at: 0)
        case .invalid(let reason), .tooLarge(let reason):
            waiting.insert(contentsOf: request.halves ?? cut(giveUp(request.objects[0], reason)), at: 0)
        case .stop(let text):
            result.stop = text
            end = text
        case .later(let text):
            result.diagnostics.append(.init(reason: "notDelivered", text))
            end = text
        case .uncertain(let text):
            result.uncertain += request.records
            result.diagnostics.append(.init(reason: "uncertain", text))
            end = text
        }
    }

    /// Rejects the record of a failed object; one of several records becomes as many objects, to find the culprit.
    ///
    /// Attributes that are among what was taken after it must not be set to what they were before. Beside others that
    /// were taken nobody says that Braze took nothing of the object: what adds to an attribute is ambiguous there, and
    /// is not sent again.
    private mutating func giveUp(
        _ object: TrackObject,
        _ reason: String,
        before taken: [Draft] = [],
        besideTaken: Bool = false
    ) -> [TrackObject] {
        guard object.drafts.count > 1 else {
            result.rejected += object.drafts.map { DeliveryResult.Refusal($0.id, reason) }
            return []
        }
        let additions = besideTaken ? object.drafts.filter(\.addsToAttribute).map(\.id) : []
        if !additions.isEmpty {
            result.uncertain += additions
            let text = "Braze refused an object of several attributes (\(reason)), and may have counted its increments"
            result.diagnostics.append(.init(reason: "uncertain", text))
        }
        return object.drafts.filter { !additions.contains($0.id) }.compactMap { draft in
            guard !taken.contains(where: { $0.user == draft.user && $0.key == draft.key }) else {
                let text = "an attribute beside it was refused (\(reason)), and a later change of this one was taken"
                result.rejected.append(DeliveryResult.Refusal(draft.id, text))
                return nil
            }
            return TrackObject(attributes: [draft], of: users[draft.user], options)
        }
    }

    /// Requests of those objects, in order.
    private func cut(_ objects: [TrackObject]) -> [TrackRequest] {
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

extension Draft {
    /// Whether it is an attribute's change that counts twice when it is made twice: `inc`, or `$add` of objects.
    fileprivate var addsToAttribute: Bool {
        guard !isEvent, let value = (try? JSON(parsing: [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")]))?.object,
            let change = value.first(where: { _ in true })?.value.object
        else { return false }
        return change["$add"] != nil || change.count == 1 && change["inc"] != nil
    }
}
