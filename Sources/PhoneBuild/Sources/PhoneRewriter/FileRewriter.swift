internal import PhoneDiagnostics
internal import SwiftSyntax

/// Changes the copy of one file so that Swift on Linux compiles it.
final class FileRewriter: ActiveVisitor {
    /// An import of a module that the compiler does not find, and that the copy lacks.
    private(set) var missingImports: [MissingImport] = []
    /// The errors and the warnings about the file.
    private(set) var diagnostics: [Diagnostic] = []
    /// The calls that register what the types at the top of the file have.
    private var registrations: [String] = []
    /// The functions that register generic classes, with the names of these.
    private(set) var genericRegistrations: [(type: String, function: String)] = []

    private var source: SourceText
    private let outline: Outline
    private let conditions: Conditions
    /// A name that no other file of the module has, for the names of functions.
    private let fileName: String
    private var scopes: [Scope] = []
    private var metatypes: Metatypes
    private var functionDepth = 0
    private var registrationCount = 0
    private var importsFoundation = false
    private var lacksImports = false
    /// Members of extensions that move into the bodies of classes, with the access that the extension gives them.
    private var moving: [(type: String, access: String, member: DeclSyntax)] = []
    /// Where the bodies of the file's classes end, by the names of the classes with those around them.
    private var classEnds: [String: AbsolutePosition] = [:]

    /// A type whose body is being read.
    private struct Scope {
        /// The name of the type in its own body.
        let name: String
        let isClass: Bool
        let isGeneric: Bool
        let isLocal: Bool
        /// The depth of functions around the type.
        let outerDepth: Int
        /// Whether all members have `@objc`.
        let isObjectiveC: Bool
        /// What the type registers, one statement each, with its line.
        var statements: [(line: Int, text: String)] = []
    }

    init(_ source: SourceText, fileName: String, outline: Outline, _ conditions: Conditions) {
        (self.source, self.outline, self.conditions) = (source, outline, conditions)
        self.fileName = fileName
        metatypes = Metatypes(outline)
        super.init(conditions)
    }

    /// The text of the copy.
    ///
    /// The first line imports what every file needs; after it, the compiler counts the lines of the engineer's file.
    var text: String {
        var modules = ["PhoneRuntime"]
        if importsFoundation, conditions.modules.contains("FoundationNetworking") {
            modules.append("FoundationNetworking")
        }
        // Apple's frameworks bring UIKit along, on which a file may rely that imports nothing else.
        if lacksImports, conditions.modules.contains("UIKit") { modules.append("UIKit") }
        return """
            \(modules.map { "import \($0)" }.joined(separator: "; "))
            #sourceLocation(file: \(source.path.quotedForSwift), line: 1)
            \(source.changed)
            """ + registrationOfFile
    }

    /// The function that registers the types of the file; nil if there is nothing to register.
    var registration: String? { registrations.isEmpty ? nil : Registration.functionName(fileName) }

    /// The function at the end of the file, where private types can be named.
    private var registrationOfFile: String {
        guard let registration else { return "" }
        return "\n#sourceLocation()\n@MainActor func \(registration)() {\n\(registrations.joined(separator: "\n"))\n}\n"
    }

    // MARK: Conditions and imports

    override func visitCondition(_ condition: ExprSyntax) {
        let calls = PlatformChecks()
        calls.walk(condition)
        for (call, isTrue) in calls.found { source.replace(call, with: isTrue ? "true" : "false") }
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let module = node.path.first?.name.text else { return .skipChildren }
        if module == "Foundation" { importsFoundation = true }
        if conditions.modules.contains(module) {
            if node.importKindSpecifier == nil { node.path.dropFirst().forEach { source.blank($0) } }
            // The point behind the module's name goes with what follows it.
            if node.importKindSpecifier == nil, node.path.count > 1, let point = node.path.first?.trailingPeriod {
                source.blank(point)
            }
        } else if module == "Darwin" {
            source.replace(node, with: "import Glibc")
        } else {
            source.blank(node)
            lacksImports = true
            if !MissingImport.partsOfUIKit.contains(module) {
                missingImports.append(MissingImport(module: module, place: source.diagnostic(.error, node, "").place))
            }
        }
        return .skipChildren
    }

    // MARK: Attributes and modifiers

    /// Attributes that only a compiler with Objective-C knows.
    private static let removedAttributes: Set = [
        "GKInspectable", "IBAction", "IBDesignable", "IBInspectable", "IBOutlet", "IBSegueAction", "NSCopying",
        "NSApplicationMain", "UIApplicationMain", "nonobjc", "objc", "objcMembers",
    ]

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
        let name = node.attributeName.trimmedDescription
        if name == "NSManaged", !diagnostics.contains(where: { $0.message.hasPrefix("Core Data") }) {
            report(.error, node, "Core Data needs Objective-C: keep the managed object out of the extension's target")
        }
        guard Self.removedAttributes.contains(name) else { return .visitChildren }
        source.blank(node)
        return .skipChildren
    }

    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
        if ["dynamic", "optional"].contains(node.name.text) { source.blank(node) }
        return .skipChildren
    }

    private func report(_ severity: Diagnostic.Severity, _ node: some SyntaxProtocol, _ message: String) {
        diagnostics.append(source.diagnostic(severity, node, message))
    }

    // MARK: Expressions

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        switch node.macroName.text {
        case "selector":
            guard let expression = SelectorExpression(node) else {
                report(.error, node, "the method of #selector cannot be read: name it as Type.method(_:label:)")
                return .skipChildren
            }
            let name = expression.selector(outline, type: scopes.last?.name)
            source.replace(node, with: "Selector(\(name.quotedForSwift))")
            return .skipChildren
        case "keyPath":
            let names = (node.arguments.first?.expression.trimmedDescription ?? "").split(separator: ".")
            let path = names.drop { $0.first?.isUppercase == true || $0 == "self" }
            source.replace(node, with: path.joined(separator: ".").quotedForSwift)
            return .skipChildren
        case "colorLiteral":
            source.replace(node, with: "UIColor(\(node.arguments.trimmedDescription))")
        case "imageLiteral":
            let name = node.arguments.first?.expression.trimmedDescription ?? "\"\""
            source.replace(node, with: "UIImage(named: \(name))!")
        case "fileLiteral":
            let name = node.arguments.first?.expression.trimmedDescription ?? "\"\""
            source.replace(node, with: "Bundle.main.url(forResource: \(name), withExtension: nil)!")
        case "Preview": source.blank(node)
        default: return .visitChildren
        }
        return .skipChildren
    }

    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.macroName.text == "Preview" else { return .visitChildren }
        source.blank(node)
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let chain = node.calledExpression.as(OptionalChainingExprSyntax.self),
            isOptionalRequirement(chain.expression)
        {
            source.blank(chain.questionMark)
        }
        let member = node.calledExpression.as(MemberAccessExprSyntax.self)
        if member?.declName.baseName.text == "observe", let argument = node.arguments.first, argument.label == nil,
            let name = argument.expression.as(KeyPathExprSyntax.self).flatMap(KeyValueProperty.name)
        {
            source.insert("PhoneObject.named(", at: argument.expression.positionAfterSkippingLeadingTrivia)
            source.insert(", \(name.quotedForSwift))", at: argument.expression.endPositionBeforeTrailingTrivia)
        }
        if let (callee, first) = metatypes.replacement(of: node), let parenthesis = node.leftParen {
            source.replace(node.calledExpression, with: callee)
            source.insert(first, at: parenthesis.endPositionBeforeTrailingTrivia)
        }
        return .visitChildren
    }

    /// `error as CVarArg`: on a phone every value is one, because Objective-C has an object for it.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node.elements)
        for (index, element) in elements.enumerated().dropFirst() {
            guard element.is(UnresolvedAsExprSyntax.self), element.trimmedDescription == "as",
                elements.indices.contains(index + 1),
                ["CVarArg", "any CVarArg"].contains(elements[index + 1].trimmedDescription)
            else { continue }
            let value = elements[index - 1]
            source.insert("PhoneObject.formatArgument(", at: value.positionAfterSkippingLeadingTrivia)
            source.insert(")", at: value.endPositionBeforeTrailingTrivia)
        }
        return .visitChildren
    }

    /// Whether an expression names a method that a protocol of the target declares as optional; it has a default here.
    private func isOptionalRequirement(_ expression: ExprSyntax) -> Bool {
        let member = expression.as(MemberAccessExprSyntax.self)?.declName
        guard let name = member ?? expression.as(DeclReferenceExprSyntax.self) else { return false }
        return outline.optionalRequirements.contains(name.baseName.text)
    }

    // MARK: Protocols

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.attributes.contains(["objc"]) else { return .visitChildren }
        if let clause = node.inheritanceClause {
            if Set(clause.plainNames).isDisjoint(with: ["AnyObject", "NSObjectProtocol", "class"]) {
                source.insert(" AnyObject,", at: clause.colon.endPositionBeforeTrailingTrivia)
            }
        } else {
            source.insert(": AnyObject", at: node.name.endPositionBeforeTrailingTrivia)
        }
        let requirements = node.memberBlock.members.compactMap { OptionalRequirement($0.decl) }
        for requirement in requirements where requirement.implementation == nil {
            let text = "an optional requirement of this kind needs Objective-C: make it one that every type has"
            report(.error, requirement.member, text)
        }
        let defaults = requirements.compactMap(\.implementation)
        if !defaults.isEmpty {
            let access = node.modifiers.contains("public") ? "public " : ""
            let text = "; \(access)extension \(node.name.text) { \(defaults.joined(separator: "; ")) }"
            source.insert(text, at: node.memberBlock.endPositionBeforeTrailingTrivia)
        }
        return .visitChildren
    }

    // MARK: Functions

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enterFunction() }
    override func visitPost(_ node: CodeBlockSyntax) { functionDepth -= 1 }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterFunction() }
    override func visitPost(_ node: ClosureExprSyntax) { functionDepth -= 1 }

    private func enterFunction() -> SyntaxVisitorContinueKind {
        functionDepth += 1
        return .visitChildren
    }

    // MARK: Types

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        metatypes.enter(node.genericParameterClause, node.genericWhereClause, own: node.name.text)
        let isGeneric = node.genericParameterClause != nil
        enter(node.name.text, node.attributes, isClass: true, isGeneric: isGeneric)
        let isShown = outline.base(node.name.text)?.hasPrefix("UI") == true
        let makers = Registration.makers(of: node.name.text, outline)
        if isShown || !makers.isEmpty {
            add(["PhoneObject.register(\(node.name.text).self)"] + makers, at: node.name)
        }
        if !isGeneric { add(outline.inheritedRegistrations(node.name.text).map { "\($0)()" }, at: node.name) }
        return .visitChildren
    }

    override func visitPost(_ node: ClassDeclSyntax) {
        let name = scopes.map(\.name).joined(separator: ".")
        classEnds[name] = node.memberBlock.rightBrace.positionAfterSkippingLeadingTrivia
        metatypes.leave()
        leave(node.memberBlock)
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        metatypes.enter(node.genericParameterClause, node.genericWhereClause)
        enter(node.name.text, node.attributes, isClass: false, isGeneric: node.genericParameterClause != nil)
        return .visitChildren
    }

    override func visitPost(_ node: StructDeclSyntax) {
        metatypes.leave()
        leave(node.memberBlock)
    }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        metatypes.enter(node.genericParameterClause, node.genericWhereClause)
        enter(node.name.text, node.attributes, isClass: false, isGeneric: node.genericParameterClause != nil)
        return .visitChildren
    }

    override func visitPost(_ node: EnumDeclSyntax) {
        metatypes.leave()
        leave(node.memberBlock)
    }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text, node.attributes, isClass: false, isGeneric: node.genericParameterClause != nil)
        return .visitChildren
    }

    override func visitPost(_ node: ActorDeclSyntax) { leave(node.memberBlock) }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.extendedType.trimmedDescription
        metatypes.enter(nil, node.genericWhereClause, own: name)
        let isGeneric = outline.classes[Outline.last(name)]?.isGeneric == true
        enter(name, node.attributes, isClass: true, isGeneric: isGeneric || node.genericWhereClause != nil)
        return .visitChildren
    }

    override func visitPost(_ node: ExtensionDeclSyntax) {
        metatypes.leave()
        leave(node.memberBlock)
        guard node.genericWhereClause == nil,
            let type = outline.classes[Outline.last(node.extendedType.trimmedDescription)]
        else { return }
        let isPublic = node.modifiers.contains("public")
        let isObjectiveC = node.attributes.contains(["objc"])
        for member in node.memberBlock.members where needsClass(member.decl, isObjectiveC) {
            let modifiers = member.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
            let hasAccess = ["public", "open", "internal"].contains { modifiers.contains($0) }
            moving.append((type.name, isPublic && !hasAccess ? "public " : "", member.decl))
        }
    }

    // MARK: Members that move

    /// Whether a member of an extension overrides another one, or is overridden: without Objective-C only members in
    /// the body of a class can do that.
    private func needsClass(_ member: DeclSyntax, _ isObjectiveC: Bool) -> Bool {
        if let variable = member.as(VariableDeclSyntax.self) { return variable.modifiers.contains("override") }
        guard let function = member.as(FunctionDeclSyntax.self) else { return false }
        if function.modifiers.contains("override") { return true }
        let isMarked = isObjectiveC || function.attributes.contains(["objc", "IBAction"])
        return isMarked && outline.overriddenMethods.contains(Outline.Method(function).fullName)
    }

    /// Takes the members of extensions that have to stand in the bodies of their classes.
    ///
    /// - Returns: The text for the end of each class, with the lines where the members stand.
    func takeMovingMembers() -> [(type: String, text: String)] {
        defer { moving = [] }
        return moving.map { type, access, member in
            let line = source.line(member.positionAfterSkippingLeadingTrivia)
            let text = source.take(member)
            return (type, "\n\(Registration.location(source.path, line))\n\(access)\(text)\n")
        }
    }

    /// Puts members into the bodies of those classes that stand in this file.
    func insert(_ members: [(type: String, text: String)]) {
        for (type, end) in classEnds {
            let texts = members.filter { $0.type == type }.map(\.text)
            guard !texts.isEmpty else { continue }
            let location = Registration.location(source.path, source.line(end))
            source.insert("\(texts.joined())\(location)\n", at: end)
        }
    }

    private func enter(_ name: String, _ attributes: AttributeListSyntax, isClass: Bool, isGeneric: Bool) {
        let isObjectiveC = attributes.contains(["objc", "objcMembers"]) && (scopes.isEmpty || isClass)
        scopes.append(
            Scope(
                name: name,
                isClass: isClass,
                isGeneric: isGeneric,
                isLocal: functionDepth > 0 || scopes.last?.isLocal == true,
                outerDepth: functionDepth,
                isObjectiveC: isObjectiveC
            )
        )
        functionDepth = 0
    }

    private func add(_ statements: [String], at node: some SyntaxProtocol) {
        guard !scopes.isEmpty else { return }
        let line = source.line(node.positionAfterSkippingLeadingTrivia)
        scopes[scopes.count - 1].statements += statements.map { (line, $0) }
    }

    /// Writes the function that registers a type before the end of its body, and calls it from the type around it.
    private func leave(_ body: MemberBlockSyntax) {
        let scope = scopes.removeLast()
        functionDepth = scope.outerDepth
        guard !scope.statements.isEmpty else { return }
        guard !scope.isLocal else {
            if scope.statements.contains(where: { $0.text.contains("actions:") || $0.text.contains("outlets:") }) {
                let text = "a class inside a function gets no selectors and outlets: move it out of the function"
                report(.warning, body, text)
            }
            return
        }
        let function = "\(Registration.functionName(fileName))_\(registrationCount)"
        registrationCount += 1
        let end = body.rightBrace.positionAfterSkippingLeadingTrivia
        source.insert(
            Registration.function(function, scope.statements, path: source.path, nextLine: source.line(end)),
            at: end
        )
        // A generic class is registered by its subclasses, which know the types.
        guard !scope.isGeneric else { return genericRegistrations.append((scope.name, function)) }
        let call = "\(scope.name).\(function)()"
        if scopes.isEmpty { registrations.append(call) } else { add([call], at: body.rightBrace) }
    }

    // MARK: Members

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        if functionDepth == 0, let scope = scopes.last, scope.isClass {
            if let property = KeyValueProperty(node, of: scope.name) {
                for (position, text) in property.insertions { source.insert(text, at: position) }
                add(property.statements, at: node.bindings)
            }
            let name = node.bindings.first?.pattern.trimmedDescription ?? ""
            add([KeyValueProperty.dependence(name, of: scope.name, isMethod: false)].compactMap { $0 }, at: node)
        }
        if functionDepth == 0, let scope = scopes.last, scope.isClass,
            node.attributes.contains(["IBOutlet", "IBInspectable"])
        {
            for outlet in Registration.outlets(node, of: scope.name) {
                guard let statement = outlet.statement else {
                    guard node.attributes.contains(["IBOutlet"]) else { continue }
                    report(.error, outlet.node, "the type of an outlet is not written: add it behind a colon")
                    continue
                }
                add([statement], at: outlet.node)
            }
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        metatypes.enter(node.genericParameterClause, node.genericWhereClause, node.signature.parameterClause)
        if node.modifiers.contains("static") || node.modifiers.contains("class") {
            metatypes.enterStatic()
        } else {
            metatypes.enter(nil, nil)
        }
        register(node)
        return .visitChildren
    }

    override func visitPost(_ node: FunctionDeclSyntax) {
        metatypes.leave()
        metatypes.leave()
    }

    /// Registers a method that is called by its name.
    private func register(_ node: FunctionDeclSyntax) {
        guard functionDepth == 0, let scope = scopes.last, scope.isClass else { return }
        add([KeyValueProperty.dependence(node.name.text, of: scope.name, isMethod: true)].compactMap { $0 }, at: node)
        guard let action = Registration.Action(node, class: scope.name) else { return }
        let isObserving = action.selector == KeyValueProperty.observingSelector
        if isObserving, !outline.inherits(Outline.Method(node), scope.name),
            let modifier = node.modifiers.first(where: { $0.name.text == "override" })
        {
            // NSObject has the method in an extension here, which cannot be overridden.
            source.blank(modifier)
        }
        let isMarked = node.attributes.contains(["IBAction", "objc"]) || scope.isObjectiveC
        // An extension without marks may be one of a structure.
        let isUsed = outline.uses(action.selector) && outline.isClass(scope.name)
        if isMarked || isUsed || isObserving { add([action.statement], at: node.name) }
        let isKnown =
            isMarked || node.modifiers.contains("override") || outline.chain(scope.name).contains(where: \.isObjectiveC)
        if !isKnown, outline.uses(action.selector, of: scope.name) {
            report(.warning, node.name, "a selector names this method, so Objective-C has to know it: add @objc")
        }
    }
}
