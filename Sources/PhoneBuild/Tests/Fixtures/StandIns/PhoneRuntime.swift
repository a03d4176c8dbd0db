// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Has of a module of PhoneKit just what the tests need.

@_exported import Foundation
@_exported import FoundationNetworking

public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String
    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { name = value }
}

/// Keeps what is registered, and calls it.
@preconcurrency @MainActor
public enum PhoneObject {
    public typealias Outlet = @MainActor (AnyObject, Any?) -> Bool
    public typealias Action = @MainActor (AnyObject, [Any?]) -> Void

    private static var outlets: [ObjectIdentifier: [String: Outlet]] = [:]
    private static var actions: [ObjectIdentifier: [String: Action]] = [:]
    public private(set) static var registered: [String] = []

    public static func register(
        _ type: AnyObject.Type,
        outlets: [String: Outlet] = [:],
        actions: [String: Action] = [:]
    ) {
        registered.append("\(type) \((outlets.keys.sorted() + actions.keys.sorted()).joined(separator: " "))")
        self.outlets[ObjectIdentifier(type), default: [:]].merge(outlets) { $1 }
        self.actions[ObjectIdentifier(type), default: [:]].merge(actions) { $1 }
    }

    public static func register<Object: AnyObject>(
        _ type: Object.Type,
        frame make: @escaping @MainActor (CGRect) -> Object
    ) { registered.append("\(type) init(frame:)") }

    public static func register<Object: AnyObject, Style>(
        _ type: Object.Type,
        style make: @escaping @MainActor (Style, String?) -> Object
    ) { registered.append("\(type) init(style:reuseIdentifier:)") }

    public static func register<Object: AnyObject>(
        _ type: Object.Type,
        reuseIdentifier make: @escaping @MainActor (String?) -> Object
    ) { registered.append("\(type) init(reuseIdentifier:)") }

    public static func register<Object: AnyObject>(
        _ type: Object.Type,
        plain make: @escaping @MainActor () -> Object
    ) { registered.append("\(type) init()") }

    public static func register<Object: AnyObject>(
        _ type: Object.Type,
        nib make: @escaping @MainActor (String?, Bundle?) -> Object
    ) {}

    public static func register(_ type: AnyObject.Type, values: [String: (AnyObject) -> Any?]) {
        registered.append("\(type) values \(values.keys.sorted().joined(separator: " "))")
    }

    public static func register(_ type: AnyObject.Type, property: String, dependsOn names: Set<String>) {
        registered.append("\(type) \(property) of \(names.sorted().joined(separator: " "))")
    }

    public private(set) nonisolated(unsafe) static var changes: [String] = []
    public nonisolated static func didChange(_ object: AnyObject, _ name: String) { changes.append(name) }
    public nonisolated static func named<Root, Value>(
        _ keyPath: KeyPath<Root, Value>,
        _ name: String
    ) -> KeyPath<Root, Value> { keyPath }
    public nonisolated static func formatArgument(_ value: Any) -> any CVarArg { "\(value)" }

    public static func setOutlet(_ name: String, of object: AnyObject, to value: Any?) -> Bool {
        find(object, outlets, name).map { $0(object, value) } ?? false
    }

    public static func perform(_ selector: Selector, on object: AnyObject, with arguments: [Any?] = []) -> Bool {
        guard let action = find(object, actions, selector.name) else { return false }
        action(object, arguments)
        return true
    }

    private static func find<Value>(_ object: AnyObject, _ table: [ObjectIdentifier: [String: Value]], _ name: String)
        -> Value?
    {
        var type: AnyClass? = Swift.type(of: object)
        while let current = type {
            if let found = table[ObjectIdentifier(current)]?[name] { return found }
            type = _getSuperclass(current)
        }
        return nil
    }
}

public enum NSKeyValueChangeKey: Hashable {
    case newKey
}

public final class NSKeyValueObservation {}

extension NSObjectProtocol where Self: NSObject {
    public func observe<Value>(_ keyPath: KeyPath<Self, Value>, _ handler: @escaping (Self) -> Void)
        -> NSKeyValueObservation
    { NSKeyValueObservation() }
    public func observeValue(
        forKeyPath keyPath: String?,
        of object: Any?,
        change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {}
}

/// Stands before Foundation's `UserDefaults`.
public final class StandInDefaults: Sendable {
    public static let standard = StandInDefaults()
    public init() {}
    public init?(suiteName: String?) {}
    public func object(forKey key: String) -> Any? { nil }
    public func set(_ value: Any?, forKey key: String) {}
    public func integer(forKey key: String) -> Int { key.count }
}
