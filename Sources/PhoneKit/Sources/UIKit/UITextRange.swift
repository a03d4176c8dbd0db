// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A place in the text of a field, counted in UTF-16.
open class UITextPosition: NSObject, @unchecked Sendable {
    let offset: Int
    init(_ offset: Int) { self.offset = offset }
}

/// A part of the text of a field.
open class UITextRange: NSObject, @unchecked Sendable {
    public let start: UITextPosition
    public let end: UITextPosition
    init(_ start: Int, _ end: Int) { (self.start, self.end) = (UITextPosition(start), UITextPosition(end)) }
    open var isEmpty: Bool { start.offset == end.offset }
}

/// A view whose text has places.
@preconcurrency @MainActor
public protocol UITextInput: UIKeyInput {
    var selectedTextRange: UITextRange? { get set }
    func text(in range: UITextRange) -> String?
    func replace(_ range: UITextRange, withText text: String)
}

/// The text of a view, for those that have one.
@MainActor
protocol TextHolder: AnyObject {
    var wholeText: String { get set }
}

extension UITextField: TextHolder {
    var wholeText: String {
        get { text ?? "" }
        set { text = newValue }
    }
}

extension UITextView: TextHolder {
    var wholeText: String {
        get { text }
        set { text = newValue }
    }
}

extension TextHolder {
    fileprivate var length: Int { wholeText.utf16.count }

    fileprivate func bounded(_ offset: Int) -> Int { min(max(offset, 0), length) }

    fileprivate func part(_ range: UITextRange) -> NSRange {
        let (start, end) = (bounded(range.start.offset), bounded(range.end.offset))
        return NSRange(location: start, length: max(end - start, 0))
    }

    fileprivate func replace(_ range: UITextRange, _ text: String) {
        wholeText = NSString(string: wholeText).replacingCharacters(in: part(range), with: text)
    }
}

extension UITextField: UITextInput {
    public var beginningOfDocument: UITextPosition { UITextPosition(0) }
    public var endOfDocument: UITextPosition { UITextPosition(length) }
    public func position(from position: UITextPosition, offset: Int) -> UITextPosition? {
        let place = position.offset + offset
        return (0...length).contains(place) ? UITextPosition(place) : nil
    }
    public func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int { toPosition.offset - from.offset }
    public func textRange(from fromPosition: UITextPosition, to toPosition: UITextPosition) -> UITextRange? {
        UITextRange(fromPosition.offset, toPosition.offset)
    }
    public func text(in range: UITextRange) -> String? { NSString(string: wholeText).substring(with: part(range)) }
    public func replace(_ range: UITextRange, withText text: String) { replace(range, text) }
}

extension UITextView: UITextInput {
    public var beginningOfDocument: UITextPosition { UITextPosition(0) }
    public var endOfDocument: UITextPosition { UITextPosition(length) }
    public func position(from position: UITextPosition, offset: Int) -> UITextPosition? {
        let place = position.offset + offset
        return (0...length).contains(place) ? UITextPosition(place) : nil
    }
    public func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int { toPosition.offset - from.offset }
    public func textRange(from fromPosition: UITextPosition, to toPosition: UITextPosition) -> UITextRange? {
        UITextRange(fromPosition.offset, toPosition.offset)
    }
    public var selectedTextRange: UITextRange? {
        get { UITextRange(selectedRange.location, selectedRange.location + selectedRange.length) }
        set { if let newValue { selectedRange = part(newValue) } }
    }
    public func text(in range: UITextRange) -> String? { NSString(string: wholeText).substring(with: part(range)) }
    public func replace(_ range: UITextRange, withText text: String) { replace(range, text) }
}
