import Foundation
import JSON
import PhoneRuntime

/// One of the three lists in which Braze's guide keeps what an extension wants to send.
///
/// The guide reads the list, appends to it and sets it again. The host keeps records instead, each of which is durable
/// and is never written twice. So setting a list saves the elements after those that the host has, and a list that
/// lacks or changes one of those is refused with a diagnostic.
enum GuideList: String {
    case events = "pending_custom_events"
    case customAttributes = "pending_custom_attributes"
    case userAttributes = "pending_user_attributes"

    private static let eventName = "event_name"

    init?(key: String) { self.init(rawValue: key) }

    // MARK: Reading

    /// The list as the guide's code has stored it; nil if it is empty.
    func read(_ suite: String) -> Any? {
        let elements = stored(suite)
        guard !elements.isEmpty else { return nil }
        guard self == .userAttributes else { return elements.map(\.foundationValue) }
        return elements.compactMap { element -> Data? in
            let members = element.object?.foundationDictionary.filter { !($0.value is NSNull) }
            return try? PropertyListSerialization.data(fromPropertyList: members ?? [:], format: .binary, options: 0)
        }
    }

    private func stored(_ suite: String) -> [JSON] {
        SuiteStore.retrieve(rawValue, suite)?.array.map(Array.init) ?? []
    }

    // MARK: Saving

    /// Saves what a list has more than the host, as records.
    func store(_ value: Any, _ suite: String) {
        guard let list = value as? [Any] else {
            return report("\(rawValue) takes a list, not \(type(of: value))")
        }
        guard let elements = records(list) else { return }
        let known = stored(suite).flatMap(flat)
        guard elements.starts(with: known, by: { $0.name == $1.name && $0.value == $1.value }) else {
            let text =
                "the new list lacks or changes elements that are stored already: read the list, append to it and set it, "
                + "or call removeObject(forKey:) to delete all"
            return report(text)
        }
        for record in elements.dropFirst(known.count) { save(record, suite) }
    }

    /// A record: an event with its properties, or an attribute with its value.
    private struct Element {
        let name: String
        let value: JSON
    }

    private func flat(_ element: JSON) -> [Element] {
        let members = element.object.map { $0.map { ($0.name, $0.value) } } ?? []
        guard self == .events else { return members.map { Element(name: $0.0, value: $0.1) } }
        let properties = members.filter { $0.0 != Self.eventName }
        let name = element[Self.eventName]?.string ?? ""
        return [Element(name: name, value: .object(JSON.Object(properties)))]
    }

    /// The records of a list; nil if one of its elements is none, which is reported.
    private func records(_ list: [Any]) -> [Element]? {
        var elements: [Element] = []
        for (index, item) in list.enumerated() {
            guard let members = members(item) else {
                report("the element \(index) is no \(self == .userAttributes ? "encoded attribute" : "dictionary")")
                return nil
            }
            guard self != .events || members[Self.eventName]?.string != nil else {
                report("the element \(index) has no \(Self.eventName)")
                return nil
            }
            elements += flat(members)
        }
        return elements
    }

    private func members(_ item: Any) -> JSON? {
        if self == .userAttributes {
            guard let data = item as? Data,
                let value = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
                let members = value as? [String: Any]
            else { return nil }
            // Swift's own coding of an enum wraps its value.
            let plain = members.mapValues { ($0 as? [String: Any])?["_0"] ?? $0 }
            return JSON(foundation: plain) { .string(Timestamp.text($0)) }
        }
        guard let members = item as? [String: Any] else { return nil }
        guard self == .customAttributes else { return JSON(foundation: members) { .string(Timestamp.text($0)) } }
        // Within an attribute's object Braze takes a text for a text, so a date is marked.
        return JSON(
            foundation: members.mapValues { value -> Any in (value as? Date).map { Timestamp.text($0) } ?? value }
        ) { ["$time": .string(Timestamp.text($0))] }
    }

    private func save(_ record: Element, _ suite: String) {
        switch self {
        case .events:
            let properties: JSON? = record.value.object?.isEmpty == true ? nil : record.value
            SuiteStore.save("saveCustomEvent", suite, [("name", .string(record.name)), ("properties", properties)])
        case .customAttributes:
            SuiteStore.save("saveCustomAttribute", suite, [("key", .string(record.name)), ("value", record.value)])
        case .userAttributes:
            SuiteStore.save("saveUserAttribute", suite, [("field", .string(record.name)), ("value", record.value)])
        }
    }

    private func report(_ message: String) {
        CurrentPresentation.addDiagnostic(reason: "pendingListRefused", "\(rawValue) is not stored: \(message)")
    }
}
