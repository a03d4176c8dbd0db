internal import SwiftSyntax

/// The paths of a method that end without a call of its completion handler.
///
/// A path counts only if nothing on it names the handler, the property that keeps it, or a method that calls it. So a
/// handler that is passed on counts as called.
struct HandlerPaths {
    /// Where a path left the one that calls the handler; nil as long as there is no other.
    private typealias Origin = Syntax?

    /// The nodes at which paths end without a call.
    private(set) var misses: [Syntax] = []

    private var calls: Set<String>
    private var mutableCopies: Set<String> = []
    /// Whether a later statement of a block around this one calls the handler.
    private var isCalledLater = false

    /// Methods of an extension's context that end the notification, after which iOS asks for nothing more.
    private static let endings: Set = [
        "dismissNotificationContentExtension", "open", "performNotificationDefaultAction",
    ]

    /// Follows the paths of a method.
    ///
    /// - Parameters:
    ///   - handler: The name of the parameter.
    ///   - body: The statements.
    ///   - callers: The methods of the target that call a handler which a property keeps, by that property.
    init(handler: String, body: CodeBlockSyntax, callers: (Set<String>) -> Set<String>) {
        calls = [handler]
        let reader = AssignmentReader(handler)
        reader.walk(body)
        mutableCopies = reader.mutableCopies
        calls.formUnion(reader.properties)
        calls.formUnion(callers(reader.properties.union(Self.endings)))
        calls.formUnion(Self.endings)
        if case .pending(let origin) = follow(body.statements, .pending(nil)) {
            misses.append(origin ?? Syntax(body.rightBrace))
        }
    }

    /// Whether a path that gets to a place has to call the handler still.
    private enum State {
        case done
        case pending(Origin)

        /// The state behind branches.
        ///
        /// - Parameters:
        ///   - states: The states at the ends of the branches.
        ///   - origin: Where the path left that of the call before the branches.
        ///   - fork: The node with the branches, if one of them calls the handler.
        /// - Returns: Pending if one of the branches is.
        static func joined(_ states: [State], _ origin: Origin, fork: Origin) -> State {
            let pending = states.compactMap { state -> Syntax?? in
                if case .pending(let origin) = state { origin } else { nil }
            }
            guard let first = pending.first else { return .done }
            guard let fork else { return .pending(origin) }
            return .pending(pending.count == states.count ? origin ?? fork : first ?? fork)
        }
    }

    // MARK: Statements

    private mutating func follow(_ items: CodeBlockItemListSyntax, _ start: State) -> State {
        let items = Array(items)
        var state = start
        for (index, item) in items.enumerated() {
            guard case .pending(let origin) = state else { return .done }
            let outer = isCalledLater
            isCalledLater = outer || items[(index + 1)...].contains { isCalled(in: $0) }
            state = follow(item, origin)
            isCalledLater = outer
        }
        return state
    }

    private mutating func follow(_ item: CodeBlockItemSyntax, _ origin: Origin) -> State {
        switch item.item {
        case .stmt(let statement): return follow(statement, origin)
        case .expr(let expression): return follow(expression, origin)
        case .decl(let declaration):
            if let function = declaration.as(FunctionDeclSyntax.self) {
                if isCalled(in: function) { calls.insert(function.name.text) }
                return .pending(origin)
            }
            if let alias = alias(declaration) {
                calls.insert(alias)
                return .pending(origin)
            }
            return leaf(declaration, origin)
        }
    }

    private mutating func follow(_ statement: StmtSyntax, _ origin: Origin) -> State {
        switch statement.as(StmtSyntaxEnum.self) {
        case .returnStmt(let end):
            if case .pending = leaf(end, origin) { misses.append(Syntax(end)) }
            return .done
        case .throwStmt: return .done
        case .expressionStmt(let inner): return follow(inner.expression, origin)
        case .guardStmt(let check):
            switch condition(check.conditions) {
            case .calls: return .done
            case .provesHandler: return .pending(origin)
            case .other:
                if case .pending(let other) = follow(check.body.statements, .pending(Syntax(check))) {
                    misses.append(other ?? Syntax(check))
                }
                return .pending(origin)
            }
        case .doStmt(let block): return follow(block, origin)
        case .forStmt(let loop): return follow(loop: loop.body, loop, origin)
        case .whileStmt(let loop): return follow(loop: loop.body, loop, origin)
        case .repeatStmt(let loop): return follow(loop.body.statements, .pending(origin))
        default: return leaf(statement, origin)
        }
    }

    private mutating func follow(_ block: DoStmtSyntax, _ origin: Origin) -> State {
        guard !block.catchClauses.isEmpty else { return follow(block.body.statements, .pending(origin)) }
        var states = [follow(block.body.statements, .pending(origin))]
        let untried = block.body.statements.prefix { !TryReader.hasTry($0) }
        for clause in block.catchClauses where !untried.contains(where: { isCalled(in: $0) }) {
            states.append(follow(clause.body.statements, .pending(Syntax(clause))))
        }
        return .joined(states, origin, fork: fork(block))
    }

    /// A loop that calls the handler counts as a call, since its number of rounds is not known.
    private mutating func follow(loop body: CodeBlockSyntax, _ loop: some SyntaxProtocol, _ origin: Origin) -> State {
        let outer = isCalledLater
        _ = follow(body.statements, .pending(origin))
        isCalledLater = outer
        return isCalled(in: loop) ? .done : .pending(origin)
    }

    // MARK: Expressions

    private mutating func follow(_ expression: ExprSyntax, _ origin: Origin) -> State {
        if let check = expression.as(IfExprSyntax.self) { return follow(check, origin) }
        if let choice = expression.as(SwitchExprSyntax.self) { return follow(choice, origin) }
        if AssignmentReader.isKeeping(expression, calls) { return .pending(origin) }
        return leaf(expression, origin)
    }

    private mutating func follow(_ check: IfExprSyntax, _ origin: Origin) -> State {
        let condition = condition(check.conditions)
        if case .calls = condition { return .done }
        var states = [follow(check.body.statements, .pending(origin ?? Syntax(check)))]
        switch check.elseBody {
        case _ where condition == .provesHandler: break
        case .ifExpr(let next): states.append(follow(next, origin))
        case .codeBlock(let block): states.append(follow(block.statements, .pending(Syntax(block))))
        case nil: states.append(.pending(Syntax(check)))
        }
        return .joined(states, origin, fork: fork(check))
    }

    private mutating func follow(_ choice: SwitchExprSyntax, _ origin: Origin) -> State {
        guard !isCalled(in: choice.subject) else { return .done }
        var states: [State] = []
        for element in choice.cases {
            // A case in #if may be the one that calls.
            guard let branch = element.as(SwitchCaseSyntax.self) else { return .done }
            if branch.statements.contains(where: { $0.item.is(FallThroughStmtSyntax.self) }) { continue }
            states.append(follow(branch.statements, .pending(Syntax(branch))))
        }
        return .joined(states, origin, fork: fork(choice))
    }

    /// A statement that has no branches of its own but may pass closures on.
    private mutating func leaf(_ node: some SyntaxProtocol, _ origin: Origin) -> State {
        if EndReader.ends(node) { return .done }
        guard isCalled(in: node) else { return .pending(origin) }
        let closures = ClosureReader.closures(in: node)
        let inner = closures.filter { isCalled(in: $0) }
        // Outside its closures the statement passes the handler on, and whoever gets it may call it.
        let isPassedOn = NameReader.names(in: node, skipsClosures: true).contains(where: calls.contains)
        guard !isPassedOn, !isCalledLater, inner.count == 1, let closure = inner.first else { return .done }
        if case .pending(let other) = follow(closure.statements, .pending(nil)) {
            misses.append(other ?? Syntax(closure.rightBrace))
        }
        return .done
    }

    // MARK: Conditions

    private enum Meaning {
        /// Something in the condition may call the handler.
        case calls
        /// In the other branch there is no handler, no extension or no content, which does not happen.
        case provesHandler
        case other
    }

    private mutating func condition(_ conditions: ConditionElementListSyntax) -> Meaning {
        var meanings: [Meaning] = []
        for element in conditions { meanings.append(condition(element)) }
        if meanings.contains(.calls) { return .calls }
        return meanings.contains(.other) ? .other : .provesHandler
    }

    private mutating func condition(_ element: ConditionElementSyntax) -> Meaning {
        let text = element.trimmedDescription
        if let binding = element.condition.as(OptionalBindingConditionSyntax.self) {
            let name = binding.pattern.trimmedDescription
            let value = binding.initializer?.value.trimmedDescription ?? name
            let plain = value.hasPrefix("self.") ? String(value.dropFirst("self.".count)) : value
            if calls.contains(plain) {
                calls.insert(name)
                return .provesHandler
            }
            if value.filter({ $0 != "`" }) == "self" || mutableCopies.contains(plain) { return .provesHandler }
            if AssignmentReader.copies(value) { return .provesHandler }
        }
        let names = NameReader.names(in: element, skipsClosures: false)
        if names.contains(where: calls.contains) { return text.contains("nil") ? .provesHandler : .calls }
        return text.contains("nil") && names.contains(where: mutableCopies.contains) ? .provesHandler : .other
    }

    /// The other name that a declaration gives the handler.
    private func alias(_ declaration: DeclSyntax) -> String? {
        guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first,
            let value = binding.initializer?.value.trimmedDescription, calls.contains(value)
        else { return nil }
        return binding.pattern.trimmedDescription
    }

    /// A node with branches, if one of them calls the handler.
    private func fork(_ node: some SyntaxProtocol) -> Origin { isCalled(in: node) ? Syntax(node) : nil }

    private func isCalled(in node: some SyntaxProtocol) -> Bool {
        NameReader.names(in: node, skipsClosures: false).contains(where: calls.contains)
    }
}

// MARK: - Readers

/// Reads the names that a node uses.
final class NameReader: SyntaxVisitor {
    private var names: Set<String> = []
    private let skipsClosures: Bool

    private init(skipsClosures: Bool) {
        self.skipsClosures = skipsClosures
        super.init(viewMode: .sourceAccurate)
    }

    /// The names of variables, functions and members in a node.
    static func names(in node: some SyntaxProtocol, skipsClosures: Bool) -> Set<String> {
        let reader = NameReader(skipsClosures: skipsClosures)
        reader.walk(node)
        return reader.names
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.baseName.text)
        return .visitChildren
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        // `if let handler {` reads the variable of that name.
        if node.parent?.as(OptionalBindingConditionSyntax.self)?.initializer == nil {
            names.insert(node.identifier.text)
        }
        return .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        skipsClosures ? .skipChildren : .visitChildren
    }
}

/// Reads which properties keep the handler, and which variables have the copy of the content.
private final class AssignmentReader: SyntaxVisitor {
    private(set) var properties: Set<String> = []
    private(set) var mutableCopies: Set<String> = []
    private let handler: String

    init(_ handler: String) {
        self.handler = handler
        super.init(viewMode: .sourceAccurate)
    }

    /// Whether a text makes the content that an extension may change.
    static func copies(_ text: String) -> Bool {
        text.contains("mutableCopy") || text.contains("UNMutableNotificationContent")
    }

    /// Whether an expression only keeps the handler in a property.
    static func isKeeping(_ expression: ExprSyntax, _ names: Set<String>) -> Bool {
        guard let (_, value) = assignment(expression) else { return false }
        return names.contains(value.trimmedDescription)
    }

    private static func assignment(_ expression: ExprSyntax) -> (ExprSyntax, ExprSyntax)? {
        guard let sequence = expression.as(SequenceExprSyntax.self) else { return nil }
        let elements = Array(sequence.elements)
        guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self) else { return nil }
        return (elements[0], elements[2])
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node.elements)
        guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self) else { return .visitChildren }
        let target = elements[0].as(MemberAccessExprSyntax.self)?.declName.baseName.text
        let name = target ?? elements[0].trimmedDescription
        if elements.count == 3, elements[2].trimmedDescription == handler { properties.insert(name) }
        if Self.copies(node.trimmedDescription) || mutableCopies.contains(elements[2].trimmedDescription) {
            mutableCopies.insert(name)
        }
        return .visitChildren
    }

    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        if let value = node.initializer?.value.trimmedDescription, Self.copies(value) {
            mutableCopies.insert(node.pattern.trimmedDescription)
        }
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let value = node.initializer?.value.trimmedDescription, Self.copies(value) {
            mutableCopies.insert(node.pattern.trimmedDescription)
        }
        return .visitChildren
    }
}

/// Finds the closures in a node that stand in no other one.
private final class ClosureReader: SyntaxVisitor {
    private var found: [ClosureExprSyntax] = []

    static func closures(in node: some SyntaxProtocol) -> [ClosureExprSyntax] {
        let reader = ClosureReader(viewMode: .sourceAccurate)
        reader.walk(node)
        return reader.found
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        found.append(node)
        return .skipChildren
    }
}

/// Finds what can throw.
private final class TryReader: SyntaxVisitor {
    private var isFound = false

    static func hasTry(_ node: some SyntaxProtocol) -> Bool {
        let reader = TryReader(viewMode: .sourceAccurate)
        reader.walk(node)
        return reader.isFound
    }

    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
        if node.questionOrExclamationMark == nil { isFound = true }
        return .visitChildren
    }

    override func visit(_ node: ThrowStmtSyntax) -> SyntaxVisitorContinueKind {
        isFound = true
        return .visitChildren
    }
}

/// Finds calls that never return.
private enum EndReader {
    private static let names: Set = ["exit", "fatalError", "preconditionFailure"]

    static func ends(_ node: some SyntaxProtocol) -> Bool {
        guard let call = Syntax(node).as(FunctionCallExprSyntax.self) else { return false }
        return names.contains(call.calledExpression.trimmedDescription)
    }
}
