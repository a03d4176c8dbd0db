internal import JSON
internal import PropertyLists
internal import Suites

/// Takes a property list of the guide's storage into a suite.
struct SuiteImport {
    let suite: Suite
    let limits: RecordLimits
    /// The time that records get, as the guide keeps none.
    let time: Int64
    /// What dead letters and remarks call the file.
    let file: String

    private var saved: [RecordKind: Int64] = [:]
    private var defaults: Int64 = 0
    private var deadLetters: Int64 = 0
    private var remarks = Remarks()

    init(suite: Suite, limits: RecordLimits, time: Int64, file: String) {
        self.suite = suite
        self.limits = limits
        self.time = time
        self.file = file
    }

    /// What was done, for the reply.
    var json: JSON {
        [
            "imported": .object(JSON.Object(RecordKind.allCases.map { ($0.word, .integer(saved[$0] ?? 0)) })),
            "defaults": .integer(defaults), "deadLetters": .integer(deadLetters), "diagnostics": remarks.json,
        ]
    }

    /// Takes over all that a file holds; the caller makes it one change.
    mutating func take(_ bytes: [UInt8]) throws(SuiteError) {
        let members: [PropertyListValue.Member]
        do throws(PropertyListProblem) {
            let root = try PropertyListValue(reading: bytes)
            guard !root.isArchive else { throw PropertyListProblem("it is an archive made by NSKeyedArchiver") }
            guard case .dictionary(let found) = root else {
                throw PropertyListProblem("it is \(root.typeName) and not a dictionary")
            }
            members = found
        } catch {
            return try bury(bytes, kind: nil, at: nil, error.text)
        }
        // The guide flushes the kinds in this order.
        for kind in RecordKind.allCases {
            for member in members where member.key == kind.storageKey { try take(member.value, kind) }
        }
        for member in members where RecordKind(storageKey: member.key) == nil { try takeDefault(member) }
    }

    // MARK: Records

    private mutating func take(_ list: PropertyListValue, _ kind: RecordKind) throws(SuiteError) {
        guard case .array(let elements) = list else {
            return try bury(list.binary, kind: kind, at: kind.storageKey, "it is \(list.typeName) and not an array")
        }
        for (index, element) in elements.enumerated() {
            let place = "\(kind.storageKey)/\(index)"
            switch kind {
            case .customEvent: try takeEvent(element, at: place)
            case .customAttribute: try takeAttributes(element, at: place)
            case .userAttribute: try takeUserAttribute(element, at: place)
            }
        }
    }

    private mutating func takeEvent(_ element: PropertyListValue, at place: String) throws(SuiteError) {
        try take(.customEvent, at: place, element.binary) { time throws(PropertyListProblem) in
            try GuideRecords.event(element, time: time)
        }
    }

    private mutating func takeAttributes(_ element: PropertyListValue, at place: String) throws(SuiteError) {
        guard case .dictionary(let members) = element else {
            return try bury(element.binary, kind: .customAttribute, at: place, GuideRecords.noDictionary(element).text)
        }
        if case .string = element["event_name"] {
            let text = "\(place) is an event, as the guide's Objective-C stores events; imported as one"
            remarks.add(Diagnostic("misfiledEvent", text))
            return try takeEvent(element, at: place)
        }
        for member in members {
            let original = PropertyListValue.dictionary([member]).binary
            try take(.customAttribute, at: "\(place)/\(member.key)", original) { time throws(PropertyListProblem) in
                try GuideRecords.attribute(member, time: time)
            }
        }
    }

    private mutating func takeUserAttribute(_ element: PropertyListValue, at place: String) throws(SuiteError) {
        guard case .data(let bytes) = element else {
            let text = "it is \(element.typeName) and not the data of a user attribute"
            return try bury(element.binary, kind: .userAttribute, at: place, text)
        }
        try take(.userAttribute, at: place, bytes) { time throws(PropertyListProblem) in
            try GuideRecords.userAttribute(bytes, time: time)
        }
    }

    /// Saves a record, or buries what it was to be made of.
    private mutating func take(
        _ kind: RecordKind,
        at place: String,
        _ original: @autoclosure () -> [UInt8],
        _ make: (Int64) throws(PropertyListProblem) -> NewRecord
    ) throws(SuiteError) {
        let record: NewRecord
        do throws(PropertyListProblem) {
            record = try make(time)
        } catch {
            return try bury(original(), kind: kind, at: place, error.text)
        }
        do throws(RecordProblem) {
            try limits.check(record)
        } catch {
            return try bury(record, at: place, "\(error.text) (\(error.place.parameter)\(error.place.pointer))")
        }
        do throws(SuiteError) {
            _ = try suite.save(record)
        } catch {
            guard case .recordTooLarge(let bytes, let limit) = error else { throw error }
            return try bury(record, at: place, "a value has at most \(limit) bytes, this one \(bytes)")
        }
        saved[kind, default: 0] += 1
    }

    // MARK: Dead letters

    private mutating func bury(_ record: NewRecord, at place: String, _ text: String) throws(SuiteError) {
        _ = try suite.bury(record, reason: reason(text, at: place), at: time)
    }

    private mutating func bury(
        _ bytes: [UInt8],
        kind: RecordKind?,
        at place: String?,
        _ text: String
    ) throws(SuiteError) {
        _ = try suite.bury(bytes, kind: kind, reason: reason(text, at: place), at: time)
    }

    private mutating func reason(_ text: String, at place: String?) -> String {
        let reason = "imported from \(file)\(place.map { ", \($0)" } ?? ""): \(text)"
        deadLetters += 1
        remarks.add(Diagnostic("deadLetter", reason))
        return reason
    }

    // MARK: Defaults

    private mutating func takeDefault(_ member: PropertyListValue.Member) throws(SuiteError) {
        guard !member.key.isEmpty, !member.key.utf8.contains(0) else {
            return remarks.add(Diagnostic("leftOut", "a key that is empty or holds U+0000 is left out with its value"))
        }
        var remarks = remarks
        let value: JSON?
        do throws(PropertyListProblem) {
            value = try member.value.json { foreign throws(PropertyListProblem) in
                GuideRecords.stored(foreign, key: member.key, &remarks)
            }
        } catch {
            remarks.add(Diagnostic("leftOut", "\(member.key) is left out: \(error.text)"))
            value = nil
        }
        self.remarks = remarks
        guard let value else { return }
        try suite.store(value, forKey: member.key)
        defaults += 1
    }
}

extension RecordLimits {
    /// Judges a record as the save that it would be.
    fileprivate func check(_ record: NewRecord) throws(RecordProblem) {
        switch record.kind {
        case .customEvent: try checkEvent(name: record.name, properties: record.value?.object)
        case .customAttribute: try checkAttribute(key: record.name, value: record.value ?? .null)
        case .userAttribute: try checkField(record.name, value: record.value ?? .null)
        }
    }
}

extension PropertyListValue {
    /// The value alone as a property list.
    fileprivate var binary: [UInt8] { BinaryPropertyListWriter.write(self) }
}
