// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

extension NSAttributedString.Key {
    public static let font = NSAttributedString.Key("NSFont")
    public static let paragraphStyle = NSAttributedString.Key("NSParagraphStyle")
    public static let foregroundColor = NSAttributedString.Key("NSColor")
    public static let backgroundColor = NSAttributedString.Key("NSBackgroundColor")
    public static let ligature = NSAttributedString.Key("NSLigature")
    public static let kern = NSAttributedString.Key("NSKern")
    public static let strikethroughStyle = NSAttributedString.Key("NSStrikethrough")
    public static let strikethroughColor = NSAttributedString.Key("NSStrikethroughColor")
    public static let underlineStyle = NSAttributedString.Key("NSUnderline")
    public static let underlineColor = NSAttributedString.Key("NSUnderlineColor")
    public static let strokeColor = NSAttributedString.Key("NSStrokeColor")
    public static let strokeWidth = NSAttributedString.Key("NSStrokeWidth")
    public static let shadow = NSAttributedString.Key("NSShadow")
    public static let attachment = NSAttributedString.Key("NSAttachment")
    public static let link = NSAttributedString.Key("NSLink")
    public static let baselineOffset = NSAttributedString.Key("NSBaselineOffset")
    public static let obliqueness = NSAttributedString.Key("NSObliqueness")
    public static let expansion = NSAttributedString.Key("NSExpansion")
    public static let textEffect = NSAttributedString.Key("NSTextEffect")
    public static let tracking = NSAttributedString.Key("NSTracking")
    public static let writingDirection = NSAttributedString.Key("NSWritingDirection")
    public static let accessibilitySpeechLanguage = NSAttributedString.Key("UIAccessibilitySpeechAttributeLanguage")
}

public struct NSUnderlineStyle: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let single = NSUnderlineStyle(rawValue: 1)
    public static let thick = NSUnderlineStyle(rawValue: 2)
    public static let double = NSUnderlineStyle(rawValue: 9)
    public static let patternDot = NSUnderlineStyle(rawValue: 0x100)
    public static let patternDash = NSUnderlineStyle(rawValue: 0x200)
    public static let patternDashDot = NSUnderlineStyle(rawValue: 0x300)
    public static let patternDashDotDot = NSUnderlineStyle(rawValue: 0x400)
    public static let byWord = NSUnderlineStyle(rawValue: 0x8000)
}

public enum NSTextAlignment: Int, Sendable {
    case left, center, right, justified, natural
}

public enum NSLineBreakMode: Int, Sendable {
    case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail, byTruncatingMiddle
}

/// How a paragraph is laid out.
open class NSParagraphStyle: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    public struct LineBreakStrategy: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let standard = LineBreakStrategy(rawValue: 0xFFFF)
        public static let pushOut = LineBreakStrategy(rawValue: 1)
    }

    struct Values {
        var alignment = NSTextAlignment.natural
        var lineSpacing: CGFloat = 0
        var paragraphSpacing: CGFloat = 0
        var lineBreakMode = NSLineBreakMode.byWordWrapping
        var lineHeightMultiple: CGFloat = 0
        var minimumLineHeight: CGFloat = 0
        var maximumLineHeight: CGFloat = 0
        var firstLineHeadIndent: CGFloat = 0
        var headIndent: CGFloat = 0
        var tailIndent: CGFloat = 0
        var defaultTabInterval: CGFloat = 0
        var tabStops: [NSTextTab]! = []
        var lineBreakStrategy: LineBreakStrategy = []
        var allowsDefaultTighteningForTruncation: Bool = false
        var baseWritingDirection: NSWritingDirection = .natural
        var paragraphSpacingBefore: CGFloat = 0
        var hyphenationFactor: Float = 0
    }

    var values = Values()
    public override init() {}
    open class var `default`: NSParagraphStyle { NSParagraphStyle() }

    open var alignment: NSTextAlignment { values.alignment }
    open var lineSpacing: CGFloat { values.lineSpacing }
    open var paragraphSpacing: CGFloat { values.paragraphSpacing }
    open var lineBreakMode: NSLineBreakMode { values.lineBreakMode }
    open var lineHeightMultiple: CGFloat { values.lineHeightMultiple }
    open var minimumLineHeight: CGFloat { values.minimumLineHeight }
    open var maximumLineHeight: CGFloat { values.maximumLineHeight }
    open var firstLineHeadIndent: CGFloat { values.firstLineHeadIndent }
    open var headIndent: CGFloat { values.headIndent }
    open var tailIndent: CGFloat { values.tailIndent }
    open var defaultTabInterval: CGFloat { values.defaultTabInterval }
    open var tabStops: [NSTextTab]! { values.tabStops }
    open var lineBreakStrategy: LineBreakStrategy { values.lineBreakStrategy }
    open var allowsDefaultTighteningForTruncation: Bool { values.allowsDefaultTighteningForTruncation }
    open var baseWritingDirection: NSWritingDirection { values.baseWritingDirection }
    open var paragraphSpacingBefore: CGFloat { values.paragraphSpacingBefore }
    open var hyphenationFactor: Float { values.hyphenationFactor }

    open func copy(with zone: NSZone? = nil) -> Any { copied(NSParagraphStyle()) }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { copied(NSMutableParagraphStyle()) }
    private func copied(_ copy: NSParagraphStyle) -> NSParagraphStyle {
        copy.values = values
        return copy
    }
}

open class NSMutableParagraphStyle: NSParagraphStyle, @unchecked Sendable {
    open override var alignment: NSTextAlignment {
        get { values.alignment }
        set { values.alignment = newValue }
    }
    open override var lineSpacing: CGFloat {
        get { values.lineSpacing }
        set { values.lineSpacing = newValue }
    }
    open override var paragraphSpacing: CGFloat {
        get { values.paragraphSpacing }
        set { values.paragraphSpacing = newValue }
    }
    open override var lineBreakMode: NSLineBreakMode {
        get { values.lineBreakMode }
        set { values.lineBreakMode = newValue }
    }
    open override var lineHeightMultiple: CGFloat {
        get { values.lineHeightMultiple }
        set { values.lineHeightMultiple = newValue }
    }
    open override var minimumLineHeight: CGFloat {
        get { values.minimumLineHeight }
        set { values.minimumLineHeight = newValue }
    }
    open override var maximumLineHeight: CGFloat {
        get { values.maximumLineHeight }
        set { values.maximumLineHeight = newValue }
    }
    open override var firstLineHeadIndent: CGFloat {
        get { values.firstLineHeadIndent }
        set { values.firstLineHeadIndent = newValue }
    }
    open override var headIndent: CGFloat {
        get { values.headIndent }
        set { values.headIndent = newValue }
    }
    open override var hyphenationFactor: Float {
        get { values.hyphenationFactor }
        set { values.hyphenationFactor = newValue }
    }
    open override var paragraphSpacingBefore: CGFloat {
        get { values.paragraphSpacingBefore }
        set { values.paragraphSpacingBefore = newValue }
    }
    open override var baseWritingDirection: NSWritingDirection {
        get { values.baseWritingDirection }
        set { values.baseWritingDirection = newValue }
    }
    open override var allowsDefaultTighteningForTruncation: Bool {
        get { values.allowsDefaultTighteningForTruncation }
        set { values.allowsDefaultTighteningForTruncation = newValue }
    }
    open override var lineBreakStrategy: LineBreakStrategy {
        get { values.lineBreakStrategy }
        set { values.lineBreakStrategy = newValue }
    }
    open override var tabStops: [NSTextTab]! {
        get { values.tabStops }
        set { values.tabStops = newValue }
    }
    open override var defaultTabInterval: CGFloat {
        get { values.defaultTabInterval }
        set { values.defaultTabInterval = newValue }
    }
    open override var tailIndent: CGFloat {
        get { values.tailIndent }
        set { values.tailIndent = newValue }
    }
}

public enum NSWritingDirection: Int, Sendable {
    case natural = -1
    case leftToRight, rightToLeft
}

/// A stop of a tabulator; kept.
open class NSTextTab: NSObject, @unchecked Sendable {
    public struct OptionKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    public let alignment: NSTextAlignment
    public let location: CGFloat
    public init(textAlignment alignment: NSTextAlignment, location loc: CGFloat, options: [OptionKey: Any] = [:]) {
        (self.alignment, location) = (alignment, loc)
    }
}

/// A shadow of a text; kept.
open class NSShadow: NSObject, @unchecked Sendable {
    open var shadowOffset = CGSize.zero
    open var shadowBlurRadius: CGFloat = 0
    open var shadowColor: Any?
    public override init() {}
}

/// An image in a text, which stands there as one character.
open class NSTextAttachment: NSObject, @unchecked Sendable {
    open var image: UIImage?
    open var bounds = CGRect.zero
    public override init() {}
    public init(image: UIImage) { self.image = image }
}

extension NSAttributedString {
    /// Whether all of the text has the same value of an attribute.
    func isUniform(_ key: Key) -> Bool {
        guard length > 0 else { return true }
        var range = NSRange()
        _ = attribute(key, at: 0, longestEffectiveRange: &range, in: NSRange(location: 0, length: length))
        return range.length == length
    }

    /// A text of one image.
    public convenience init(attachment: NSTextAttachment) {
        // No character stands for the image: a terminal would show it as a box.
        self.init(string: "", attributes: [.attachment: attachment])
    }

    /// The size that a text has, estimated.
    public func size() -> CGSize {
        let font = length > 0 ? attribute(.font, at: 0, effectiveRange: nil) as? UIFont : nil
        return TextSize.size(of: string, font, width: .greatestFiniteMagnitude)
    }

    /// Leaves out the drawing in the current graphics context, which has no picture here.
    public func draw(in rect: CGRect) {}
    /// Leaves out the drawing in the current graphics context, which has no picture here.
    public func draw(at point: CGPoint) {}
    /// Leaves out the drawing in the current graphics context, which has no picture here.
    public func draw(with rect: CGRect, options: NSStringDrawingOptions = [], context: NSStringDrawingContext?) {}

    /// The place that a text takes, estimated.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        context: NSStringDrawingContext?
    ) -> CGRect {
        let font = length > 0 ? attribute(.font, at: 0, effectiveRange: nil) as? UIFont : nil
        return CGRect(origin: .zero, size: TextSize.size(of: string, font, width: size.width))
    }
}

public struct NSStringDrawingOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1)
    public static let usesFontLeading = NSStringDrawingOptions(rawValue: 2)
    public static let truncatesLastVisibleLine = NSStringDrawingOptions(rawValue: 32)
}

open class NSStringDrawingContext: NSObject, @unchecked Sendable {
    open var minimumScaleFactor: CGFloat = 0
    open var actualScaleFactor: CGFloat { 1 }
    open var totalBounds: CGRect { .zero }
}

extension NSString {
    /// The size that a text has, estimated.
    public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        TextSize.size(of: description, attributes?[.font] as? UIFont, width: .greatestFiniteMagnitude)
    }
    /// Leaves out the drawing in the current graphics context, which has no picture here.
    public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {}
    /// Leaves out the drawing in the current graphics context, which has no picture here.
    public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {}
    /// The place that a text takes, estimated.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil,
        context: NSStringDrawingContext?
    ) -> CGRect {
        CGRect(
            origin: .zero,
            size: TextSize.size(of: description, attributes?[.font] as? UIFont, width: size.width)
        )
    }
}

extension String {
    /// Leaves out the drawing in the current graphics context, which has no picture here.
    public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {}
    /// Leaves out the drawing in the current graphics context, which has no picture here.
    public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {}
    /// The size that a text has, estimated.
    public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        NSString(string: self).size(withAttributes: attributes)
    }
    /// The place that a text takes, estimated.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil,
        context: NSStringDrawingContext?
    ) -> CGRect {
        NSString(string: self).boundingRect(with: size, options: options, attributes: attributes, context: context)
    }
}
