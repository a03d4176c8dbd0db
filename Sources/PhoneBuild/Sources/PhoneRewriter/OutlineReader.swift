internal import SwiftParser
internal import SwiftSyntax

/// Reads the outline of one file.
final class OutlineReader: ActiveVisitor {
    private(set) var outline: Outline
    private var types: [String] = []
    private var functionDepth = 0

    init(_ outline: Outline, _ conditions: Conditions) {
        self.outline = outline
        super.init(conditions)
    }

    // MARK: Types

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        types.append(node.name.text)
        outline.add(
            Outline.Class(
                name: types.joined(separator: "."),
                inherited: node.inheritanceClause?.plainNames ?? [],
                isGeneric: node.genericParameterClause != nil,
                customName: node.attributes.objcName,
                isObjectiveC: node.attributes.contains(["objcMembers"])
            )
        )
        return .visitChildren
    }

    override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: StructDeclSyntax) { types.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: EnumDeclSyntax) { types.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: ActorDeclSyntax) { types.removeLast() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription)
    }

    override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        for member in node.memberBlock.members {
            guard let function = member.decl.as(FunctionDeclSyntax.self), function.modifiers.contains("optional") else {
                continue
            }
            outline.addOptionalRequirement(function.name.text)
        }
        return enter(node.name.text)
    }

    override func visitPost(_ node: ProtocolDeclSyntax) { types.removeLast() }

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        types.append(name)
        return .visitChildren
    }

    // MARK: Members

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let type = types.last, functionDepth == 0 else { return .visitChildren }
        let method = Outline.Method(node)
        outline.add(method, of: type)
        if node.modifiers.contains("override") { outline.addOverride(method) }
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        if let type = types.last, !node.modifiers.contains("convenience") {
            outline.addInitializer(node.signature.parameterClause.labels, of: type)
        }
        return .visitChildren
    }

    /// The arguments of `Selector("name")`.
    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let isSelector = ["Selector", "NSSelectorFromString"].contains(node.calledExpression.trimmedDescription)
        for argument in node.arguments where isSelector || ["action", "selector"].contains(argument.label?.text) {
            var expression = argument.expression
            while let tuple = expression.as(TupleExprSyntax.self), let inner = tuple.elements.first?.expression {
                expression = inner
            }
            if let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
                outline.use(text, of: types.last)
            }
        }
        return .visitChildren
    }
}

/// Reads the selectors that a file uses; needs the outline of all files.
final class SelectorReader: ActiveVisitor {
    private(set) var outline: Outline
    private var types: [String] = []

    init(_ outline: Outline, _ conditions: Conditions) {
        self.outline = outline
        super.init(conditions)
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        types.append(node.name.text)
        return .visitChildren
    }

    override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        types.append(node.extendedType.trimmedDescription)
        return .visitChildren
    }

    override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        let expression = SelectorExpression(node)
        if let name = expression?.selector(outline, type: types.last) {
            outline.use(name, of: expression?.type ?? types.last)
        }
        return .visitChildren
    }
}

/// What `#selector` names.
struct SelectorExpression {
    private let base: String
    private let labels: [String]?
    /// The type that is named before the method; nil if that is the one around the expression.
    let type: String?
    private let accessor: String?

    /// - Returns: nil if the macro is no `#selector`, or names nothing that can be read.
    init?(_ node: MacroExpansionExprSyntax) {
        guard node.macroName.text == "selector", let argument = node.arguments.first else { return nil }
        accessor = argument.label?.text
        var expression = argument.expression
        var count: Int?
        while true {
            if let tuple = expression.as(TupleExprSyntax.self), let inner = tuple.elements.first?.expression {
                expression = inner
            } else if let sequence = expression.as(SequenceExprSyntax.self), let first = sequence.elements.first {
                count = Self.argumentCount(sequence)
                expression = first
            } else {
                break
            }
        }
        let name: DeclReferenceExprSyntax
        if let member = expression.as(MemberAccessExprSyntax.self) {
            name = member.declName
            let owner = member.base?.trimmedDescription
            type = ["self", "Self", "super"].contains(owner) ? nil : owner
        } else if let reference = expression.as(DeclReferenceExprSyntax.self) {
            name = reference
            type = nil
        } else {
            return nil
        }
        base = name.baseName.text.filter { $0 != "`" }
        let written = name.argumentNames?.arguments.map(\.name.text)
        labels = written ?? count.map { $0 == 0 ? [] : Array(repeating: "_", count: $0) }
    }

    /// The number of parameters of the function type in `method as (Type) -> Void`.
    private static func argumentCount(_ sequence: SequenceExprSyntax) -> Int? {
        for element in sequence.elements {
            guard let type = element.as(TypeExprSyntax.self)?.type else { continue }
            var plain = type
            while let optional = plain.as(OptionalTypeSyntax.self) { plain = optional.wrappedType }
            while let tuple = plain.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first
            {
                plain = only.type
            }
            return plain.as(FunctionTypeSyntax.self)?.parameters.count
        }
        return nil
    }

    /// Objective-C's name; `type` is the type whose code has the expression.
    func selector(_ outline: Outline, type: String?) -> String {
        switch accessor {
        case "getter": base
        case "setter": ObjectiveCName.setter(base)
        default: outline.selector(base, labels, of: self.type ?? type)
        }
    }
}

// MARK: - Short ways into the tree

extension Outline.Method {
    /// The method that a function is.
    init(_ node: FunctionDeclSyntax) {
        self.init(
            base: node.name.text.filter { $0 != "`" },
            labels: node.signature.parameterClause.labels,
            customName: node.attributes.objcName
        )
    }
}

extension InheritanceClauseSyntax {
    /// The names without attributes and generic arguments.
    var plainNames: [String] {
        inheritedTypes.map { inherited in
            let type = inherited.type.as(AttributedTypeSyntax.self)?.baseType ?? inherited.type
            return String(type.trimmedDescription.prefix { $0 != "<" })
        }
    }
}

extension DeclModifierListSyntax {
    /// Whether there is a modifier of that name.
    func contains(_ name: String) -> Bool { contains { $0.name.text == name } }
}

extension FunctionParameterClauseSyntax {
    /// The labels of the arguments.
    var labels: [String] { parameters.map(\.firstName.text) }
}

extension AttributeListSyntax {
    /// Whether one of the attributes has one of the names.
    func contains(_ names: Set<String>) -> Bool {
        attributes.contains { names.contains($0.attributeName.trimmedDescription) }
    }

    /// The attributes that stand outside `#if`.
    var attributes: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    /// The name that `@objc(name)` gives.
    var objcName: String? {
        let attribute = attributes.first { $0.attributeName.trimmedDescription == "objc" }
        return attribute?.arguments.map { $0.trimmedDescription.filter { !$0.isWhitespace } }
    }
}
