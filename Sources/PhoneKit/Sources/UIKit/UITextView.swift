// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON

/// Decides about the editing of a text view.
@preconcurrency @MainActor
public protocol UITextViewDelegate: UIScrollViewDelegate {
    func textViewShouldBeginEditing(_ textView: UITextView) -> Bool
    func textViewDidBeginEditing(_ textView: UITextView)
    func textViewShouldEndEditing(_ textView: UITextView) -> Bool
    func textViewDidEndEditing(_ textView: UITextView)
    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool
    func textViewDidChange(_ textView: UITextView)
    func textViewDidChangeSelection(_ textView: UITextView)
}

extension UITextViewDelegate {
    public func textViewShouldBeginEditing(_ textView: UITextView) -> Bool { true }
    public func textViewDidBeginEditing(_ textView: UITextView) {}
    public func textViewShouldEndEditing(_ textView: UITextView) -> Bool { true }
    public func textViewDidEndEditing(_ textView: UITextView) {}
    public func textView(
        _ textView: UITextView,
        shouldChangeTextIn range: NSRange,
        replacementText text: String
    ) -> Bool { true }
    public func textViewDidChange(_ textView: UITextView) {}
    public func textViewDidChangeSelection(_ textView: UITextView) {}
}

/// A text of several lines, which the user may edit.
@preconcurrency @MainActor
open class UITextView: UIScrollView, UITextInputTraits {
    public static let textDidBeginEditingNotification = NSNotification.Name("UITextViewTextDidBeginEditingNotification")
    public static let textDidChangeNotification = NSNotification.Name("UITextViewTextDidChangeNotification")
    public static let textDidEndEditingNotification = NSNotification.Name("UITextViewTextDidEndEditingNotification")

    private var content = NSAttributedString(string: "") { didSet { changed() } }
    private var accessory: UIView?
    private var keyboard: UIView?
    private var textDelegate: (any UITextViewDelegate)? { delegate as? any UITextViewDelegate }

    open var text: String! {
        get { content.string }
        set { content = NSAttributedString(string: newValue ?? "") }
    }
    open var attributedText: NSAttributedString! {
        get { content }
        set { content = newValue ?? NSAttributedString(string: "") }
    }
    open var font: UIFont? = .systemFont(ofSize: 12) { didSet { changed() } }
    open var textColor: UIColor? = .label { didSet { changed() } }
    open var textAlignment = NSTextAlignment.natural
    open var isEditable = true { didSet { changed() } }
    open var isSelectable = true
    open var selectedRange = NSRange(location: 0, length: 0)
    open var dataDetectorTypes: UIDataDetectorTypes = []
    open var textContainerInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0)
    open var linkTextAttributes: [NSAttributedString.Key: Any]! = [:]
    open var typingAttributes: [NSAttributedString.Key: Any] = [:]
    open var adjustsFontForContentSizeCategory = false
    open var hasText: Bool { content.length > 0 }
    open private(set) lazy var textContainer = NSTextContainer()

    open var keyboardType = UIKeyboardType.default
    open var returnKeyType = UIReturnKeyType.default
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    open var autocorrectionType = UITextAutocorrectionType.default
    open var spellCheckingType = UITextSpellCheckingType.default
    open var keyboardAppearance = UIKeyboardAppearance.default
    open var textContentType: UITextContentType!
    open var isSecureTextEntry = false
    open var enablesReturnKeyAutomatically = false

    public init(frame: CGRect, textContainer: NSTextContainer?) { super.init(frame: frame) }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open override var inputAccessoryView: UIView? {
        get { accessory }
        set { accessory = newValue }
    }
    open override var inputView: UIView? {
        get { keyboard }
        set { keyboard = newValue }
    }
    open func scrollRangeToVisible(_ range: NSRange) {}
    open func insertText(_ text: String) { replace(with: content.string + text) }
    open func deleteBackward() { replace(with: String(content.string.dropLast())) }

    open override var canBecomeFirstResponder: Bool { isEditable && isUserInteractionEnabled }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard canBecomeFirstResponder, textDelegate?.textViewShouldBeginEditing(self) ?? true,
            super.becomeFirstResponder()
        else { return false }
        textDelegate?.textViewDidBeginEditing(self)
        NotificationCenter.default.post(name: Self.textDidBeginEditingNotification, object: self)
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard textDelegate?.textViewShouldEndEditing(self) ?? true, super.resignFirstResponder() else { return false }
        textDelegate?.textViewDidEndEditing(self)
        NotificationCenter.default.post(name: Self.textDidEndEditingNotification, object: self)
        return true
    }

    private func replace(with new: String) {
        let range = NSRange(location: 0, length: content.length)
        guard new != content.string,
            textDelegate?.textView(self, shouldChangeTextIn: range, replacementText: new) ?? true
        else { return }
        text = new
        textDelegate?.textViewDidChange(self)
        textDelegate?.textViewDidChangeSelection(self)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
    }

    override func node(_ drawing: Drawing) -> Node? {
        guard isEditable else {
            guard !content.string.allSatisfy(\.isWhitespace) else { return nil }
            let look = Node.look(color: textColor, isBold: font?.isBold == true)
            return drawing.text(content.string, of: self, font, textAlignment, look)
        }
        let id = drawing.id(of: self, "field")
        drawing.react(id, self) { [unowned self] value in
            guard becomeFirstResponder() else { return }
            replace(with: value?.asText ?? content.string)
            resignFirstResponder()
        }
        return drawing.field(id: id, value: content.string, placeholder: "", isEnabled: isUserInteractionEnabled)
    }
}

public struct UIDataDetectorTypes: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let phoneNumber = UIDataDetectorTypes(rawValue: 1)
    public static let link = UIDataDetectorTypes(rawValue: 2)
    public static let address = UIDataDetectorTypes(rawValue: 4)
    public static let all = UIDataDetectorTypes(rawValue: .max)
}

/// Where a text is laid out; kept.
open class NSTextContainer: NSObject, @unchecked Sendable {
    open var lineFragmentPadding: CGFloat = 5
    open var maximumNumberOfLines = 0
    open var lineBreakMode = NSLineBreakMode.byWordWrapping
}
