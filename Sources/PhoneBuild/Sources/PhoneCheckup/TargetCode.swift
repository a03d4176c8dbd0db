internal import Foundation
internal import PhoneProject
internal import SwiftParser
internal import SwiftSyntax

/// What the Swift sources of an extension declare and do, as far as the phone's rules depend on it.
struct TargetCode {
    /// A class of the sources.
    struct Class {
        /// The names after the colon, also those of its extensions.
        var inherited: Set<String> = []
        /// The name that Objective-C knows it by; nil if that has the module's name before it.
        var objectiveCName: String?
    }

    /// A place in a source.
    struct Place {
        let path: String
        let line: Int
    }

    /// The classes by name.
    private(set) var classes: [String: Class] = [:]
    /// Where a view is made that a person presses.
    private(set) var controls: [Place] = []
    /// Where a method ends without a call of its completion handler, and the handler's name.
    private(set) var misses: [(place: Place, kind: ExtensionKind, handler: String)] = []
    /// Whether a view of its own stands above the keyboard or in its place, where buttons work without more.
    private(set) var hasKeyboardView = false

    /// Reads the sources of an extension and of the modules that it may import.
    ///
    /// - Parameters:
    ///   - sources: The files of the extension.
    ///   - modules: The files of the modules.
    init(sources: [String], modules: [String]) {
        let trees = sources.compactMap(Self.tree)
        var bodies: [String: Set<String>] = [:]
        for (path, tree) in trees {
            let reader = DeclarationReader(path, tree)
            reader.walk(tree)
            merge(reader.classes)
            controls += reader.controls
            hasKeyboardView = hasKeyboardView || reader.hasKeyboardView
            bodies.merge(reader.bodies) { $0.union($1) }
        }
        for (path, tree) in modules.compactMap(Self.tree) {
            let reader = DeclarationReader(path, tree)
            reader.walk(tree)
            merge(reader.classes)
        }
        for (path, tree) in trees {
            let reader = HandlerReader(bodies)
            reader.walk(tree)
            let converter = SourceLocationConverter(fileName: path, tree: tree)
            misses += reader.misses.map { node, kind, handler in
                let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
                return (Place(path: path, line: line), kind, handler)
            }
        }
    }

    private static func tree(_ path: String) -> (String, SourceFileSyntax)? {
        FileManager.default.contents(atPath: path).map {
            (path, Parser.parse(source: String(decoding: $0, as: UTF8.self)))
        }
    }

    private mutating func merge(_ other: [String: Class]) {
        classes.merge(other) {
            Class(inherited: $0.inherited.union($1.inherited), objectiveCName: $0.objectiveCName ?? $1.objectiveCName)
        }
    }

    /// The class that an Info.plist or a storyboard names without a module.
    func objectiveCClass(_ name: String) -> String? { classes.first { $0.value.objectiveCName == name }?.key }

    /// Whether a class has a superclass or a protocol; nil if that depends on a class without a source.
    func inherits(_ name: String, _ type: String) -> Bool? {
        var open = [name]
        var visited: Set<String> = []
        var isKnown = true
        while let next = open.popLast() {
            guard visited.insert(next).inserted else { continue }
            if next == type { return true }
            let plain = String(next.split(separator: ".").last ?? "")
            if plain == type { return true }
            guard let found = classes[plain] else {
                if !Self.isOfApple(plain) { isKnown = false }
                continue
            }
            open += found.inherited
        }
        return isKnown ? false : nil
    }

    private static func isOfApple(_ name: String) -> Bool {
        ["UI", "UN", "NS", "AV", "MK", "CL", "WK", "SK"].contains { name.hasPrefix($0) }
    }
}

/// Reads the declarations of a file.
private final class DeclarationReader: SyntaxVisitor {
    private(set) var classes: [String: TargetCode.Class] = [:]
    private(set) var controls: [TargetCode.Place] = []
    private(set) var hasKeyboardView = false
    /// The names that each function and computed property uses.
    private(set) var bodies: [String: Set<String>] = [:]

    private let path: String
    private let converter: SourceLocationConverter

    init(_ path: String, _ tree: SourceFileSyntax) {
        self.path = path
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node.name.text, node.inheritanceClause)
        for attribute in node.attributes {
            guard let attribute = attribute.as(AttributeSyntax.self),
                attribute.attributeName.trimmedDescription == "objc", let name = attribute.arguments?.trimmedDescription
            else { continue }
            classes[node.name.text]?.objectiveCName = name
        }
        return .visitChildren
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node.name.text, node.inheritanceClause)
        return .visitChildren
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        let names = node.initializer.value.trimmedDescription.split { "&, ".contains($0) }.map(String.init)
        classes[node.name.text, default: TargetCode.Class()].inherited.formUnion(names)
        return .visitChildren
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node.extendedType.trimmedDescription, node.inheritanceClause)
        return .visitChildren
    }

    private func add(_ name: String, _ clause: InheritanceClauseSyntax?) {
        let names = (clause?.inheritedTypes ?? []).map { inherited in
            let type = inherited.type.as(AttributedTypeSyntax.self)?.baseType ?? inherited.type
            return String(type.trimmedDescription.prefix { $0 != "<" })
        }
        classes[name, default: TargetCode.Class()].inherited.formUnion(names)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if let body = node.body {
            bodies[node.name.text, default: []].formUnion(NameReader.names(in: body, skipsClosures: false))
        }
        return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        for binding in node.bindings {
            let name = binding.pattern.trimmedDescription
            if ["inputAccessoryView", "inputView"].contains(name) { hasKeyboardView = true }
            guard let accessors = binding.accessorBlock else { continue }
            bodies[name, default: []].formUnion(NameReader.names(in: accessors, skipsClosures: false))
        }
        return .visitChildren
    }

    /// The calls by which a view learns what to do when it is pressed.
    private static let connecting: Set = ["addGestureRecognizer", "addTarget"]

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
        if Self.connecting.contains(name) {
            let line = converter.location(for: node.calledExpression.endPositionBeforeTrailingTrivia).line
            controls.append(TargetCode.Place(path: path, line: line))
        }
        return .visitChildren
    }
}

/// Finds the methods of notification extensions that have a completion handler.
private final class HandlerReader: SyntaxVisitor {
    private(set) var misses: [(Syntax, ExtensionKind, String)] = []
    private let bodies: [String: Set<String>]

    init(_ bodies: [String: Set<String>]) {
        self.bodies = bodies
        super.init(viewMode: .sourceAccurate)
    }

    /// The kinds of extensions by the label of the handler.
    private static let kinds = ["completionHandler": ExtensionKind.content, "withContentHandler": .service]

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let parameters = Array(node.signature.parameterClause.parameters)
        guard node.name.text == "didReceive", parameters.count == 2, let body = node.body,
            let kind = Self.kinds[parameters[1].firstName.text]
        else { return .visitChildren }
        let handler = (parameters[1].secondName ?? parameters[1].firstName).text
        let paths = HandlerPaths(handler: handler, body: body, callers: callers)
        misses += paths.misses.map { ($0, kind, handler) }
        return .skipChildren
    }

    /// The functions that use one of the names, directly or through others.
    private func callers(of names: Set<String>) -> Set<String> {
        var found: Set<String> = []
        var open = names
        while !open.isEmpty {
            let next = bodies.filter { !found.contains($0.key) && !$0.value.isDisjoint(with: open) }.keys
            found.formUnion(next)
            open = Set(next)
        }
        return found.subtracting(["didReceive"])
    }
}
