internal import BrazeRules
internal import Contract
internal import Foundation
internal import JSON
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
            guard case .date(let seconds) = foreign.value, let text = PropertyListValue.text(ofDate: seconds) else {
                let name = foreign.path.isEmpty ? "its value" : String(foreign.path.dropFirst())
                throw PropertyListContentError("\(name) is \(foreign.value.foreignName), which Braze does not take")
            }
            // Within an attribute's object, Braze treats a plain string as a string, not as a date.
            return isAttribute && foreign.isMember ? ["$time": .string(text)] : .string(text)
        }
        return json ?? .null
    }

    /// The JSON in which a default stores a value of a type that JSON lacks; nil if the value is left out.
    static func defaultJSON(
        _ foreign: PropertyListValue.Foreign,
        key: String,
        _ diagnostics: inout DiagnosticList
    ) -> JSON? {
        let place = key + foreign.path
        switch foreign.value {
        case .date(let seconds):
            guard let text = PropertyListValue.text(ofDate: seconds) else { break }
            diagnostics.add(Diagnostic("storedAsText", "\(place) is a date; it is kept as the text \(text)"))
            return .string(text)
        case .data(let bytes):
            diagnostics.add(
                Diagnostic("storedAsText", "\(place) is \(bytes.count) bytes of data; they are kept in base64")
            )
            return .string(Data(bytes).base64EncodedString())
        default: break
        }
        diagnostics.add(Diagnostic("leftOut", "\(place) is left out: it is \(foreign.value.foreignName)"))
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
