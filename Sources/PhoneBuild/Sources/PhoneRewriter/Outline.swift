internal import SwiftSyntax

/// What other files need to know of the types of a target: classes, their initializers and methods.
struct Outline {
    /// A method, or an initializer without a name.
    struct Method: Hashable {
        let base: String
        let labels: [String]
        /// The name that `@objc(name)` gives.
        let customName: String?

        /// Swift's name with the labels.
        var fullName: String { "\(base)(\(labels.map { "\($0):" }.joined()))" }

        /// Objective-C's name.
        var selector: String { customName ?? ObjectiveCName.selector(base, labels) }
    }

    /// A class, with what its extensions add.
    struct Class {
        /// The name with those of the types around it.
        let name: String
        /// The names after the colon, without generic arguments.
        let inherited: [String]
        let isGeneric: Bool
        /// The name that `@objc(Name)` gives.
        let customName: String?
        /// Whether it has `@objcMembers`, which its extensions and subclasses share.
        let isObjectiveC: Bool
        /// The labels of each initializer that is not a convenience.
        var initializers: [[String]] = []
    }

    /// The classes by their name without those of the types around them.
    private(set) var classes: [String: Class] = [:]
    /// The classes of the modules that the target imports.
    private var importedClasses: [String: Class] = [:]
    /// The methods of all types by the type's name without those around it.
    private(set) var methods: [String: Set<Method>] = [:]
    /// The names of the functions that register a generic class; its subclasses call them.
    private(set) var genericRegistrations: [String: [String]] = [:]
    /// The selectors that the target uses, each with the types in which its method is looked for.
    private var selectors: [String: Set<String>] = [:]
    /// The methods that a class overrides, as `name(label:)`.
    private(set) var overriddenMethods: Set<String> = []
    /// The optional requirements of the target's `@objc` protocols.
    private(set) var optionalRequirements: Set<String> = []

    // MARK: Filling

    /// Adds what the sources know of a module that they import.
    mutating func addImported(_ other: Outline) {
        importedClasses.merge(other.importedClasses) { $1 }
        importedClasses.merge(other.classes) { $1 }
        methods.merge(other.methods) { $0.union($1) }
        optionalRequirements.formUnion(other.optionalRequirements)
    }

    mutating func add(_ declaration: Class) { classes[Self.last(declaration.name)] = declaration }

    mutating func add(_ method: Method, of type: String) { methods[Self.last(type), default: []].insert(method) }

    mutating func addInitializer(_ labels: [String], of type: String) {
        classes[Self.last(type)]?.initializers.append(labels)
    }

    mutating func addRegistration(_ function: String, ofGeneric type: String) {
        genericRegistrations[Self.last(type), default: []].append(function)
    }

    mutating func use(_ selector: String, of type: String?) {
        selectors[selector, default: []].formUnion(type.map { [Self.last($0)] } ?? [])
    }

    mutating func addOverride(_ method: Method) { overriddenMethods.insert(method.fullName) }

    mutating func addOptionalRequirement(_ name: String) { optionalRequirements.insert(name) }

    // MARK: Asking

    /// The name of a type without those of the types around it, and without generic arguments.
    static func last(_ name: String) -> String {
        let plain = name.prefix { $0 != "<" }
        return plain.split(separator: ".").last.map(String.init) ?? name
    }

    /// The class and its superclasses in the target and its modules, from the class itself on.
    func chain(_ name: String) -> [Class] {
        var chain: [Class] = []
        func find(_ name: String) -> Class? { classes[Self.last(name)] ?? importedClasses[Self.last(name)] }
        var next = find(name)
        while let current = next, !chain.contains(where: { $0.name == current.name }) {
            chain.append(current)
            next = current.inherited.lazy.compactMap(find).first
        }
        return chain
    }

    /// Whether the target uses a selector, for whatever type.
    func uses(_ selector: String) -> Bool { selectors[selector] != nil }

    /// Whether a selector that the target uses is that of a method of this type.
    func uses(_ selector: String, of type: String) -> Bool {
        selectors[selector]?.contains { owner in
            owner == Self.last(type) || chain(owner).contains { Self.last($0.name) == Self.last(type) }
        } == true
    }

    /// Whether a superclass in the target has a method.
    func inherits(_ method: Method, _ name: String) -> Bool {
        chain(name).dropFirst().contains { methods[Self.last($0.name)]?.contains(method) == true }
    }

    /// The first name after the colon of the highest superclass in the target: a class of UIKit, or a protocol.
    func base(_ name: String) -> String? { chain(name).last?.inherited.first.map(Self.last) }

    /// Whether a class has an initializer, its own or an inherited one.
    func hasInitializer(_ labels: [String], _ name: String) -> Bool {
        for declaration in chain(name) where !declaration.initializers.isEmpty {
            return declaration.initializers.contains(labels)
        }
        return true
    }

    /// Whether a class itself declares an initializer.
    func declaresInitializer(_ labels: [String], _ name: String) -> Bool {
        chain(name).first?.initializers.contains(labels) == true
    }

    /// The functions that a class calls to register its generic superclasses.
    func inheritedRegistrations(_ name: String) -> [String] {
        chain(name).dropFirst().filter(\.isGeneric).flatMap { genericRegistrations[Self.last($0.name)] ?? [] }
    }

    /// Objective-C's name of a method that a source names.
    ///
    /// - Parameters:
    ///   - base: The name.
    ///   - labels: The labels; nil if the source leaves them out.
    ///   - type: The type that has it; nil if it is not known.
    /// - Returns: The name; if no source has the method, the one that its labels make.
    func selector(_ base: String, _ labels: [String]?, of type: String?) -> String {
        let names = type.map { [Self.last($0)] + chain($0).map { Self.last($0.name) } } ?? []
        let own = names.compactMap { methods[$0] }.flatMap(\.self)
        for method in own + methods.keys.sorted().flatMap({ methods[$0] ?? [] }) where method.base == base {
            if labels == nil || method.labels == labels { return method.selector }
        }
        if let labels { return ObjectiveCName.selector(base, labels) }
        return ObjectiveCName.known[base] ?? base
    }

    /// Whether a type is a class of the target or of its modules.
    func isClass(_ name: String) -> Bool { !chain(name).isEmpty }

    /// The class that Objective-C knows under a name, with or without the module's.
    func principal(_ name: String) -> Class? {
        let last = Self.last(name)
        return classes.values.first { $0.customName == last } ?? classes[last] ?? importedClasses[last]
    }
}
