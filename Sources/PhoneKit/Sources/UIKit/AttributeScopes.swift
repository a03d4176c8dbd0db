// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

extension AttributeScopes {
    public struct UIKitAttributes: AttributeScope {
        public let font: FontAttribute
        public let paragraphStyle: ParagraphStyleAttribute
        public let foregroundColor: ForegroundColorAttribute
        public let backgroundColor: BackgroundColorAttribute
        public let ligature: LigatureAttribute
        public let kern: KernAttribute
        public let tracking: TrackingAttribute
        public let strikethroughStyle: StrikethroughStyleAttribute
        public let underlineStyle: UnderlineStyleAttribute
        public let strokeColor: StrokeColorAttribute
        public let strokeWidth: StrokeWidthAttribute
        public let shadow: ShadowAttribute
        public let baselineOffset: BaselineOffsetAttribute
        public let underlineColor: UnderlineColorAttribute
        public let strikethroughColor: StrikethroughColorAttribute
        public let obliqueness: ObliquenessAttribute
        public let foundation: AttributeScopes.FoundationAttributes
    }

    public var uiKit: UIKitAttributes.Type { UIKitAttributes.self }
}

extension AttributeDynamicLookup {
    public subscript<T: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.UIKitAttributes, T>
    ) -> T { self[T.self] }
}

extension AttributeScopes.UIKitAttributes {
    public enum FontAttribute: AttributedStringKey {
        public typealias Value = UIFont
        public static let name = "NSFont"
    }
    public enum ParagraphStyleAttribute: AttributedStringKey {
        public typealias Value = NSParagraphStyle
        public static let name = "NSParagraphStyle"
    }
    public enum ForegroundColorAttribute: AttributedStringKey {
        public typealias Value = UIColor
        public static let name = "NSColor"
    }
    public enum BackgroundColorAttribute: AttributedStringKey {
        public typealias Value = UIColor
        public static let name = "NSBackgroundColor"
    }
    public enum LigatureAttribute: AttributedStringKey {
        public typealias Value = Int
        public static let name = "NSLigature"
    }
    public enum KernAttribute: AttributedStringKey {
        public typealias Value = CGFloat
        public static let name = "NSKern"
    }
    public enum TrackingAttribute: AttributedStringKey {
        public typealias Value = CGFloat
        public static let name = "NSTracking"
    }
    public enum StrikethroughStyleAttribute: AttributedStringKey {
        public typealias Value = NSUnderlineStyle
        public static let name = "NSStrikethrough"
    }
    public enum UnderlineStyleAttribute: AttributedStringKey {
        public typealias Value = NSUnderlineStyle
        public static let name = "NSUnderline"
    }
    public enum StrokeColorAttribute: AttributedStringKey {
        public typealias Value = UIColor
        public static let name = "NSStrokeColor"
    }
    public enum StrokeWidthAttribute: AttributedStringKey {
        public typealias Value = CGFloat
        public static let name = "NSStrokeWidth"
    }
    public enum ShadowAttribute: AttributedStringKey {
        public typealias Value = NSShadow
        public static let name = "NSShadow"
    }
    public enum BaselineOffsetAttribute: AttributedStringKey {
        public typealias Value = CGFloat
        public static let name = "NSBaselineOffset"
    }
    public enum UnderlineColorAttribute: AttributedStringKey {
        public typealias Value = UIColor
        public static let name = "NSUnderlineColor"
    }
    public enum StrikethroughColorAttribute: AttributedStringKey {
        public typealias Value = UIColor
        public static let name = "NSStrikethroughColor"
    }
    public enum ObliquenessAttribute: AttributedStringKey {
        public typealias Value = CGFloat
        public static let name = "NSObliqueness"
    }
}

extension NSAttributedString {
    /// The same text; of the attributes only the first run's font is kept, which says the role of the text.
    public convenience init(_ attrStr: AttributedString) {
        let font = attrStr.runs.first?[AttributeScopes.UIKitAttributes.FontAttribute.self]
        self.init(string: String(attrStr.characters), attributes: font.map { [.font: $0] })
    }
}

extension AttributedString {
    /// The same text, with the font of its beginning.
    public init(_ nsStr: NSAttributedString) {
        self.init(nsStr.string)
        guard nsStr.length > 0, let font = nsStr.attribute(.font, at: 0, effectiveRange: nil) as? UIFont else { return }
        self[AttributeScopes.UIKitAttributes.FontAttribute.self] = font
    }
}
