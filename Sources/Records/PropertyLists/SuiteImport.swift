internal import BrazeRules
internal import Contract
internal import JSON
internal import PropertyLists
internal import Suites

/// Converts a property list as the guide stores it to records and defaults of a suite.
struct SuiteImport {
    let suite: Suite
    let limits: RecordLimits
    /// The time of the records, as the guide stores none.
    let time: Int64
    /// The file's name in dead letters and diagnostics.
    let file: String

    private var saved: [RecordKind: Int64] = [:]
    private var defaults: Int64 = 0
    private var deadLetters: Int64 = 0
    private var diagnostics = DiagnosticList()

    init(suite: Suite, limits: RecordLimits, time: Int64, file: String) {
        self.suite = suite
        self.limits = limits
        self.time = time
        self.file = file
    }

    /// The result for the reply.
    var json: JSON {
        [
            "imported": .object(JSON.Object(RecordKind.allCases.map { ($0.word, .integer(saved[$0] ?? 0)) })),
            "defaults": .integer(defaults), "deadLetters": .integer(deadLetters), "diagnostics": diagnostics.json,
        ]
    }

    /// The progress of the import.
    private(set) var progress = JobProgress()
    /// The lists of records that are not imported yet, the next one last; the defaults follow.
    private var lists: [(kind: RecordKind, elements: [PropertyListValue], isArray: Bool)] = []
    private var defaultMembers: [PropertyListValue.Member] = []
    /// The index of the next element in the last list, or of the next default.
    private var index = 0
    /// The members of an element of which each becomes a record, the next one last.
    private var attributes: (place: String, members: [PropertyListValue.Member])?
    /// The records and defaults for the next transaction of the suite.
    var batch = ImportBatch()

    /// Whether everything in the file was converted.
    var isDone: Bool { lists.isEmpty && attributes == nil && defaultMembers.isEmpty }

    /// Sets the content of the file, which ``fillBatch(while:)`` converts.
    mutating func open(_ root: PropertyListValue) throws(PropertyListContentError) {
        guard !root.isArchive else { throw PropertyListContentError("it is an archive made by NSKeyedArchiver") }
        guard case .dictionary(let members) = root else {
            throw PropertyListContentError("it is \(root.typeName) and not a dictionary")
        }
        // The guide flushes the kinds in the order of `RecordKind.allCases`; the last list is converted first.
        for kind in RecordKind.allCases.reversed() {
            for member in members.reversed() where member.key == kind.storageKey {
                if case .array(let elements) = member.value {
                    if !elements.isEmpty { lists.append((kind, elements, true)) }
                } else {
                    lists.append((kind, [member.value], false))
                }
            }
        }
        defaultMembers = members.filter { RecordKind(storageKey: $0.key) == nil }
        progress.total = Int64(lists.reduce(defaultMembers.count) { $0 + $1.elements.count })
    }

    /// Converts elements until the file ends, the batch is full, or the slice is over.
    mutating func fillBatch(while mayContinue: () -> Bool) {
        while !isDone, !batch.isFull {
            convertNext()
            guard mayContinue() else { return }
        }
    }

    private mutating func convertNext() {
        if let place = attributes?.place, let member = attributes?.members.popLast() {
            let original = PropertyListValue.dictionary([member]).binary
            addRecord(.customAttribute, at: "\(place)/\(member.key)", original) {
                time throws(PropertyListContentError) in
                try GuideRecords.attribute(member, time: time)
            }
            if attributes?.members.isEmpty == true { attributes = nil }
        } else if let last = lists.indices.last {
            var element = PropertyListValue.bool(false)
            // Each element is freed once it is converted, as freeing all of a large file at once would take long.
            swap(&element, &lists[last].elements[index])
            let kind = lists[last].kind
            if lists[last].isArray {
                convert(element, kind, at: "\(kind.storageKey)/\(index)")
            } else {
                addDeadLetter(
                    element.binary,
                    kind: kind,
                    at: kind.storageKey,
                    "it is \(element.typeName) and not an array"
                )
            }
            index += 1
            progress.done += 1
            guard index == lists[last].elements.count else { return }
            lists.removeLast()
            index = 0
        } else {
            addDefault(defaultMembers[index])
            index += 1
            progress.done += 1
            if index == defaultMembers.count { defaultMembers = [] }
        }
    }

    // MARK: Records

    private mutating func convert(_ element: PropertyListValue, _ kind: RecordKind, at place: String) {
        switch kind {
        case .customEvent: convertEvent(element, at: place)
        case .customAttribute: convertAttributes(element, at: place)
        case .userAttribute: convertUserAttribute(element, at: place)
        }
    }

    private mutating func convertEvent(_ element: PropertyListValue, at place: String) {
        addRecord(.customEvent, at: place, element.binary) { time throws(PropertyListContentError) in
            try GuideRecords.event(element, time: time)
        }
    }

    private mutating func convertAttributes(_ element: PropertyListValue, at place: String) {
        guard case .dictionary(let members) = element else {
            return addDeadLetter(
                element.binary,
                kind: .customAttribute,
                at: place,
                GuideRecords.notDictionary(element).text
            )
        }
        if case .string = element["event_name"] {
            let text = "\(place) is an event, as the guide's Objective-C stores events; imported as one"
            diagnostics.add(Diagnostic("misfiledEvent", text))
            return convertEvent(element, at: place)
        }
        if !members.isEmpty { attributes = (place, members.reversed()) }
    }

    private mutating func convertUserAttribute(_ element: PropertyListValue, at place: String) {
        guard case .data(let bytes) = element else {
            let text = "it is \(element.typeName) and not the data of a user attribute"
            return addDeadLetter(element.binary, kind: .userAttribute, at: place, text)
        }
        let attribute: GuideUserAttribute
        do throws(PropertyListContentError) {
            guard let read = try GuideUserAttribute.read(bytes) else {
                let text = "\(place) has no value, and the guide's reader skips it; it is left out"
                return diagnostics.add(Diagnostic("leftOut", text))
            }
            attribute = read
        } catch {
            return addDeadLetter(bytes, kind: .userAttribute, at: place, error.text)
        }
        addRecord(.userAttribute, at: place, bytes) { time throws(PropertyListContentError) in
            try GuideRecords.userAttribute(attribute, time: time)
        }
    }

    /// Adds a record to the batch, or a dead letter if the record is invalid or cannot be made.
    private mutating func addRecord(
        _ kind: RecordKind,
        at place: String,
        _ original: @autoclosure () -> [UInt8],
        _ make: (Int64) throws(PropertyListContentError) -> RecordContent
    ) {
        let record: RecordContent
        do throws(PropertyListContentError) {
            record = try make(time)
        } catch {
            return addDeadLetter(original(), kind: kind, at: place, error.text)
        }
        do throws(RecordError) {
            try limits.check(record)
        } catch {
            return addDeadLetter(record, at: place, "\(error.text) (\(error.place.parameter)\(error.place.pointer))")
        }
        let row = StagedRow(record)
        guard row.valueSize <= suite.limits.valueBytes else {
            let text = "a value has at most \(suite.limits.valueBytes) bytes, this one \(row.valueSize)"
            return addDeadLetter(record, at: place, text)
        }
        batch.add(row)
        saved[kind, default: 0] += 1
    }

    // MARK: Dead letters

    private mutating func addDeadLetter(_ record: RecordContent, at place: String, _ text: String) {
        batch.add(StagedRow(record, reason: reason(text, at: place), at: time))
    }

    /// Adds unreadable bytes as a dead letter; the place is nil if they are the whole file.
    mutating func addDeadLetter(_ bytes: [UInt8], kind: RecordKind?, at place: String?, _ text: String) {
        batch.add(StagedRow(bytes, kind: kind, reason: reason(text, at: place), at: time))
    }

    private mutating func reason(_ text: String, at place: String?) -> String {
        let reason = "imported from \(file)\(place.map { ", \($0)" } ?? ""): \(text)"
        deadLetters += 1
        diagnostics.add(Diagnostic("deadLetter", reason))
        return reason
    }

    // MARK: Defaults

    private mutating func addDefault(_ member: PropertyListValue.Member) {
        guard !member.key.isEmpty, !member.key.utf8.contains(0) else {
            return diagnostics.add(
                Diagnostic("leftOut", "a key that is empty or holds U+0000 is left out with its value")
            )
        }
        var diagnostics = diagnostics
        let value: JSON?
        do throws(PropertyListContentError) {
            value = try member.value.json { foreign throws(PropertyListContentError) in
                GuideRecords.defaultJSON(foreign, key: member.key, &diagnostics)
            }
        } catch {
            diagnostics.add(Diagnostic("leftOut", "\(member.key) is left out: \(error.text)"))
            value = nil
        }
        self.diagnostics = diagnostics
        guard let value else { return }
        batch.add(StagedDefault(key: member.key, value: value), size: member.key.utf8.count + value.bytes.count)
        defaults += 1
    }
}

extension RecordLimits {
    /// Checks a record as the method that saves it would.
    func check(_ record: RecordContent) throws(RecordError) {
        switch record.kind {
        case .customEvent: try checkEvent(name: record.name, properties: record.value?.object)
        case .customAttribute: try checkAttribute(key: record.name, value: record.value ?? .null)
        case .userAttribute: try checkField(record.name, value: record.value ?? .null)
        }
    }
}

extension PropertyListValue {
    /// The value as a binary property list.
    fileprivate var binary: [UInt8] { BinaryPropertyListWriter.write(self) }
}
