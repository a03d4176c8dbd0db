internal import BrazeRules
internal import Contract
internal import JSON
internal import Platform
internal import PropertyLists
internal import Suites

/// Reads records in the form in which the guide stores them in an App Group; converts values of types that JSON lacks.
enum GuideRecords {
    static func notDictionary(_ value: PropertyListValue) -> PropertyListContentError {
        PropertyListContentError("it is \(value.typeName) and not a dictionary")
    }

    /// Reads an event: a flat dictionary that contains the event's name among the properties.
    static func event(_ value: PropertyListValue, time: Int64) throws(PropertyListContentError) -> RecordContent {
        guard !value.isArchive else { throw PropertyListContentError("it is an archive made by NSKeyedArchiver") }
        guard case .dictionary(let members) = value else { throw notDictionary(value) }
        guard let name = value["event_name"] else { throw PropertyListContentError("it has no event_name") }
        guard case .string(let name) = name else {
            throw PropertyListContentError("its event_name is \(name.typeName) and not a string")
        }
        let properties = try json(.dictionary(members.filter { $0.key != "event_name" }), isAttribute: false)
        let hasProperties = properties.object?.isEmpty == false
        return try record(.customEvent, name, hasProperties ? properties : nil, time)
    }

    /// Reads a custom attribute: one member of a dictionary.
    static func attribute(_ member: PropertyListValue.Member, time: Int64) throws(PropertyListContentError)
        -> RecordContent
    {
        try record(.customAttribute, member.key, try json(member.value, isAttribute: true), time)
    }

    /// Reads a user attribute, which becomes one of the field that its name means.
    static func userAttribute(
        _ attribute: GuideUserAttribute,
        time: Int64
    ) throws(PropertyListContentError) -> RecordContent {
        let field = StandardField.meant(by: attribute.field)
        var value = try attribute.value.map { value throws(PropertyListContentError) in
            try json(value, isAttribute: false)
        }
        // Braze's field is a day. Another time of day is left to the check: the day depends on the phone's time zone.
        if field == .birthday, case .date = attribute.value, let text = value?.string, text.hasSuffix(Self.midnight) {
            value = .string(String(text.dropLast(Self.midnight.count)))
        }
        return try record(.userAttribute, field?.rawValue ?? attribute.field, value ?? .null, time)
    }

    /// Reads an element of a list that a peer stores as JSON; dates and data are marked as in stored values.
    ///
    /// - Returns: The record of an event, those of a dictionary's members, or none for an encoded attribute without value.
    static func records(
        _ element: JSON,
        _ kind: RecordKind,
        time: Int64
    ) throws(PropertyListContentError) -> [RecordContent] {
        guard let members = element.object else {
            throw PropertyListContentError("it is of type \(element.typeName) and not an object")
        }
        switch kind {
        case .customEvent: return [try event(members, time: time)]
        case .customAttribute:
            return try members.map { name, value throws(PropertyListContentError) in
                try record(.customAttribute, name, try json(value, isAttribute: true), time)
            }
        case .userAttribute:
            if case .data(let bytes) = PropertyListValue(marked: members) {
                guard let attribute = try GuideUserAttribute.read(bytes) else { return [] }
                return [try userAttribute(attribute, time: time)]
            }
            return try members.map { name, value throws(PropertyListContentError) in
                let attribute = GuideUserAttribute(field: name, value: PropertyListValue(value) { _ in })
                return try userAttribute(attribute, time: time)
            }
        }
    }

    private static func event(_ members: JSON.Object, time: Int64) throws(PropertyListContentError) -> RecordContent {
        guard let name = members["event_name"] else { throw PropertyListContentError("it has no event_name") }
        guard let name = name.string else {
            throw PropertyListContentError("its event_name is of type \(name.typeName) and not a string")
        }
        let properties = JSON.Object(members.lazy.filter { $0.name != "event_name" }.map { ($0.name, $0.value) })
        return try record(
            .customEvent,
            name,
            properties.isEmpty ? nil : try json(.object(properties), isAttribute: false),
            time
        )
    }

    private static let midnight = "T00:00:00.000Z"

    private static func record(
        _ kind: RecordKind,
        _ name: String,
        _ value: JSON?,
        _ time: Int64
    ) throws(PropertyListContentError) -> RecordContent {
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw PropertyListContentError("its name is empty or holds U+0000")
        }
        return RecordContent(kind: kind, name: name, value: value, time: time, user: nil)
    }

    /// The JSON of a record's value: dates are converted to Braze's forms, other types that JSON lacks are errors.
    private static func json(
        _ value: PropertyListValue,
        isAttribute: Bool
    ) throws(PropertyListContentError) -> JSON {
        let json = try value.json { foreign throws(PropertyListContentError) in
            try Self.json(foreign, isAttribute: isAttribute)
        }
        return json ?? .null
    }

    /// The JSON of a record's value in which dates are marked.
    private static func json(
        _ value: JSON,
        isAttribute: Bool,
        path: String = "",
        isMember: Bool = false
    ) throws(PropertyListContentError) -> JSON {
        switch value {
        case .null, .bool, .integer, .real, .string: return value
        case .array(let elements):
            return JSON(
                try elements.enumerated().map { index, element throws(PropertyListContentError) in
                    try json(element, isAttribute: isAttribute, path: "\(path)/\(index)")
                }
            )
        case .object(let members):
            if let value = PropertyListValue(marked: members) {
                let foreign = PropertyListValue.Foreign(value: value, path: path, isMember: isMember)
                return try json(foreign, isAttribute: isAttribute)
            }
            let converted = try members.map { name, member throws(PropertyListContentError) in
                (name, try json(member, isAttribute: isAttribute, path: "\(path)/\(name)", isMember: true))
            }
            return .object(JSON.Object(converted))
        }
    }

    private static func json(
        _ foreign: PropertyListValue.Foreign,
        isAttribute: Bool
    ) throws(PropertyListContentError) -> JSON {
        guard case .date(let seconds) = foreign.value, let text = PropertyListValue.text(ofDate: seconds) else {
            let name = foreign.path.isEmpty ? "its value" : String(foreign.path.dropFirst())
            throw PropertyListContentError("\(name) is \(foreign.value.foreignName), which Braze does not take")
        }
        // Within an attribute's object, Braze treats a plain string as a string, not as a date.
        return isAttribute && foreign.isMember ? ["$time": .string(text)] : .string(text)
    }

    /// The JSON in which a default stores a value of a type that JSON lacks; nil if the value is left out.
    static func defaultJSON(
        _ foreign: PropertyListValue.Foreign,
        key: String,
        _ diagnostics: inout DiagnosticList
    ) -> JSON? {
        if let json = foreign.value.markedJSON { return json }
        let text = "\(key)\(foreign.path) is left out: it is \(foreign.value.foreignName)"
        diagnostics.add(Diagnostic("leftOut", text))
        return nil
    }
}

extension PropertyListValue {
    /// The name of a type that JSON lacks.
    fileprivate var foreignName: String {
        switch self {
        case .unsigned: "an integer past 2^63-1"
        case .real: "a real that is not finite"
        case .date: "a date outside the years 0 to 9999"
        default: typeName
        }
    }
}

/// The guide's `UserAttribute`, a separate property list: in Swift `PropertyListEncoder` writes a dictionary of one member,
/// the field and its value, in Objective-C `NSKeyedArchiver` an object with `userField` and `attributeType`.
struct GuideUserAttribute: Equatable {
    /// The text that `PropertyListEncoder` and `NSKeyedArchiver` write for nil, as property lists have no null.
    private static let null = "$null"
    /// Lower than usual: an import may contain many user attributes, and each has only one field.
    private static let limits = PropertyListLimits(depth: 64, sharedValues: 64, bytes: 1 << 20)

    let field: String
    /// The value; nil if the field is unset, which only Objective-C can write.
    let value: PropertyListValue?

    /// Reads a user attribute from the bytes of its property list; nil if it is a Swift one without a value, which the
    /// guide's reader cannot decode, and skips.
    static func read(_ bytes: [UInt8]) throws(PropertyListContentError) -> GuideUserAttribute? {
        let root = try PropertyListValue(reading: bytes, limits: limits)
        guard !root.isArchive else { return try GuideUserAttribute(archive: root) }
        guard case .dictionary(let members) = root, members.count == 1 else {
            throw PropertyListContentError(
                "it is not a user attribute: it is \(root.typeName) and not a dictionary of one field"
            )
        }
        // Swift's own coding of an enum wraps its value.
        let value = members[0].value["_0"] ?? members[0].value
        guard value != .string(null) else { return nil }
        return GuideUserAttribute(field: members[0].key, value: value)
    }

    init(field: String, value: PropertyListValue?) { (self.field, self.value) = (field, value) }

    /// Reads an object of the guide's Objective-C class.
    private init(archive root: PropertyListValue) throws(PropertyListContentError) {
        func object(_ reference: PropertyListValue?) -> PropertyListValue? {
            guard let number = reference?.archiveReference, let objects = root["$objects"]?.elements,
                number < objects.count
            else { return nil }
            return objects[Int(number)]
        }
        guard let attribute = object(root["$top"]?["root"]), let type = attribute["attributeType"],
            let field = object(attribute["userField"])
        else {
            throw PropertyListContentError(
                "it is an archive made by NSKeyedArchiver, but not one of the guide's userField and attributeType"
            )
        }
        guard type == .integer(0) else {
            throw PropertyListContentError(
                "its attributeType is not 0, and the guide's Objective-C has no other than the e-mail address"
            )
        }
        self.init(field: "email", value: field == .string(Self.null) ? nil : field)
    }

    /// Encodes a user attribute in the default format of `PropertyListEncoder`.
    static func data(field: String, value: PropertyListValue) -> PropertyListValue {
        .data(BinaryPropertyListWriter.write(.dictionary([.init(field, value)])))
    }
}

extension PropertyListValue {
    /// The number of the archived object to which a value refers; XML has a dictionary for it.
    fileprivate var archiveReference: UInt64? {
        switch self {
        case .uid(let number): number
        case .dictionary: if case .integer(let number) = self["CF$UID"] { UInt64(exactly: number) } else { nil }
        default: nil
        }
    }
}

/// The diagnostics of a reply; only the first hundred of a large file are listed.
struct DiagnosticList {
    private static let limit = 100
    private var diagnostics: [Diagnostic] = []
    private var count = 0

    mutating func add(_ diagnostic: Diagnostic) {
        count += 1
        if count <= Self.limit { diagnostics.append(diagnostic) }
    }

    var json: JSON {
        let rest = count - diagnostics.count
        let last = rest > 0 ? [Diagnostic("moreDiagnostics", "there are \(rest) more, which are not listed")] : []
        return JSON((diagnostics + last).map(\.json))
    }
}
