public import Foundation
import JSON
import PhoneRuntime
import Synchronization

/// The defaults of an App Group or of the extension, as Foundation's class of that name: here, a suite of the host.
///
/// A typealias in the extension's module puts it in place of Foundation's class. Each call asks the host, so what is
/// read is what the app and the other extensions of the group would see. Dates and data come back as they went in.
///
/// A list of Braze's guide is a list of records: the host saves what was appended to it, and refuses another list, which
/// is reported as a diagnostic.
open class UserDefaults: NSObject, @unchecked Sendable {
    /// The name of the suite that stands for ``standard``.
    private static let standardName = "standard"

    /// The posted name when a value changed.
    public static let didChangeNotification = NSNotification.Name("NSUserDefaultsDidChangeNotification")

    /// The defaults of the extension itself.
    public static let standard = UserDefaults(suite: standardName)

    private let suite: String
    private let lock = NSLock()
    private var registered: [String: Any] = [:]

    private init(suite: String) { self.suite = suite }

    /// The defaults of the extension itself.
    public override convenience init() { self.init(suite: Self.standardName) }

    /// The defaults of an App Group; without a name those of the extension itself.
    public init?(suiteName: String?) { suite = suiteName ?? Self.standardName }

    // MARK: Reading

    /// The value of a key.
    open func object(forKey defaultName: String) -> Any? {
        let value = SuiteStore.retrieve(defaultName, suite)?.foundationValue
        // The host returns the fields of these records; the guide's code has encoded each.
        if defaultName == Self.userAttributesKey, let fields = value as? [Any] { return fields.map(Self.encoded) }
        return value ?? lock.withLock { registered[defaultName] }
    }

    private static let userAttributesKey = "pending_user_attributes"

    private static func encoded(_ field: Any) -> Any {
        guard let members = field as? [String: Any] else { return field }
        let list = members.filter { !($0.value is NSNull) }
        return (try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)) ?? field
    }

    /// The value of a key.
    open func value(forKey key: String) -> Any? { object(forKey: key) }

    /// The text of a key; a number is written as one.
    open func string(forKey defaultName: String) -> String? {
        switch object(forKey: defaultName) {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    /// The list of a key.
    open func array(forKey defaultName: String) -> [Any]? { object(forKey: defaultName) as? [Any] }

    /// The dictionary of a key.
    open func dictionary(forKey defaultName: String) -> [String: Any]? { object(forKey: defaultName) as? [String: Any] }

    /// The data of a key.
    open func data(forKey defaultName: String) -> Data? { object(forKey: defaultName) as? Data }

    /// The list of texts of a key.
    open func stringArray(forKey defaultName: String) -> [String]? { object(forKey: defaultName) as? [String] }

    /// The integer of a key, or 0.
    open func integer(forKey defaultName: String) -> Int { number(defaultName)?.intValue ?? 0 }

    /// The number of a key, or 0.
    open func float(forKey defaultName: String) -> Float { number(defaultName)?.floatValue ?? 0 }

    /// The number of a key, or 0.
    open func double(forKey defaultName: String) -> Double { number(defaultName)?.doubleValue ?? 0 }

    /// Whether the value of a key is true, YES, or a number other than 0.
    open func bool(forKey defaultName: String) -> Bool {
        switch object(forKey: defaultName) {
        case let number as NSNumber: number.boolValue
        case let text as String: NSString(string: text).boolValue
        default: false
        }
    }

    /// The URL of a key.
    open func url(forKey defaultName: String) -> URL? {
        switch object(forKey: defaultName) {
        case let url as URL: url
        case let text as String: text.hasPrefix("/") ? URL(fileURLWithPath: text) : URL(string: text)
        default: nil
        }
    }

    private func number(_ key: String) -> NSNumber? {
        switch object(forKey: key) {
        case let number as NSNumber: number
        case let text as String: Double(text).map { NSNumber(value: $0) }
        default: nil
        }
    }

    // MARK: Writing

    /// Sets the value of a key; nil removes it.
    open func set(_ value: Any?, forKey defaultName: String) {
        guard let value else { return removeObject(forKey: defaultName) }
        guard let json = JSON(foundation: value) else {
            fatalError("Attempt to insert non-property list object \(value) for key \(defaultName)")
        }
        SuiteStore.store(json, defaultName, suite)
        NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
    }

    /// Sets the value of a key; nil removes it.
    open func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }

    /// Sets an integer.
    open func set(_ value: Int, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    /// Sets a number.
    open func set(_ value: Float, forKey defaultName: String) { set(Double(value) as Any?, forKey: defaultName) }

    /// Sets a number.
    open func set(_ value: Double, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    /// Sets a boolean.
    open func set(_ value: Bool, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    /// Sets a URL.
    open func set(_ url: URL?, forKey defaultName: String) { set(url?.absoluteString as Any?, forKey: defaultName) }

    /// Removes a key and its value; of a key of the guide, all records of the kind.
    open func removeObject(forKey defaultName: String) {
        SuiteStore.remove(defaultName, suite)
        NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
    }

    /// Sets the values of keys that have none.
    open func register(defaults registrationDictionary: [String: Any]) {
        lock.withLock { registered.merge(registrationDictionary) { $1 } }
    }

    /// Nothing waits to be written: returns true.
    @discardableResult
    open func synchronize() -> Bool { true }

    /// Removes the values that a process without a host keeps of that suite.
    open func removePersistentDomain(forName domainName: String) {
        for key in CurrentPresentation.localKeys(prefix: domainName + "/") {
            CurrentPresentation.setLocalValue(nil, key)
        }
    }
}

/// The values of suites: on the host, or in this process if there is no presentation that may use them.
enum SuiteStore {
    private static let hasWarned = Atomic(false)

    static func retrieve(_ key: String, _ suite: String) -> JSON? {
        let value = request("retrieve", key, suite)?["value"] ?? CurrentPresentation.localValue("\(suite)/\(key)")
        return value?.isNull == true ? nil : value
    }

    static func store(_ value: JSON, _ key: String, _ suite: String) {
        if request("store", key, suite, ("value", value)) == nil {
            CurrentPresentation.setLocalValue(value, "\(suite)/\(key)")
        }
    }

    static func remove(_ key: String, _ suite: String) {
        if request("removeObject", key, suite) == nil { CurrentPresentation.setLocalValue(nil, "\(suite)/\(key)") }
    }

    /// Asks the host; nil if there is none that would answer, or if it refuses, which is reported.
    private static func request(_ method: String, _ key: String, _ suite: String, _ value: (String, JSON?)...) -> JSON?
    {
        guard let link = HostLink.current else { return nil }
        guard let notification = CurrentPresentation.notification else {
            if hasWarned.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged {
                let text = "a service extension may not use suites, so UserDefaults \(suite) stays in its process"
                link.log("warning", text)
            }
            return nil
        }
        do {
            return try link.request(
                method,
                [("suite", .string(suite)), ("key", .string(key))] + value
                    + [("notification", .string(notification))]
            )
        } catch {
            CurrentPresentation.addDiagnostic(reason: error.reason, "UserDefaults, suite \(suite): \(error.message)")
            return nil
        }
    }
}
