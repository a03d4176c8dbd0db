internal import SwiftSyntax

/// Writes the calls of `PhoneObject.register`, by which the runtime finds what Objective-C finds on a phone.
enum Registration {
    /// The name of the function that registers the types of a file.
    ///
    /// A type's own function has a number behind it: each has another name, because a subclass inherits it.
    static func functionName(_ file: String) -> String { "__phoneRegister_\(file)" }

    /// A function in the body of a type, which reaches its private members.
    ///
    /// - Parameters:
    ///   - name: The function.
    ///   - statements: Its statements, with the lines that the compiler names for their errors.
    ///   - path: The engineer's file.
    ///   - nextLine: The line of what follows.
    /// - Returns: The text, which begins and ends with a line break.
    static func function(
        _ name: String,
        _ statements: [(line: Int, text: String)],
        path: String,
        nextLine: Int
    ) -> String {
        let first = statements.first?.line ?? nextLine
        var lines = ["", location(path, first), "@MainActor static func \(name)() {"]
        for statement in statements { lines += [location(path, statement.line), statement.text] }
        return (lines + ["}", location(path, nextLine), ""]).joined(separator: "\n")
    }

    /// What tells the compiler the place of the next line.
    static func location(_ path: String, _ line: Int) -> String {
        "#sourceLocation(file: \(path.quotedForSwift), line: \(line))"
    }

    // MARK: Outlets

    /// The statements for the properties of a declaration; nil where the type is not known.
    static func outlets(_ node: VariableDeclSyntax, of type: String) -> [(
        node: PatternBindingSyntax, statement: String?
    )] {
        var following: TypeSyntax?
        // In `var a, b: UILabel!` the type stands once, behind the last name.
        let bindings = node.bindings.reversed().map { binding in
            following = binding.typeAnnotation?.type ?? (binding.initializer == nil ? following : nil)
            return (binding, following)
        }
        return bindings.reversed().map { binding, annotation in
            let name = binding.pattern.trimmedDescription
            guard let written = annotation.map(plain) ?? binding.initializer.flatMap({ inferred($0.value) }) else {
                return (binding, nil)
            }
            let key = name.filter { $0 != "`" }.quotedForSwift
            let number = numbers.contains(written) ? " ?? (value as? CGFloat).map({ \(written)($0) })" : ""
            let text =
                "PhoneObject.register(\(type).self, outlets: [\(key): { object, value in "
                + "guard let object = object as? \(type), let value = value as? \(written)\(number) else { return false }; "
                + "object.\(name) = value; return true }])"
            return (binding, text)
        }
    }

    /// The types of numbers; a storyboard gives all of them as `CGFloat`.
    private static let numbers: Set = ["CGFloat", "Double", "Float", "Int", "UInt"]

    /// The type of a literal, of `UILabel()` or of `UIColor.red`.
    private static func inferred(_ value: ExprSyntax) -> String? {
        switch value.kind {
        case .integerLiteralExpr: return "Int"
        case .floatLiteralExpr: return "Double"
        case .booleanLiteralExpr: return "Bool"
        case .stringLiteralExpr: return "String"
        default: break
        }
        let called = value.as(FunctionCallExprSyntax.self)?.calledExpression
        let name = called ?? value.as(MemberAccessExprSyntax.self)?.base
        // Of `NSUUID().uuidString` the type is that of a member.
        guard name?.is(FunctionCallExprSyntax.self) != true else { return nil }
        return name.map(\.trimmedDescription).flatMap { $0.first?.isUppercase == true ? $0 : nil }
    }

    /// A type as it can stand behind `as?`: neither optional nor with attributes.
    private static func plain(_ type: TypeSyntax) -> String {
        if let optional = type.as(OptionalTypeSyntax.self) { return plain(optional.wrappedType) }
        if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return plain(optional.wrappedType) }
        if let attributed = type.as(AttributedTypeSyntax.self) {
            guard attributed.baseType.is(FunctionTypeSyntax.self) else { return plain(attributed.baseType) }
            let kept = attributed.attributes.attributes.map(\.trimmedDescription)
                .filter { $0 != "@escaping" && $0 != "@autoclosure" }
            return "(\((kept + [attributed.baseType.trimmedDescription]).joined(separator: " ")))"
        }
        if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return only.type.is(FunctionTypeSyntax.self) ? tuple.trimmedDescription : plain(only.type)
        }
        return type.is(FunctionTypeSyntax.self) ? "(\(type.trimmedDescription))" : type.trimmedDescription
    }

    private static func isOptional(_ type: TypeSyntax) -> Bool {
        if let attributed = type.as(AttributedTypeSyntax.self) { return isOptional(attributed.baseType) }
        return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }

    // MARK: Actions

    /// A method that can be called by its name.
    struct Action {
        /// Objective-C's name.
        let selector: String
        /// The statement that registers it.
        let statement: String

        /// - Returns: nil if a method cannot be called by its name: if it is static, generic, throws, is asynchronous
        ///   or has more than four arguments.
        init?(_ node: FunctionDeclSyntax, class type: String) {
            let signature = node.signature
            let parameters = Array(signature.parameterClause.parameters)
            guard node.genericParameterClause == nil, signature.effectSpecifiers == nil, parameters.count <= 4,
                !node.modifiers.contains("static"), !node.modifiers.contains("class"),
                !parameters.contains(where: Self.isUnknown)
            else { return nil }
            selector = Outline.Method(node).selector
            let arguments = parameters.enumerated().map { index, parameter in
                let label = parameter.firstName.text == "_" ? "" : "\(parameter.firstName.text): "
                return label + Self.argument(index, parameter.type)
            }
            let isVoid = ["Void", "()", nil].contains(signature.returnClause?.type.trimmedDescription)
            let call = "\(isVoid ? "" : "_ = ")object.\(node.name.text)(\(arguments.joined(separator: ", ")))"
            let names = parameters.isEmpty ? "object, _" : "object, arguments"
            statement =
                "PhoneObject.register(\(type).self, actions: [\(selector.quotedForSwift): { \(names) in "
                + "guard let object = object as? \(type) else { return }; \(call) }])"
        }

        /// Whether no value can be passed to a parameter by a cast.
        private static func isUnknown(_ parameter: FunctionParameterSyntax) -> Bool {
            guard parameter.ellipsis == nil else { return true }
            if parameter.type.is(SomeOrAnyTypeSyntax.self), parameter.type.trimmedDescription.hasPrefix("some ") {
                return true
            }
            let specifiers = parameter.type.as(AttributedTypeSyntax.self)?.specifiers ?? []
            return specifiers.contains { $0.trimmedDescription == "inout" }
        }

        private static func argument(_ index: Int, _ type: TypeSyntax) -> String {
            let (plain, value) = (Registration.plain(type), "arguments[\(index)]")
            switch (plain, Registration.isOptional(type)) {
            case ("Any", true): return value
            case ("Any", false): return "\(value) ?? (\(value) as Any)"
            case ("AnyObject", true): return "\(value).map { $0 as AnyObject }"
            case ("AnyObject", false): return "\(value) as AnyObject"
            case (_, let isOptional): return "\(value) \(isOptional ? "as?" : "as!") \(plain)"
            }
        }
    }

    // MARK: Initializers

    /// The statements for the initializers by which tables and collections make their cells.
    static func makers(of type: String, _ outline: Outline) -> [String] {
        let start = "PhoneObject.register(\(type).self, "
        switch outline.base(type) {
        case "UITableViewCell":
            guard outline.hasInitializer(["style", "reuseIdentifier"], type) else { return [] }
            let parameters = "(style: UITableViewCell.CellStyle, identifier: String?)"
            return [start + "style: { \(parameters) in \(type)(style: style, reuseIdentifier: identifier) })"]
        case "UITableViewHeaderFooterView":
            guard outline.hasInitializer(["reuseIdentifier"], type) else { return [] }
            return [start + "reuseIdentifier: { \(type)(reuseIdentifier: $0) })"]
        case let base? where Metatypes.views.contains(base):
            var makers: [String] = []
            if outline.hasInitializer(["frame"], type) { makers.append(start + "frame: { \(type)(frame: $0) })") }
            if outline.declaresInitializer([], type) { makers.append(start + "plain: { \(type)() })") }
            return makers
        case let base? where base.hasPrefix("UI") && base.hasSuffix("Controller"):
            var makers: [String] = []
            let isUsual = base == "UIViewController" && outline.hasInitializer(["nibName", "bundle"], type)
            if isUsual { makers.append(start + "nib: { \(type)(nibName: $0, bundle: $1) })") }
            if outline.declaresInitializer([], type) { makers.append(start + "plain: { \(type)() })") }
            return makers
        case let base? where ["CA", "AV"].contains(base.prefix(2)) && base.hasSuffix("Layer"):
            return outline.hasInitializer([], type) ? [start + "plain: { \(type)() })"] : []
        default: return []
        }
    }
}

extension String {
    /// The text as a literal.
    var quotedForSwift: String {
        // By scalars: of a quote and an accent, Swift makes one character.
        let scalars = unicodeScalars.map { ["\\", "\""].contains($0) ? "\\\($0)" : "\($0)" }
        return "\"\(scalars.joined())\""
    }
}
