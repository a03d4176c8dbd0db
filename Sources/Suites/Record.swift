public import JSON

/// The kind of a record; the raw values are stored in the file.
public enum RecordKind: Int, CaseIterable, Sendable {
    /// A custom event with its name and properties.
    case customEvent = 0
    /// A custom attribute with its key and value.
    case customAttribute = 1
    /// A standard field of the user's profile with its value.
    case userAttribute = 2

    /// The name of the kind on the wire.
    public var word: String {
        switch self {
        case .customEvent: "customEvent"
        case .customAttribute: "customAttribute"
        case .userAttribute: "userAttribute"
        }
    }

    /// The key under which Braze's guide stores records of this kind in its app group example.
    public var storageKey: String {
        switch self {
        case .customEvent: "pending_custom_events"
        case .customAttribute: "pending_custom_attributes"
        case .userAttribute: "pending_user_attributes"
        }
    }

    /// The kind with that name on the wire.
    public init?(word: String) {
        guard let kind = RecordKind.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }

    /// The kind with that ``storageKey``.
    public init?(storageKey: String) {
        guard let kind = RecordKind.allCases.first(where: { $0.storageKey == storageKey }) else { return nil }
        self = kind
    }
}

/// The content of a record: everything except its id and state.
public struct RecordContent: Sendable {
    /// The kind of the record.
    public let kind: RecordKind
    /// The event's name, the attribute's key or the profile's field; never with U+0000.
    public let name: String
    /// The event's properties if it has any, or the value.
    public let value: JSON?
    /// The time of capture in milliseconds since 1970.
    public let time: Int64
    /// The user, if known at capture.
    public var user: JSON?

    /// Creates the content of a record.
    public init(kind: RecordKind, name: String, value: JSON?, time: Int64, user: JSON?) {
        self.kind = kind
        self.name = name
        self.value = value
        self.time = time
        self.user = user
    }
}

/// A pending record.
public struct Record: Sendable {
    /// Its id in the suite; ids increase and are never reused.
    public let id: Int64
    /// The content.
    public let content: RecordContent
    /// Whether a caller holds it under a lease.
    public let isLeased: Bool
    /// How often it may have been sent without a definite answer.
    public let timesUncertain: Int64
    /// Its size, as it counts towards the suite's limit.
    public let bytes: Int64

    /// The record in the flat form that Braze's guide stores.
    ///
    /// The event's name is the member `event_name`, and no property can overwrite it.
    public var flat: JSON {
        guard content.kind == .customEvent else {
            return [content.name: content.value ?? .null]
        }
        var members = [("event_name", JSON.string(content.name))]
        if let properties = content.value?.object {
            members += properties.filter { $0.name != "event_name" }.map { ($0.name, $0.value) }
        }
        return .object(JSON.Object(members))
    }
}
