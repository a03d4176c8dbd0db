public import Foundation

/// The name of a method, as `#selector` makes it on a phone: `tap:` for `tap(_:)`, `update` for `update()`.
///
/// The name is Objective-C's, as in storyboards: `tap:` for `tap(_:)`, `tapWithSender:` for `tap(sender:)`,
/// `move:by:` for `move(_:by:)`, and the name in `@objc(name:)` if there is one.
///
/// On Linux the compiler has no `#selector`. The rewriter turns `#selector(Type.method(_:))` into
/// `Selector("method:")`, and registers the method under that name with ``PhoneObject``.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, with a colon for each argument.
    package let name: String

    /// A selector of that name.
    public init(_ name: String) { self.name = name }

    /// A selector of that name.
    public init(stringLiteral value: String) { name = value }

    /// The number of arguments.
    package var argumentCount: Int { name.filter { $0 == ":" }.count }

    /// The name.
    public var description: String { name }
}

/// What Objective-C knows of a class and Swift on Linux does not: outlets and methods by name, and initializers that a
/// metatype cannot call.
///
/// The rewriter appends to a copy of each source file, for each class that has any of them, one static function that
/// calls ``register(_:outlets:actions:)`` and, for cells and views, ``register(_:frame:)`` and the like:
///
/// ```swift
/// extension NotificationViewController {
///     static func registerWithPhoneKit() {
///         PhoneObject.register(
///             NotificationViewController.self,
///             outlets: ["titleLabel": { PhoneObject.set(\NotificationViewController.titleLabel, of: $0, to: $1) }],
///             actions: [
///                 "likeTapped:": { object, arguments in
///                     guard let object = object as? NotificationViewController else { return }
///                     object.likeTapped(arguments[0] as! UIButton)
///                 }
///             ]
///         )
///     }
/// }
/// ```
///
/// An outlet that is a collection (`[UIButton]`) gets the whole list as its value. A class needs no entry for what its
/// superclass registered. The functions are the `registrations` of `PhoneMain.run`.
@preconcurrency @MainActor
public enum PhoneObject {
    /// Sets an outlet of an object; returns false if the object or the value has another type.
    public typealias Outlet = @MainActor (AnyObject, Any?) -> Bool
    /// Calls a method of an object with arguments, of which there are as many as the selector has colons.
    public typealias Action = @MainActor (AnyObject, [Any?]) -> Void

    private struct Entry {
        var outlets: [String: Outlet] = [:]
        var actions: [String: Action] = [:]
        var makers: [String: @MainActor (Any?) -> AnyObject?] = [:]
    }

    private static var entries: [ObjectIdentifier: Entry] = [:]
    private static var classes: [String: AnyObject.Type] = [:]

    // MARK: Registering

    /// Registers a class under its name, with its outlets and the methods that are called by name.
    ///
    /// - Parameters:
    ///   - type: The class. Storyboards find it under its name without the module.
    ///   - outlets: Setters by the name of the property.
    ///   - actions: Methods by the name of the selector, such as `tap:`.
    public static func register(
        _ type: AnyObject.Type,
        outlets: [String: Outlet] = [:],
        actions: [String: Action] = [:]
    ) {
        classes[String(describing: type)] = type
        entries[ObjectIdentifier(type), default: Entry()].outlets.merge(outlets) { $1 }
        entries[ObjectIdentifier(type), default: Entry()].actions.merge(actions) { $1 }
    }

    /// Registers how an object of a class is made without a storyboard: `init(frame:)` of a view or of a cell of a
    /// collection, for classes that code registers for reuse.
    public static func register<Object: AnyObject>(
        _ type: Object.Type,
        frame make: @escaping @MainActor (CGRect) -> Object
    ) {
        register(type)
        entries[ObjectIdentifier(type), default: Entry()].makers["frame"] = { make($0 as? CGRect ?? .zero) }
    }

    /// Registers `init(style:reuseIdentifier:)` of a cell of a table; the style is that of `UITableViewCell`.
    public static func register<Object: AnyObject, Style>(
        _ type: Object.Type,
        style make: @escaping @MainActor (Style, String?) -> Object
    ) {
        register(type)
        entries[ObjectIdentifier(type), default: Entry()].makers["style"] = { argument in
            guard let (style, identifier) = argument as? (Style, String?) else { return nil }
            return make(style, identifier)
        }
    }

    /// Registers `init(reuseIdentifier:)` of a header or footer of a table.
    public static func register<Object: AnyObject>(
        _ type: Object.Type,
        reuseIdentifier make: @escaping @MainActor (String?) -> Object
    ) {
        register(type)
        entries[ObjectIdentifier(type), default: Entry()].makers["reuseIdentifier"] = { make($0 as? String) }
    }

    /// Registers `init()`, of a layer that is the `layerClass` of a view or of a class that has one of its own.
    public static func register<Object: AnyObject>(_ type: Object.Type, plain make: @escaping @MainActor () -> Object) {
        register(type)
        entries[ObjectIdentifier(type), default: Entry()].makers["plain"] = { _ in make() }
    }

    /// Registers `init(nibName:bundle:)` of a controller.
    public static func register<Object: AnyObject>(
        _ type: Object.Type,
        nib make: @escaping @MainActor (String?, Bundle?) -> Object
    ) {
        register(type)
        entries[ObjectIdentifier(type), default: Entry()].makers["nib"] = { argument in
            let (name, bundle) = argument as? (String?, Bundle?) ?? (nil, nil)
            return make(name, bundle)
        }
    }

    /// Sets a property of an object, whether it is optional or not; returns false if the object or the value has another
    /// type.
    public static func set<Object: AnyObject, Value>(
        _ property: ReferenceWritableKeyPath<Object, Value>,
        of object: AnyObject,
        to value: Any?
    ) -> Bool {
        guard let object = object as? Object, let value = value as? Value else { return false }
        object[keyPath: property] = value
        return true
    }

    // MARK: Using

    /// The registered class of that name.
    public static func type(named name: String) -> AnyObject.Type? { classes[name] }

    /// Makes an object with what was registered for exactly that class.
    package static func make(_ type: AnyObject.Type, _ kind: String, _ argument: Any?) -> AnyObject? {
        entries[ObjectIdentifier(type)]?.makers[kind]?(argument)
    }

    /// Sets an outlet by its name; false if neither the class nor a superclass has such an outlet, or not of that type.
    public static func setOutlet(_ name: String, of object: AnyObject, to value: Any?) -> Bool {
        find(in: object) { $0.outlets[name] }.map { $0(object, value) } ?? false
    }

    /// Whether the class of the object, or a superclass, has a method of that name.
    public static func responds(_ object: AnyObject, to selector: Selector) -> Bool {
        find(in: object) { $0.actions[selector.name] } != nil
    }

    /// Calls a method by its name; false if neither the class nor a superclass has it.
    ///
    /// - Parameters:
    ///   - selector: The name.
    ///   - object: The object whose method is called.
    ///   - arguments: The arguments; those that the selector has no colon for are left out.
    /// - Returns: Whether the method was found.
    @discardableResult
    public static func perform(_ selector: Selector, on object: AnyObject, with arguments: [Any?] = []) -> Bool {
        guard let action = find(in: object, { $0.actions[selector.name] }) else { return false }
        let count = selector.argumentCount
        action(object, Array((arguments + Array(repeating: nil, count: count)).prefix(count)))
        return true
    }

    /// Calls a method by its name, and ends the process as Objective-C does if there is none.
    package static func send(_ selector: Selector, to object: AnyObject, with arguments: [Any?] = []) {
        guard !perform(selector, on: object, with: arguments) else { return }
        fatalError("\(Swift.type(of: object)) has no method \(selector): unrecognized selector sent to instance")
    }

    private static func find<Value>(in object: AnyObject, _ value: (Entry) -> Value?) -> Value? {
        var type: AnyClass? = Swift.type(of: object)
        while let current = type {
            if let found = entries[ObjectIdentifier(current)].flatMap(value) { return found }
            type = _getSuperclass(current)
        }
        return nil
    }
}
