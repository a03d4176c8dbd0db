internal import SwiftSyntax

/// What `#if` may ask about: the names that are set, and the modules that can be imported.
package struct Conditions: Sendable {
    /// The names of `-D`.
    package let names: Set<String>
    /// The modules that the compiler finds.
    package let modules: Set<String>

    /// Conditions of a target.
    package init(names: Set<String>, modules: Set<String>) {
        (self.names, self.modules) = (names, modules)
    }

    /// Whether a condition is true, as the compiler decides it for the copy, in which `os(iOS)` is true.
    func holds(_ condition: ExprSyntax) -> Bool {
        if let name = condition.as(DeclReferenceExprSyntax.self) { return names.contains(name.baseName.text) }
        if let literal = condition.as(BooleanLiteralExprSyntax.self) { return literal.literal.text == "true" }
        if let negation = condition.as(PrefixOperatorExprSyntax.self) { return !holds(negation.expression) }
        if let tuple = condition.as(TupleExprSyntax.self), let only = tuple.elements.first?.expression {
            return holds(only)
        }
        if let sequence = condition.as(SequenceExprSyntax.self) { return holds(Array(sequence.elements)[...]) }
        guard let call = condition.as(FunctionCallExprSyntax.self) else { return false }
        return holds(call)
    }

    /// A sequence of conditions and operators: `&&` binds before `||`.
    private func holds(_ elements: ArraySlice<ExprSyntax>) -> Bool {
        func parts(_ elements: ArraySlice<ExprSyntax>, at name: String) -> [ArraySlice<ExprSyntax>] {
            elements.split { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == name }
        }
        return parts(elements, at: "||").contains { part in
            parts(part, at: "&&").allSatisfy { $0.first.map(holds) ?? false }
        }
    }

    private func holds(_ call: FunctionCallExprSyntax) -> Bool {
        let argument = call.arguments.first?.expression
        let text = argument?.trimmedDescription ?? ""
        switch call.calledExpression.trimmedDescription {
        case "os": return text == "iOS"
        case "canImport": return modules.contains(text.split(separator: ".").first.map(String.init) ?? "")
        case "swift", "compiler": return isNewEnough(argument)
        case "arch": return text == Self.architecture
        default: return false
        }
    }

    /// Whether the compiler has a version such as `>=5.9`.
    private func isNewEnough(_ argument: ExprSyntax?) -> Bool {
        guard let comparison = argument?.as(PrefixOperatorExprSyntax.self) else { return false }
        let parts = comparison.expression.trimmedDescription.split(separator: ".").compactMap { Int($0) }
        let isNewer = Self.version.lexicographicallyPrecedes(parts)
        return comparison.operator.text == "<" ? isNewer : !isNewer
    }

    /// The version of Swift.
    private static let version = [6, 3]

    #if arch(arm64)
    private static let architecture = "arm64"
    #else
    private static let architecture = "x86_64"
    #endif
}

/// A visitor of what is compiled: of each `#if` only the clause whose condition is true.
class ActiveVisitor: SyntaxVisitor {
    private let conditions: Conditions

    init(_ conditions: Conditions) {
        self.conditions = conditions
        super.init(viewMode: .sourceAccurate)
    }

    /// Called for each condition of an `#if`.
    func visitCondition(_ condition: ExprSyntax) {}

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        var isDecided = false
        for clause in node.clauses {
            if let condition = clause.condition { visitCondition(condition) }
            guard !isDecided, clause.condition.map(conditions.holds) ?? true else { continue }
            isDecided = true
            if let elements = clause.elements { walk(elements) }
        }
        return .skipChildren
    }
}

/// Finds the checks of the platform in a condition: the copy is compiled as if for a phone.
final class PlatformChecks: SyntaxVisitor {
    private(set) var found: [(FunctionCallExprSyntax, Bool)] = []

    init() { super.init(viewMode: .sourceAccurate) }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.calledExpression.trimmedDescription == "os" {
            found.append((node, node.arguments.trimmedDescription == "iOS"))
        }
        return .skipChildren
    }
}
