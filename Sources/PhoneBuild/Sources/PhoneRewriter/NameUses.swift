internal import PhoneDiagnostics
internal import SwiftParser
internal import SwiftSyntax

/// The names that sources use and those that they declare, as far as a name alone tells whether a module is needed.
///
/// Members and types are seen; functions of C, labels and operators are not.
package struct NameUses {
    /// Each name of a type or a member that the sources use and do not declare, with its first place.
    package private(set) var undeclared: [(name: String, place: Place)] = []
    /// The names that the sources declare.
    package private(set) var declared: Set<String> = []

    /// Reads the sources of a module.
    ///
    /// - Parameters:
    ///   - sources: The Swift files.
    ///   - conditions: What `#if` may ask about.
    package init(_ sources: [SourceFile], _ conditions: Conditions) {
        let texts = sources.map { SourceText(path: $0.path, text: $0.text) }
        var used: [(name: String, place: Place)] = []
        var hasDynamicMembers = false
        for text in texts {
            let reader = NameUseReader(text, conditions)
            reader.walk(text.tree)
            declared.formUnion(reader.declared)
            used += reader.used
            hasDynamicMembers = hasDynamicMembers || reader.hasDynamicMembers
        }
        var known = declared
        undeclared = used.filter { use in
            let isType = use.name.first?.isUppercase == true
            return (isType || !hasDynamicMembers) && known.insert(use.name).inserted
        }
    }
}

/// Reads the names of one file.
private final class NameUseReader: ActiveVisitor {
    private(set) var used: [(name: String, place: Place)] = []
    private(set) var declared: Set<String> = []
    private(set) var hasDynamicMembers = false

    private let source: SourceText

    init(_ source: SourceText, _ conditions: Conditions) {
        self.source = source
        super.init(conditions)
    }

    private func use(_ token: TokenSyntax) {
        let name = token.text.filter { $0 != "`" }
        // Names with a line, all in capitals or of one letter are C's, or generic parameters.
        guard case .identifier = token.tokenKind, name.count > 1, !name.contains("_"), !name.hasPrefix("$"),
            name != name.uppercased(), name.allSatisfy(\.isASCII)
        else { return }
        used.append((name, source.diagnostic(.error, token, "").place))
    }

    private func declare(_ token: TokenSyntax?) {
        if let token { declared.insert(token.text.filter { $0 != "`" }) }
    }

    // MARK: Uses

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        use(node.declName.baseName)
        if let base = node.base { walk(base) }
        return .skipChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        // A name in lower case may be a function of C.
        if node.baseName.text.first?.isUppercase == true { use(node.baseName) }
        return .visitChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        use(node.name)
        return .visitChildren
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        use(node.name)
        return .visitChildren
    }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
        if node.attributeName.trimmedDescription == "dynamicMemberLookup" { hasDynamicMembers = true }
        return .skipChildren
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        declare(node.path.first?.name)
        return .skipChildren
    }

    // A macro such as #selector may name what Objective-C alone has.
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: Declarations

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: GenericParameterSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }
    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind { declaration(node.identifier) }
    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind { declaration(node.name) }

    override func visit(_ node: TupleTypeElementSyntax) -> SyntaxVisitorContinueKind { declaration(node.firstName) }

    /// The labels of a tuple are the names of its members.
    override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
        declaration(node.parent?.parent?.is(TupleExprSyntax.self) == true ? node.label : nil)
    }

    private func declaration(_ token: TokenSyntax?) -> SyntaxVisitorContinueKind {
        declare(token)
        return .visitChildren
    }
}
