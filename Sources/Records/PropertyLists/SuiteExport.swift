internal import Calls
internal import Contract
internal import Delivery
internal import JSON
internal import JSONRPC
internal import PropertyLists
internal import Suites

/// Converts a suite to a property list as Braze's guide for push extensions ("the guide") stores it in an App Group.
struct SuiteExport {
    /// The formats of a property list.
    enum Format: String, CaseIterable {
        case xml
        case binary
    }

    let suite: Suite
    let format: Format

    private var exported: [RecordKind: Int64] = [:]
    private var defaults: Int64 = 0
    private var diagnostics = DiagnosticList()

    /// An export, with a diagnostic that its reply has first.
    init(suite: Suite, format: Format, _ diagnostic: Diagnostic? = nil) {
        self.suite = suite
        self.format = format
        if let diagnostic { diagnostics.add(diagnostic) }
    }

    /// The result for the reply.
    func json(bytes: Int) -> JSON {
        [
            "exported": .object(JSON.Object(RecordKind.allCases.map { ($0.word, .integer(exported[$0] ?? 0)) })),
            "defaults": .integer(defaults), "bytes": JSON(bytes), "diagnostics": diagnostics.json,
        ]
    }

    /// The progress of the export.
    private(set) var progress = JobProgress()
    private var stage = Stage.notBegun
    private var xml = XMLPropertyListWriter()
    private var binary = BinaryPropertyListWriter()
    /// The kinds that are not written yet, the next one last; the defaults follow.
    private var kinds = Array(RecordKind.allCases.reversed())
    private var lastID: Int64 = 0
    private var lastKey: String?
    private var isListOpen = false

    private enum Stage {
        case notBegun
        case reading(SuiteSnapshot)
        /// Everything is written to the property list; its bytes are not yet returned.
        case written
    }

    /// Checks that the records do not exceed the limit, without reading them.
    func checkSize(limit: Int64) throws(SuiteError) {
        try suite.pending.checkFlatSize(RecordKind.allCases, byteLimit: limit)
    }

    /// Continues the export; nothing is deleted from the suite.
    ///
    /// - Returns: The bytes of the file; nil while it is incomplete.
    /// - Throws: ``SuiteError/tooLarge(bytes:)`` if the file exceeds the limit.
    mutating func advance(limit: Int, while mayContinue: () -> Bool) throws(SuiteError) -> [UInt8]? {
        if case .notBegun = stage { try begin() }
        while case .reading(let snapshot) = stage {
            if let kind = kinds.last {
                try addPage(of: kind, snapshot)
            } else {
                try addDefaults(snapshot)
            }
            guard size <= limit else { throw .tooLarge(bytes: Int64(limit)) }
            guard mayContinue() else { return nil }
        }
        let bytes = format == .xml ? xml.finish() : binary.finish(while: mayContinue)
        guard bytes?.count ?? 0 <= limit else { throw .tooLarge(bytes: Int64(limit)) }
        return bytes
    }

    private mutating func begin() throws(SuiteError) {
        guard let snapshot = try SuiteSnapshot(suite) else {
            stage = .written
            return
        }
        stage = .reading(snapshot)
        var total: Int64 = 0
        for kind in kinds { total += try snapshot.total(kind) }
        for row in try snapshot.recordsOfUnknownKind(limit: 100) { diagnostics.add(row.diagnostic) }
        progress.total = total
    }

    private mutating func addPage(of kind: RecordKind, _ snapshot: SuiteSnapshot) throws(SuiteError) {
        let records = try snapshot.records(
            kind,
            after: lastID,
            limit: 100,
            damaged: { row in
                diagnostics.add(row.diagnostic)
                lastID = row.id
            }
        )
        for record in records {
            lastID = max(lastID, record.id)
            progress.done += 1
            guard let element = element(record) else { continue }
            if !isListOpen { beginList(kind.storageKey) }
            isListOpen = true
            exported[kind, default: 0] += 1
            addElement(element)
        }
        guard records.isEmpty else { return }
        if isListOpen { endList() }
        (isListOpen, lastID) = (false, 0)
        kinds.removeLast()
    }

    private mutating func addDefaults(_ snapshot: SuiteSnapshot) throws(SuiteError) {
        let pairs = try snapshot.defaults(after: lastKey, limit: 50)
        for (key, value) in pairs {
            lastKey = key
            guard let value = convert(value, key), checkWritable(.string(key), key) else { continue }
            addMember(key, value)
            defaults += 1
        }
        guard pairs.isEmpty else { return }
        // An open snapshot prevents the checkpoint of SQLite's write-ahead log.
        stage = .written
    }

    // MARK: Format

    private var size: Int { format == .xml ? xml.size : binary.size }

    private mutating func beginList(_ key: String) {
        if format == .xml { xml.beginList(key) } else { binary.beginList(key) }
    }

    private mutating func addElement(_ value: PropertyListValue) {
        if format == .xml { xml.addElement(value) } else { binary.addElement(value) }
    }

    private mutating func endList() { if format == .xml { xml.endList() } else { binary.endList() } }

    private mutating func addMember(_ key: String, _ value: PropertyListValue) {
        if format == .xml { xml.addMember(key, value) } else { binary.addMember(key, value) }
    }

    // MARK: Values

    /// A record in the guide's form; nil if a property list cannot represent it.
    private mutating func element(_ record: Record) -> PropertyListValue? {
        let place = "the record \(record.id)"
        switch record.content.kind {
        case .customEvent: return flat(record, place)
        case .customAttribute, .userAttribute:
            guard let value = record.content.value, !value.isNull else {
                let text =
                    "\(place) unsets \(record.content.name), which the guide's form cannot represent; it is left out"
                diagnostics.add(Diagnostic("leftOut", text))
                return nil
            }
            guard record.content.kind == .userAttribute else { return flat(record, place) }
            return withoutNulls(value, place).map { GuideUserAttribute.data(field: record.content.name, value: $0) }
        }
    }

    /// An event or a custom attribute in the guide's form, with dates as dates.
    private mutating func flat(_ record: Record, _ place: String) -> PropertyListValue? {
        guard case .dictionary(let members) = convert(record.content.flat, place) else { return nil }
        let isAttribute = record.content.kind == .customAttribute
        return .dictionary(
            members.map { member in
                member.key == "event_name"
                    ? member : .init(member.key, member.value.restoringDates(isAttribute: isAttribute))
            }
        )
    }

    private mutating func convert(_ json: JSON, _ place: String) -> PropertyListValue? {
        guard let value = withoutNulls(json, place), checkWritable(value, place) else { return nil }
        return value
    }

    private mutating func withoutNulls(_ json: JSON, _ place: String) -> PropertyListValue? {
        var paths: [String] = []
        let value = PropertyListValue(json) { paths.append($0) }
        for path in paths {
            let text = "\(place)\(path) is null, which a property list cannot represent; it is left out"
            diagnostics.add(Diagnostic("leftOut", text))
        }
        return value
    }

    /// Checks that the format can hold a value; if it cannot, a diagnostic says that the value is left out.
    private mutating func checkWritable(_ value: PropertyListValue, _ place: String) -> Bool {
        guard format == .xml, !value.fitsXML else { return true }
        let text = "\(place) has a character that XML cannot hold; it is left out; the format binary can hold it"
        diagnostics.add(Diagnostic("leftOut", text))
        return false
    }
}

/// Exports a suite as a property list, slice by slice; the file is written beside the event loop.
final class ExportJob: Job {
    private var export: SuiteExport
    private let target: ClientFile
    private let disk: DiskWork
    /// Makes the error for a file that cannot be written.
    private let failure: (ClientFile.Failure) -> RPCError
    private let tooLarge: RPCError
    private var isCancelled = false

    var progress: JobProgress { export.progress }

    /// An export into a file.
    init(
        _ export: SuiteExport,
        into target: ClientFile,
        _ disk: DiskWork,
        tooLarge: RPCError,
        failure: @escaping (ClientFile.Failure) -> RPCError
    ) {
        self.export = export
        self.target = target
        self.disk = disk
        self.tooLarge = tooLarge
        self.failure = failure
    }

    func cancel() { isCancelled = true }

    func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        let bytes: [UInt8]?
        do throws(SuiteError) {
            bytes = try export.advance(limit: ClientFile.limit) { slice.mayContinue }
        } catch {
            guard case .tooLarge = error else { throw error }
            throw tooLarge
        }
        guard let bytes else { return nil }
        let result = export.json(bytes: bytes.count)
        return .later { [disk, target, failure] completion in
            disk.run {
                Result { () throws(ClientFile.Failure) in try target.replace(with: bytes) }
            } completion: { written in
                completion(written.map { result }.mapError { failure($0) })
            }
        }
    }
}
