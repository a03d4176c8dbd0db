package import BrazeRules
package import Calls
internal import Configuration
internal import Contract
internal import JSON
internal import JSONRPC
package import Platform
internal import PropertyLists
package import Suites

/// The lists under whose keys Braze's guide keeps pending records.
///
/// The guide reads a list, appends to it and stores it. The host has records instead, which others save and flushes
/// deliver in between. So it remembers what each peer read, and saves as records what a stored list has after that:
/// nothing that was delivered meanwhile is sent twice, and nothing that another peer saved is lost.
package final class PendingLists {
    private let limits: RecordLimits
    private let clock: Clock
    private let saves: SaveService
    private let jobs: JobService
    private var readings: [Reading.Key: Reading] = [:]
    /// The readings that were forgotten in open transactions.
    private var replaced: [Reading.Key: Reading] = [:]

    package init(_ limits: RecordLimits, _ clock: Clock, _ saves: SaveService, _ jobs: JobService) {
        self.limits = limits
        self.clock = clock
        self.saves = saves
        self.jobs = jobs
    }

    /// What a peer read last, and did not store since.
    private struct Reading {
        struct Key: Hashable {
            let peer: ObjectIdentifier
            let suite: SuiteName
            let kind: RecordKind

            init(_ invocation: Invocation, _ kind: RecordKind) {
                peer = ObjectIdentifier(invocation.peer)
                suite = invocation.knownSuite.name
                self.kind = kind
            }
        }

        /// Another peer may have the address of one that ended.
        weak var peer: Peer?
        let records: [ListedRecord]
    }

    // MARK: Reading

    /// Returns the list: at once, or in a job if it is long.
    package func retrieve(_ kind: RecordKind, _ invocation: Invocation) throws -> HostMethod.Outcome {
        let suite = invocation.knownSuite
        let size = try suite.pending.checkFlatSize([kind], byteLimit: ReplyLimits.flatBytes).bytes
        guard size <= RetrieveJob.directByteLimit else {
            let job = RetrieveJob(suite, kind) { [weak self] in self?.note($0, kind, invocation) }
            return jobs.begin(job, invocation)
        }
        let list = try suite.pending.flatRecords(kind, byteLimit: ReplyLimits.flatBytes)
        note(list?.array?.map { ListedRecord($0, kind) } ?? [], kind, invocation)
        return .done(["value": list ?? .null])
    }

    private func note(_ records: [ListedRecord], _ kind: RecordKind, _ invocation: Invocation) {
        readings = readings.filter { $0.value.peer != nil }
        readings[Reading.Key(invocation, kind)] = Reading(peer: invocation.peer, records: records)
    }

    private func reading(_ kind: RecordKind, _ invocation: Invocation) -> [ListedRecord]? {
        guard let reading = readings[Reading.Key(invocation, kind)], reading.peer === invocation.peer else {
            return nil
        }
        return reading.records
    }

    /// Forgets what the caller read, as it stored the list or deleted the records; unless the transaction is lost.
    package func forget(_ kinds: [RecordKind], _ invocation: Invocation) {
        for key in kinds.map({ Reading.Key(invocation, $0) }) {
            guard let reading = readings.removeValue(forKey: key) else { continue }
            if invocation.knownSuite.isInTransaction, replaced[key] == nil { replaced[key] = reading }
        }
    }

    // MARK: Storing

    /// Saves what a list has after the records that the caller read, all of it or nothing.
    ///
    /// A caller that read nothing must pass all pending records first.
    package func store(_ kind: RecordKind, _ invocation: Invocation) throws -> HostMethod.Outcome {
        let suite = invocation.knownSuite
        let list = try GuideList(kind, invocation.arguments, time: invocation.time(clock))
        let count = list.elements.count
        // One more than the list has shows that it lacks a record.
        let known =
            try reading(kind, invocation)
            ?? suite.pending.records(kind, limit: Int64(count) + 1, byteLimit: .max).map {
                ListedRecord($0.content.flat, kind)
            }
        for (index, record) in known.enumerated()
        where index >= count || ListedRecord(list.elements[index].record.flat, kind) != record {
            throw list.refusal(of: record, index)
        }
        let user = try saves.userOfList(invocation)
        let records = try list.elements.dropFirst(known.count).map { element in
            var record = element.record
            record.user = user
            try list.check(record, element, limits, valueBytes: suite.limits.valueBytes)
            return record
        }
        if !records.isEmpty { try saves.save(records, invocation) }
        forget([kind], invocation)
        return .done(["stored": true])
    }

    /// Called at the end of a suite's transaction: if it is lost, its lists were not stored, and may be stored again.
    package func didEndTransaction(of suite: SuiteName, isLost: Bool) {
        for (key, reading) in replaced where key.suite == suite {
            replaced[key] = nil
            if isLost { readings[key] = reading }
        }
    }
}

/// A record of a list as a peer reads it, by its name and a hash of its content.
struct ListedRecord: Equatable {
    let name: String
    private let hash: Int

    /// Identifies a record in the guide's flat form.
    init(_ flat: JSON, _ kind: RecordKind) {
        name = (kind == .customEvent ? flat["event_name"]?.string : flat.object?.first { _ in true }?.name) ?? ""
        var hasher = Hasher()
        flat.hash(into: &hasher)
        hash = hasher.finalize()
    }
}

extension JSON {
    /// Hashes what a peer gives back of what it read: members in any order, and numbers by their value, as JavaScript
    /// makes `1` of `1.0` and has no more than 53 bits.
    fileprivate func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer, .real: hasher.combine(number)
        case .string(let text): hasher.combine(bytesOf: text)
        case .array(let elements):
            hasher.combine(elements.count)
            for element in elements { element.hash(into: &hasher) }
        case .object(let members):
            var sum = 0
            for (name, value) in members {
                var member = Hasher()
                member.combine(bytesOf: name)
                value.hash(into: &member)
                sum &+= member.finalize()
            }
            hasher.combine(members.count)
            hasher.combine(sum)
        }
    }
}

extension Hasher {
    /// Combines a text as JSON compares it, not as Swift does, which ignores how a character is composed.
    fileprivate mutating func combine(bytesOf text: String) {
        combine(text.utf8.count)
        var text = text
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// A list in the guide's form, as records.
struct GuideList {
    /// A record and the index of the list's element that has it; an element of attributes may have several.
    struct Element {
        let record: RecordContent
        let index: Int
    }

    let kind: RecordKind
    private(set) var elements: [Element] = []
    private let arguments: Arguments

    /// Reads the param `value`.
    init(_ kind: RecordKind, _ arguments: Arguments, time: Int64) throws(RPCError) {
        self.kind = kind
        self.arguments = arguments
        for (index, element) in try arguments.array("value").enumerated() {
            do throws(PropertyListContentError) {
                let records = try GuideRecords.records(element, kind, time: time)
                elements += records.map { Element(record: $0, index: index) }
            } catch {
                throw refusal(error.text, index)
            }
        }
    }

    /// Checks a record as the method that saves it would.
    func check(_ record: RecordContent, _ element: Element, _ limits: RecordLimits, valueBytes: Int) throws(RPCError) {
        do throws(RecordError) {
            if kind == .customAttribute, record.name == "event_name" {
                let text = "it is an event; store it under \(RecordKind.customEvent.storageKey)"
                throw RecordError(text, RecordPlace("key"))
            }
            try limits.check(record)
            if kind == .userAttribute, let value = record.value, let user = record.user {
                try SaveService.checkIdentity(record.name, value, of: user)
            }
            let bytes = record.value?.bytes.count ?? 0
            guard bytes <= valueBytes else {
                throw RecordError("a value has at most \(valueBytes) bytes, this one \(bytes)", RecordPlace("value"))
            }
        } catch {
            throw refusal(error.text, element.index, pointer(error.place, record))
        }
    }

    private func pointer(_ place: RecordPlace, _ record: RecordContent) -> String {
        switch kind {
        case .customEvent: place.parameter == "name" ? "/event_name" : place.pointer
        case .customAttribute: "/" + JSONPointer.escape(record.name) + place.pointer
        // An encoded attribute has no members in the request.
        case .userAttribute: ""
        }
    }

    /// The error for an element that is no record, or not one that Braze takes.
    private func refusal(_ text: String, _ index: Int, _ pointer: String = "") -> RPCError {
        let text = "\(kind.storageKey) is not stored: element \(index + 1): \(text)"
        return HostError.invalidRecord(text, path: "\(arguments.path("value"))/\(index)\(pointer)")
    }

    /// The error for a list that does not begin with a record that it must begin with.
    func refusal(of record: ListedRecord, _ index: Int) -> RPCError {
        let text =
            "\(kind.storageKey) is not stored: the list must begin with the records that retrieve returns, and record "
            + "\(index + 1), \(JSON.string(record.name).excerpt()), is missing or changed; append to that list, or call "
            + "\(kind.method) to save a record and removeObject to delete all"
        let place = index < elements.count ? "/\(elements[index].index)" : ""
        return HostError.reservedKey(text, path: arguments.path("value") + place)
    }
}

extension RecordKind {
    /// The method that saves a record of the kind.
    fileprivate var method: String {
        switch self {
        case .customEvent: "saveCustomEvent"
        case .customAttribute: "saveCustomAttribute"
        case .userAttribute: "saveUserAttribute"
        }
    }
}
