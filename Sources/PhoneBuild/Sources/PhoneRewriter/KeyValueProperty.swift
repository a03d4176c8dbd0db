internal import SwiftSyntax

/// A property that Objective-C knows by its name: it can be read and set by the name, and observed if it is `dynamic`.
struct KeyValueProperty {
    /// The texts to insert, with their positions, so that observers learn of a change.
    let insertions: [(position: AbsolutePosition, text: String)]
    /// The statements that register the property.
    let statements: [String]

    /// The method that observers have, as Objective-C names it.
    static let observingSelector = "observeValueForKeyPath:of:change:context:"

    /// - Returns: nil if the property is static, or unknown to Objective-C.
    init?(_ node: VariableDeclSyntax, of type: String) {
        let isDynamic = node.modifiers.contains("dynamic")
        guard isDynamic || node.attributes.contains(["objc"]), !node.modifiers.contains("static"),
            !node.modifiers.contains("class"), node.bindings.count == 1, let binding = node.bindings.first,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text.filter({ $0 != "`" })
        else { return nil }
        let key = name.quotedForSwift
        // An outlet is registered as such. What is not written, such as the type of `Constants.name`, is only read.
        let isOutlet = node.attributes.contains(["IBOutlet", "IBInspectable"])
        let isTyped = binding.typeAnnotation != nil || binding.initializer?.value.kind.isLiteral == true
        let setters = isOutlet || !isTyped ? [] : Registration.outlets(node, of: type).compactMap(\.statement)
        let isVariable = node.bindingSpecifier.text == "var"
        var statements = [
            "PhoneObject.register(\(type).self, values: [\(key): { ($0 as? \(type))?.\(name) }])"
        ]
        let notification = "PhoneObject.didChange(self, \(key))"
        guard let block = binding.accessorBlock else {
            insertions =
                isDynamic && isVariable
                ? [(binding.endPositionBeforeTrailingTrivia, " { didSet { \(notification) } }")] : []
            if isVariable { statements += setters }
            self.statements = statements
            return
        }
        var accessors: [String: AccessorDeclSyntax] = [:]
        if case .accessors(let list) = block.accessors {
            for accessor in list { accessors[accessor.accessorSpecifier.text] = accessor }
        }
        if let body = (accessors["didSet"] ?? accessors["set"])?.body {
            // The observers are told when the accessor has done its work.
            insertions =
                isDynamic ? [(body.leftBrace.endPositionBeforeTrailingTrivia, " defer { \(notification) };")] : []
        } else if accessors["willSet"] != nil {
            let end = block.rightBrace.positionAfterSkippingLeadingTrivia
            insertions = isDynamic ? [(end, "didSet { \(notification) } ")] : []
        } else {
            // A getter alone.
            (insertions, self.statements) = ([], statements)
            return
        }
        self.statements = statements + setters
    }

    /// The statement for a method or a property such as `keyPathsForValuesAffectingTitle`.
    static func dependence(_ name: String, of type: String, isMethod: Bool) -> String? {
        let start = "keyPathsForValuesAffecting"
        guard name.hasPrefix(start), name != start + "Value" else { return nil }
        let property = name.dropFirst(start.count)
        let key = (property.prefix(1).lowercased() + property.dropFirst()).quotedForSwift
        return "PhoneObject.register(\(type).self, property: \(key), dependsOn: \(type).\(name)\(isMethod ? "()" : ""))"
    }

    /// The name of a key path, such as `player.rate` of `\Model.player.rate`; nil if it has subscripts.
    static func name(of keyPath: KeyPathExprSyntax) -> String? {
        var names: [String] = []
        for component in keyPath.components {
            switch component.component {
            case .property(let property): names.append(property.declName.baseName.text.filter { $0 != "`" })
            case .optional: continue
            default: return nil
            }
        }
        return names.isEmpty ? nil : names.joined(separator: ".")
    }
}

extension SyntaxKind {
    /// Whether a value of the kind is a literal, which says its type.
    fileprivate var isLiteral: Bool {
        [.integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .stringLiteralExpr].contains(self)
    }
}
