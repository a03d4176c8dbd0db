internal import SwiftSyntax

/// An optional requirement of a protocol, which only Objective-C knows.
///
/// The copy requires it, and gives it a default that does nothing; so a call of it does nothing either, unless the type
/// has it.
struct OptionalRequirement {
    /// The requirement.
    let member: DeclSyntax
    /// The default; nil if there is none that means "nothing", as for a method that returns a number.
    let implementation: String?

    /// Reads a member of a protocol; nil if it is not optional.
    init?(_ member: DeclSyntax) {
        let modifiers = member.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
        guard modifiers.contains("optional") else { return nil }
        self.member = member
        guard let function = member.as(FunctionDeclSyntax.self) else {
            implementation = nil
            return
        }
        let result = function.signature.returnClause?.type
        let isOptional = result?.is(OptionalTypeSyntax.self) == true
        guard isOptional || result == nil || ["Void", "()"].contains(result?.trimmedDescription) else {
            implementation = nil
            return
        }
        let signature = function.signature.trimmedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
        implementation = "func \(function.name.text)\(signature) { \(isOptional ? "nil " : "")}"
    }
}
