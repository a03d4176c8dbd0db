internal import SwiftSyntax

/// Finds objects that only a metatype makes, such as `T()` for a generic `T: UIView`: on a phone Objective-C finds the
/// initializer of the class, and here `PhoneObject.make` does.
struct Metatypes {
    private enum Kind {
        case view, controller
    }

    private struct Name {
        let name: String
        /// Whether the name is a value, as `type` in `type: T.Type`; otherwise it is a type.
        let isValue: Bool
        let kind: Kind
    }

    private let outline: Outline
    private var scopes: [[Name]] = []

    init(_ outline: Outline) { self.outline = outline }

    // MARK: Scopes

    /// Enters a type or a function with generic parameters, where `T: UIView` may stand behind the name or a `where`.
    ///
    /// - Parameters:
    ///   - generics: The generic parameters.
    ///   - conditions: What stands behind `where`.
    ///   - parameters: The parameters of a function, of which some may be metatypes.
    ///   - own: The name of the type, for `Self`.
    mutating func enter(
        _ generics: GenericParameterClauseSyntax?,
        _ conditions: GenericWhereClauseSyntax?,
        _ parameters: FunctionParameterClauseSyntax? = nil,
        own: String? = nil
    ) {
        scopes.append([])
        if let own, let kind = kind(of: own) {
            scopes[scopes.count - 1].append(Name(name: "Self", isValue: false, kind: kind))
        }
        for parameter in generics?.parameters ?? [] {
            add(parameter.name.text, isValue: false, parameter.inheritedType)
        }
        for requirement in conditions?.requirements ?? [] {
            guard let inherited = requirement.requirement.as(ConformanceRequirementSyntax.self) else { continue }
            add(inherited.leftType.trimmedDescription, isValue: false, inherited.rightType)
        }
        for parameter in parameters?.parameters ?? [] {
            guard let metatype = parameter.type.as(MetatypeTypeSyntax.self) else { continue }
            let name = (parameter.secondName ?? parameter.firstName).text
            add(name, isValue: true, metatype.baseType)
        }
    }

    /// Enters a static function, in which `self` is a metatype.
    mutating func enterStatic() {
        guard let own = find("Self", isValue: false) else { return scopes.append([]) }
        scopes.append([Name(name: "self", isValue: true, kind: own.kind)])
    }

    mutating func leave() { scopes.removeLast() }

    private mutating func add(_ name: String, isValue: Bool, _ bound: TypeSyntax?) {
        guard let bound else { return }
        let parts = bound.as(CompositionTypeSyntax.self)?.elements.map { $0.type } ?? [bound]
        for part in parts {
            guard let kind = kind(of: part.trimmedDescription) else { continue }
            scopes[scopes.count - 1].append(Name(name: name, isValue: isValue, kind: kind))
        }
    }

    private func find(_ name: String, isValue: Bool) -> Name? {
        scopes.reversed().lazy.joined().first { $0.name == name && $0.isValue == isValue }
    }

    /// Whether a class, or the generic parameter of that name, is one of views or of controllers.
    private func kind(of name: String) -> Kind? {
        if let known = find(name, isValue: false) { return known.kind }
        let base = outline.isClass(name) ? outline.base(name) ?? "" : name
        guard base.hasPrefix("UI"), base.dropFirst(2).first?.isUppercase == true else { return nil }
        if base.hasSuffix("Controller") { return .controller }
        return Self.views.contains(base) ? .view : nil
    }

    /// The views of UIKit that engineers make generic code for.
    static let views: Set = [
        "UIActivityIndicatorView", "UIButton", "UICollectionReusableView", "UICollectionViewCell", "UIControl",
        "UIDatePicker", "UIImageView", "UILabel", "UIPageControl", "UIPickerView", "UIProgressView", "UIScrollView",
        "UISearchBar", "UISegmentedControl", "UISlider", "UIStackView", "UISwitch", "UITableViewCell", "UITextField",
        "UIView",
    ]

    // MARK: Calls

    /// What stands in place of the called expression and before the first argument; nil if the call stays.
    func replacement(of call: FunctionCallExprSyntax) -> (callee: String, first: String)? {
        guard call.leftParen != nil, let (name, type) = metatype(of: call.calledExpression) else { return nil }
        switch (name.kind, call.arguments.map { $0.label?.text }) {
        case (_, []): return ("PhoneObject.make", type)
        case (.view, ["frame"]), (.view, ["style", "reuseIdentifier"]), (.controller, ["nibName", "bundle"]):
            return ("PhoneObject.make", "\(type), ")
        default: return nil
        }
    }

    /// The metatype whose initializer is called: `T` in `T()` and `T.init()`, `type` in `type.init()`.
    private func metatype(of callee: ExprSyntax) -> (Name, String)? {
        if let reference = callee.as(DeclReferenceExprSyntax.self) {
            let name = reference.baseName.text
            return find(name, isValue: false).map { ($0, "\(name).self") }
        }
        guard let member = callee.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "init",
            let name = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text
        else { return nil }
        return find(name, isValue: true).map { ($0, name) } ?? find(name, isValue: false).map { ($0, "\(name).self") }
    }
}
