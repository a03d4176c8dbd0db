// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON

/// What a keyboard looks like and how it treats a text; kept, since there is no keyboard.
@preconcurrency @MainActor
public protocol UITextInputTraits: NSObjectProtocol {
    var keyboardType: UIKeyboardType { get set }
    var returnKeyType: UIReturnKeyType { get set }
    var autocapitalizationType: UITextAutocapitalizationType { get set }
    var autocorrectionType: UITextAutocorrectionType { get set }
    var spellCheckingType: UITextSpellCheckingType { get set }
    var keyboardAppearance: UIKeyboardAppearance { get set }
    var textContentType: UITextContentType! { get set }
    var isSecureTextEntry: Bool { get set }
    var smartQuotesType: UITextSmartQuotesType { get set }
    var smartDashesType: UITextSmartDashesType { get set }
    var smartInsertDeleteType: UITextSmartInsertDeleteType { get set }
    var passwordRules: UITextInputPasswordRules? { get set }
    var enablesReturnKeyAutomatically: Bool { get set }
}

/// A view that gets keys.
@preconcurrency @MainActor
public protocol UIKeyInput: UITextInputTraits {
    var hasText: Bool { get }
    func insertText(_ text: String)
    func deleteBackward()
}

extension UITextInputTraits {
    public var keyboardType: UIKeyboardType {
        get { .default }
        set {}
    }
    public var returnKeyType: UIReturnKeyType {
        get { .default }
        set {}
    }
    public var autocapitalizationType: UITextAutocapitalizationType {
        get { .sentences }
        set {}
    }
    public var autocorrectionType: UITextAutocorrectionType {
        get { .default }
        set {}
    }
    public var spellCheckingType: UITextSpellCheckingType {
        get { .default }
        set {}
    }
    public var keyboardAppearance: UIKeyboardAppearance {
        get { .default }
        set {}
    }
    public var textContentType: UITextContentType! {
        get { nil }
        set {}
    }
    public var isSecureTextEntry: Bool {
        get { false }
        set {}
    }
    public var smartQuotesType: UITextSmartQuotesType {
        get { .default }
        set {}
    }
    public var smartDashesType: UITextSmartDashesType {
        get { .default }
        set {}
    }
    public var smartInsertDeleteType: UITextSmartInsertDeleteType {
        get { .default }
        set {}
    }
    public var passwordRules: UITextInputPasswordRules? {
        get { nil }
        set {}
    }
    public var enablesReturnKeyAutomatically: Bool {
        get { false }
        set {}
    }
}

public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad, emailAddress
    case decimalPad, twitter, webSearch, asciiCapableNumberPad
}

public enum UIReturnKeyType: Int, Sendable {
    case `default`, go, google, join, next, route, search, send, yahoo, done, emergencyCall, `continue`
}

public enum UITextAutocapitalizationType: Int, Sendable {
    case none, words, sentences, allCharacters
}

public enum UITextAutocorrectionType: Int, Sendable {
    case `default`, no, yes
}

public enum UITextSpellCheckingType: Int, Sendable {
    case `default`, no, yes
}

public enum UITextSmartQuotesType: Int, Sendable {
    case `default`, no, yes
}

public enum UITextSmartDashesType: Int, Sendable {
    case `default`, no, yes
}

public enum UITextSmartInsertDeleteType: Int, Sendable {
    case `default`, no, yes
}

/// What a password must be like; kept.
open class UITextInputPasswordRules: NSObject, @unchecked Sendable {
    public let passwordRulesDescriptor: String
    public init(descriptor passwordRulesDescriptor: String) { self.passwordRulesDescriptor = passwordRulesDescriptor }
}

public enum UIKeyboardAppearance: Int, Sendable {
    case `default`, dark, light
    public static let alert = UIKeyboardAppearance.dark
}

public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let name = UITextContentType(rawValue: "name")
    public static let givenName = UITextContentType(rawValue: "given-name")
    public static let familyName = UITextContentType(rawValue: "family-name")
    public static let emailAddress = UITextContentType(rawValue: "email")
    public static let telephoneNumber = UITextContentType(rawValue: "tel")
    public static let username = UITextContentType(rawValue: "username")
    public static let password = UITextContentType(rawValue: "password")
    public static let newPassword = UITextContentType(rawValue: "new-password")
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
    public static let postalCode = UITextContentType(rawValue: "postal-code")
    public static let URL = UITextContentType(rawValue: "url")
}

/// Decides about the editing of a text field.
@preconcurrency @MainActor
public protocol UITextFieldDelegate: NSObjectProtocol {
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    func textFieldDidBeginEditing(_ textField: UITextField)
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    func textFieldDidEndEditing(_ textField: UITextField)
    func textFieldDidEndEditing(_ textField: UITextField, reason: UITextField.DidEndEditingReason)
    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool
    func textFieldDidChangeSelection(_ textField: UITextField)
    func textFieldShouldClear(_ textField: UITextField) -> Bool
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    public func textFieldDidEndEditing(_ textField: UITextField, reason: UITextField.DidEndEditingReason) {
        textFieldDidEndEditing(textField)
    }
    public func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool { true }
    public func textFieldDidChangeSelection(_ textField: UITextField) {}
    public func textFieldShouldClear(_ textField: UITextField) -> Bool { true }
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}

/// A field for a line of text.
@preconcurrency @MainActor
open class UITextField: UIControl, UITextInputTraits {
    public enum BorderStyle: Int, Sendable {
        case none, line, bezel, roundedRect
    }
    public enum ViewMode: Int, Sendable {
        case never, whileEditing, unlessEditing, always
    }
    public enum DidEndEditingReason: Int, Sendable {
        case committed
    }

    public static let textDidBeginEditingNotification = NSNotification.Name(
        "UITextFieldTextDidBeginEditingNotification"
    )
    public static let textDidChangeNotification = NSNotification.Name("UITextFieldTextDidChangeNotification")
    public static let textDidEndEditingNotification = NSNotification.Name("UITextFieldTextDidEndEditingNotification")

    private var content = "" { didSet { changed() } }
    private var accessory: UIView?
    private var keyboard: UIView?

    open weak var delegate: (any UITextFieldDelegate)?
    open var text: String? {
        get { content }
        set { content = newValue ?? "" }
    }
    open var attributedText: NSAttributedString? {
        get { NSAttributedString(string: content) }
        set { content = newValue?.string ?? "" }
    }
    open var placeholder: String? { didSet { changed() } }
    open var attributedPlaceholder: NSAttributedString? { didSet { placeholder = attributedPlaceholder?.string } }
    open var font: UIFont? = .systemFont(ofSize: 17)
    open var textColor: UIColor? = .label
    open var textAlignment = NSTextAlignment.natural
    open var borderStyle = BorderStyle.none
    open var clearsOnBeginEditing = false
    open var clearsOnInsertion = false
    open var adjustsFontSizeToFitWidth = false
    open var adjustsFontForContentSizeCategory = false
    open var minimumFontSize: CGFloat = 0
    open var clearButtonMode = ViewMode.never
    open var leftView: UIView?
    open var leftViewMode = ViewMode.never
    open var rightView: UIView?
    open var rightViewMode = ViewMode.never
    open var background: UIImage?
    open var disabledBackground: UIImage?
    open var defaultTextAttributes: [NSAttributedString.Key: Any] = [:]
    open var typingAttributes: [NSAttributedString.Key: Any]?
    /// What is selected: nothing, at the end, unless the extension says otherwise.
    open var selectedTextRange: UITextRange?
    open var isEditing: Bool { isFirstResponder }
    open var hasText: Bool { !content.isEmpty }

    open var keyboardType = UIKeyboardType.default
    open var returnKeyType = UIReturnKeyType.default
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    open var autocorrectionType = UITextAutocorrectionType.default
    open var spellCheckingType = UITextSpellCheckingType.default
    open var keyboardAppearance = UIKeyboardAppearance.default
    open var textContentType: UITextContentType!
    open var isSecureTextEntry = false
    open var enablesReturnKeyAutomatically = false

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    open override var inputAccessoryView: UIView? {
        get { accessory }
        set { accessory = newValue }
    }
    open override var inputView: UIView? {
        get { keyboard }
        set { keyboard = newValue }
    }

    open func textRect(forBounds bounds: CGRect) -> CGRect { bounds }
    open func editingRect(forBounds bounds: CGRect) -> CGRect { bounds }
    open func placeholderRect(forBounds bounds: CGRect) -> CGRect { bounds }
    open func insertText(_ text: String) { replace(with: content + text) }
    open func deleteBackward() { replace(with: String(content.dropLast())) }
    open func selectAll(_ sender: Any?) {}

    // MARK: Editing

    open override var canBecomeFirstResponder: Bool { takesTouches }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard canBecomeFirstResponder, delegate?.textFieldShouldBeginEditing(self) ?? true,
            super.becomeFirstResponder()
        else { return false }
        if clearsOnBeginEditing { content = "" }
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin)
        NotificationCenter.default.post(name: Self.textDidBeginEditingNotification, object: self)
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard delegate?.textFieldShouldEndEditing(self) ?? true, super.resignFirstResponder() else { return false }
        delegate?.textFieldDidEndEditing(self, reason: .committed)
        sendActions(for: .editingDidEnd)
        NotificationCenter.default.post(name: Self.textDidEndEditingNotification, object: self)
        return true
    }

    private func replace(with new: String) {
        let range = NSRange(location: 0, length: content.utf16.count)
        guard new != content,
            delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: new) ?? true
        else { return }
        content = new
        sendActions(for: .editingChanged)
        delegate?.textFieldDidChangeSelection(self)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
    }

    /// What a user does who taps the field, replaces its text, and presses Return.
    private func enter(_ text: String) {
        guard takesTouches, becomeFirstResponder() else { return }
        sendActions(for: .touchDown)
        replace(with: text)
        if delegate?.textFieldShouldReturn(self) ?? true {
            sendActions(for: [.primaryActionTriggered, .editingDidEndOnExit])
        }
        resignFirstResponder()
    }

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "field")
        drawing.react(id, self) { [unowned self] value in enter(value.map(\.asText) ?? content) }
        let shown = isSecureTextEntry ? String(repeating: "•", count: content.count) : content
        return drawing.field(id: id, value: shown, placeholder: placeholder ?? "", isEnabled: takesTouches)
    }
}
