// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A font: only its size, its weight and its role matter, for the role of the text that is shown.
open class UIFont: NSObject, NSCopying, @unchecked Sendable {
    /// The role of a text.
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        private init(_ name: String) { rawValue = "UICTFontTextStyle" + name }
        public static let extraLargeTitle = TextStyle("ExtraLargeTitle")
        public static let largeTitle = TextStyle("Title0")
        public static let title1 = TextStyle("Title1")
        public static let title2 = TextStyle("Title2")
        public static let title3 = TextStyle("Title3")
        public static let headline = TextStyle("Headline")
        public static let subheadline = TextStyle("Subhead")
        public static let body = TextStyle("Body")
        public static let callout = TextStyle("Callout")
        public static let footnote = TextStyle("Footnote")
        public static let caption1 = TextStyle("Caption1")
        public static let caption2 = TextStyle("Caption2")

        private static let sizes: [TextStyle: CGFloat] = [
            extraLargeTitle: 36, largeTitle: 34, title1: 28, title2: 22, title3: 20, headline: 17, subheadline: 15,
            body: 17, callout: 16, footnote: 13, caption1: 12, caption2: 11,
        ]

        /// The size on a phone with the usual size of text.
        var size: CGFloat { Self.sizes[self] ?? 17 }
    }

    /// How heavy a font is.
    public struct Weight: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }
        public static let ultraLight = Weight(-0.8)
        public static let thin = Weight(-0.6)
        public static let light = Weight(-0.4)
        public static let regular = Weight(0)
        public static let medium = Weight(0.23)
        public static let semibold = Weight(0.3)
        public static let bold = Weight(0.4)
        public static let heavy = Weight(0.56)
        public static let black = Weight(0.62)
    }

    /// The size in points.
    public let pointSize: CGFloat
    /// The name.
    public let fontName: String
    let weight: Weight
    let style: TextStyle?

    init(name: String, size: CGFloat, weight: Weight, style: TextStyle? = nil) {
        (fontName, pointSize, self.weight, self.style) = (name, size, weight, style)
    }

    /// A font of the app or of the system; what is bold is read from its name.
    public convenience init?(name fontName: String, size fontSize: CGFloat) {
        guard !fontName.isEmpty else { return nil }
        let isBold = ["bold", "heavy", "black"].contains { fontName.lowercased().contains($0) }
        self.init(name: fontName, size: fontSize == 0 ? 12 : fontSize, weight: isBold ? .bold : .regular)
    }

    /// A font of that descriptor; a size of 0 keeps the descriptor's.
    public convenience init(descriptor: UIFontDescriptor, size pointSize: CGFloat) {
        self.init(
            name: descriptor.name,
            size: pointSize == 0 ? descriptor.pointSize : pointSize,
            weight: descriptor.symbolicTraits.contains(.traitBold) ? .bold : .regular
        )
    }

    open class func systemFont(ofSize fontSize: CGFloat) -> UIFont { systemFont(ofSize: fontSize, weight: .regular) }
    open class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(name: ".SFUI-Regular", size: fontSize, weight: weight)
    }
    open class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { systemFont(ofSize: fontSize, weight: .bold) }
    open class func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont { systemFont(ofSize: fontSize) }
    open class func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        systemFont(ofSize: fontSize, weight: weight)
    }
    open class func monospacedSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        systemFont(ofSize: fontSize, weight: weight)
    }
    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(name: ".SFUI-Regular", size: style.size, weight: style == .headline ? .semibold : .regular, style: style)
    }
    open class func preferredFont(
        forTextStyle style: TextStyle,
        compatibleWith traitCollection: UITraitCollection?
    ) -> UIFont { preferredFont(forTextStyle: style) }

    open class var labelFontSize: CGFloat { 17 }
    open class var buttonFontSize: CGFloat { 18 }
    open class var smallSystemFontSize: CGFloat { 12 }
    open class var systemFontSize: CGFloat { 14 }

    open var familyName: String { fontName }
    open var lineHeight: CGFloat { pointSize * 1.2 }
    open var ascender: CGFloat { pointSize * 0.95 }
    open var descender: CGFloat { -pointSize * 0.25 }
    open var capHeight: CGFloat { pointSize * 0.7 }
    open var xHeight: CGFloat { pointSize * 0.5 }
    open var leading: CGFloat { 0 }
    open class var familyNames: [String] { [] }
    open class func fontNames(forFamilyName familyName: String) -> [String] { [] }
    open var fontDescriptor: UIFontDescriptor {
        UIFontDescriptor(name: fontName, size: pointSize, traits: isBold ? .traitBold : [])
    }
    open func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(name: fontName, size: fontSize, weight: weight) }
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIFont else { return false }
        return fontName == other.fontName && pointSize == other.pointSize && weight == other.weight
    }
    open override var hash: Int { fontName.hashValue ^ pointSize.hashValue }

    var isBold: Bool { weight.rawValue >= Weight.semibold.rawValue }

    /// The role of a text in this font, as a view's text has it.
    var role: String? {
        switch style {
        case .extraLargeTitle?, .largeTitle?, .title1?, .title2?, .title3?, .headline?: return "title"
        case .caption1?, .caption2?, .footnote?: return "caption"
        case .some: return nil
        case nil: return pointSize >= 20 || isBold && pointSize >= 17 ? "title" : pointSize <= 13 ? "caption" : nil
        }
    }
}

/// What describes a font.
open class UIFontDescriptor: NSObject, @unchecked Sendable {
    /// Traits of a font.
    public struct SymbolicTraits: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let traitItalic = SymbolicTraits(rawValue: 1)
        public static let traitBold = SymbolicTraits(rawValue: 2)
        public static let traitMonoSpace = SymbolicTraits(rawValue: 1024)
        public static let traitExpanded = SymbolicTraits(rawValue: 32)
        public static let traitCondensed = SymbolicTraits(rawValue: 64)
        public static let traitVertical = SymbolicTraits(rawValue: 2048)
        public static let traitUIOptimized = SymbolicTraits(rawValue: 4096)
        public static let traitTightLeading = SymbolicTraits(rawValue: 1 << 15)
        public static let traitLooseLeading = SymbolicTraits(rawValue: 1 << 16)
    }

    /// Names of a descriptor's attributes.
    public struct AttributeName: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let family = AttributeName(rawValue: "NSFontFamilyAttribute")
        public static let name = AttributeName(rawValue: "NSFontNameAttribute")
        public static let face = AttributeName(rawValue: "NSFontFaceAttribute")
        public static let size = AttributeName(rawValue: "NSFontSizeAttribute")
        public static let traits = AttributeName(rawValue: "NSCTFontTraitsAttribute")
        public static let featureSettings = AttributeName(rawValue: "NSCTFontFeatureSettingsAttribute")
        public static let textStyle = AttributeName(rawValue: "NSCTFontUIUsageAttribute")
    }

    /// Names of traits in ``AttributeName/traits``.
    public struct TraitKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let symbolic = TraitKey(rawValue: "NSCTFontSymbolicTrait")
        public static let weight = TraitKey(rawValue: "NSCTFontWeightTrait")
        public static let width = TraitKey(rawValue: "NSCTFontProportionTrait")
        public static let slant = TraitKey(rawValue: "NSCTFontSlantTrait")
    }

    /// Designs of the system's font.
    public struct SystemDesign: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let `default` = SystemDesign(rawValue: "default")
        public static let rounded = SystemDesign(rawValue: "rounded")
        public static let serif = SystemDesign(rawValue: "serif")
        public static let monospaced = SystemDesign(rawValue: "monospaced")
    }

    let name: String
    /// The size.
    public let pointSize: CGFloat
    /// The traits.
    public let symbolicTraits: SymbolicTraits

    init(name: String, size: CGFloat, traits: SymbolicTraits) {
        (self.name, pointSize, symbolicTraits) = (name, size, traits)
    }

    open class func preferredFontDescriptor(withTextStyle style: UIFont.TextStyle) -> UIFontDescriptor {
        UIFont.preferredFont(forTextStyle: style).fontDescriptor
    }
    open func withSymbolicTraits(_ symbolicTraits: SymbolicTraits) -> UIFontDescriptor? {
        UIFontDescriptor(name: name, size: pointSize, traits: symbolicTraits)
    }
    /// A descriptor of a font's name or family; other attributes are left out.
    public convenience init(fontAttributes attributes: [AttributeName: Any] = [:]) {
        self.init(
            name: (attributes[.name] ?? attributes[.family]) as? String ?? ".SFUI-Regular",
            size: attributes[.size] as? CGFloat ?? 0,
            traits: []
        )
    }
    public convenience init(name fontName: String, size: CGFloat) {
        self.init(name: fontName, size: size, traits: [])
    }
    open class func preferredFontDescriptor(
        withTextStyle style: UIFont.TextStyle,
        compatibleWith traitCollection: UITraitCollection?
    ) -> UIFontDescriptor { preferredFontDescriptor(withTextStyle: style) }
    open func addingAttributes(_ attributes: [AttributeName: Any] = [:]) -> UIFontDescriptor { self }
    open func withFamily(_ newFamily: String) -> UIFontDescriptor {
        UIFontDescriptor(name: newFamily, size: pointSize, traits: symbolicTraits)
    }
    open func withFace(_ newFace: String) -> UIFontDescriptor { self }
    open func withDesign(_ design: SystemDesign) -> UIFontDescriptor? { self }
    open func withSize(_ newPointSize: CGFloat) -> UIFontDescriptor {
        UIFontDescriptor(name: name, size: newPointSize, traits: symbolicTraits)
    }
}

/// Scales fonts with the user's size of text, which is the usual one.
open class UIFontMetrics: NSObject, @unchecked Sendable {
    public init(forTextStyle textStyle: UIFont.TextStyle) {}
    open class var `default`: UIFontMetrics { UIFontMetrics(forTextStyle: .body) }
    open func scaledFont(for font: UIFont) -> UIFont { font }
    open func scaledFont(for font: UIFont, compatibleWith traitCollection: UITraitCollection?) -> UIFont { font }
    open func scaledFont(
        for font: UIFont,
        maximumPointSize: CGFloat,
        compatibleWith traitCollection: UITraitCollection?
    ) -> UIFont { font }
    open func scaledValue(for value: CGFloat, compatibleWith traitCollection: UITraitCollection?) -> CGFloat { value }
    open func scaledFont(for font: UIFont, maximumPointSize: CGFloat) -> UIFont { font }
    open func scaledValue(for value: CGFloat) -> CGFloat { value }
}
