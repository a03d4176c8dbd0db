public import Foundation

/// An object of PhoneKit whose properties have names for key-value coding.
package protocol KeyValueCoded: AnyObject {
    /// The value of a property; nil if the name is not known.
    func codedValue(_ name: String) -> Any?
}

extension PhoneObject {
    /// Registers how properties of a class are read by their names.
    public static func register(_ type: AnyObject.Type, values: [String: (AnyObject) -> Any?]) {
        register(type)
        KeyValueCoding.entries[ObjectIdentifier(type), default: .init()].values.merge(values) { $1 }
    }

    /// Registers the properties on which another one depends, as `keyPathsForValuesAffectingName` names them.
    public static func register(_ type: AnyObject.Type, property: String, dependsOn names: Set<String>) {
        register(type)
        for name in names {
            KeyValueCoding.entries[ObjectIdentifier(type), default: .init()].dependents[name, default: []]
                .insert(property)
        }
    }
}

/// Reads and tells values by the names of their properties.
enum KeyValueCoding {
    struct Entry {
        var values: [String: (AnyObject) -> Any?] = [:]
        var dependents: [String: Set<String>] = [:]
    }

    /// Filled before the extension's code runs, and only read after that.
    fileprivate nonisolated(unsafe) static var entries: [ObjectIdentifier: Entry] = [:]

    private static func entries(of object: AnyObject) -> [Entry] {
        let types = sequence(first: Swift.type(of: object) as AnyClass) { _getSuperclass($0) }
        return types.compactMap { entries[ObjectIdentifier($0)] }
    }

    /// The value at a path of names.
    static func value(of object: Any?, _ path: Substring) -> Any? {
        guard let object, !path.isEmpty else { return object }
        let name = String(path.prefix { $0 != "." })
        let value: Any? =
            switch object {
            case let dictionary as NSDictionary: dictionary.object(forKey: name)
            case let dictionary as [AnyHashable: Any]: dictionary[name]
            default: value(of: object as AnyObject, named: name)
            }
        return self.value(of: value, path.dropFirst(name.count + 1))
    }

    private static func value(of object: AnyObject, named name: String) -> Any? {
        if let read = entries(of: object).lazy.compactMap({ $0.values[name] }).first { return read(object) }
        return (object as? any KeyValueCoded)?.codedValue(name)
    }

    /// The properties that change with another one.
    static func dependents(of object: AnyObject, _ name: String) -> [String] {
        entries(of: object).flatMap { ($0.dependents[name] ?? []).sorted() }
    }

    /// Tells an observer of a change, on the main thread.
    static func tell(_ observer: NSObject, _ arguments: [Any?]) {
        let box = UncheckedBox((observer, arguments))
        let call: @MainActor @Sendable () -> Void = {
            PhoneObject.perform("observeValueForKeyPath:of:change:context:", on: box.value.0, with: box.value.1)
        }
        if MainQueue.isCurrent { MainActor.assumeIsolated(call) } else { MainQueue.add(call) }
    }
}

extension NSObjectProtocol where Self: NSObject {
    /// The value of a property that Objective-C knows.
    public func value(forKey key: String) -> Any? { KeyValueCoding.value(of: self, key.prefix { $0 != "." }) }

    /// The value of a property of what a property holds.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueCoding.value(of: self, keyPath[...]) }

    /// Sets a property that Objective-C knows; another one is reported.
    @MainActor
    public func setValue(_ value: Any?, forKey key: String) {
        if let dictionary = self as? NSMutableDictionary {
            if let value { dictionary[key] = value } else { dictionary.removeObject(forKey: key) }
            return
        }
        guard !PhoneObject.setOutlet(key, of: self, to: value) else { return }
        let text = "\(type(of: self)) has no property \(key) here that can be set by its name, so it is left as it is"
        CurrentPresentation.addDiagnostic(reason: "unknownKey", text)
    }

    /// Sets a property of what a property holds.
    @MainActor
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        guard let point = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        let owner = KeyValueCoding.value(of: self, keyPath[..<point]) as? NSObject
        guard let owner else {
            let text = "\(type(of: self)) has nothing at \(keyPath[..<point]) whose property can be set by its name"
            return CurrentPresentation.addDiagnostic(reason: "unknownKey", text)
        }
        owner.setValue(value, forKey: String(keyPath[keyPath.index(after: point)...]))
    }
}

// MARK: - Associated objects

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public enum objc_AssociationPolicy: UInt, Sendable {
    case OBJC_ASSOCIATION_ASSIGN = 0
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    case OBJC_ASSOCIATION_RETAIN = 769
    case OBJC_ASSOCIATION_COPY = 771
}

private struct Associations {
    let object: WeakBox
    var values: [UnsafeRawPointer: Any] = [:]
}

private let associationsLock = NSLock()
private nonisolated(unsafe) var associations: [ObjectIdentifier: Associations] = [:]

/// The value that was set for the key.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    let object = object as AnyObject
    let value: Any? = associationsLock.withLock {
        guard let entry = associations[ObjectIdentifier(object)], entry.object.value === object else { return nil }
        return entry.values[key]
    }
    guard let weak = value as? WeakBox else { return value }
    return weak.value
}

/// Keeps a value for an object, until the object is gone and another one gets a value.
public func objc_setAssociatedObject(
    _ object: Any,
    _ key: UnsafeRawPointer,
    _ value: Any?,
    _ policy: objc_AssociationPolicy
) {
    let object = object as AnyObject
    let kept = policy == .OBJC_ASSOCIATION_ASSIGN ? value.map { WeakBox($0 as AnyObject) as Any } : value
    // What is no longer kept ends outside of the lock, because its end may set associations.
    var gone: [Any?] = []
    associationsLock.withLock {
        for (identifier, entry) in associations where entry.object.value == nil {
            gone.append(entry)
            associations[identifier] = nil
        }
        gone.append(associations[ObjectIdentifier(object)]?.values[key])
        associations[ObjectIdentifier(object), default: Associations(object: WeakBox(object))].values[key] = kept
    }
    withExtendedLifetime(gone) {}
}

/// Forgets all values of an object.
public func objc_removeAssociatedObjects(_ object: Any) {
    let object = object as AnyObject
    let gone = associationsLock.withLock { associations.removeValue(forKey: ObjectIdentifier(object)) }
    withExtendedLifetime(gone) {}
}
