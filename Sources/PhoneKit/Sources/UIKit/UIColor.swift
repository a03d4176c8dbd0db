// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A colour of Core Graphics.
public final class CGColor: Hashable, Sendable {
    let red, green, blue, alphaValue: CGFloat

    /// A colour of its parts.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue, alphaValue) = (red, green, blue, alpha)
    }

    /// A colour of its parts.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }
    /// A grey.
    public convenience init(gray: CGFloat, alpha: CGFloat) {
        self.init(red: gray, green: gray, blue: gray, alpha: alpha)
    }
    /// A grey.
    public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
        self.init(gray: gray, alpha: alpha)
    }
    /// A colour of its parts in the order red, green, blue and opacity.
    public convenience init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
        self.init(red: components[0], green: components[1], blue: components[2], alpha: components[3])
    }
    /// The colour with another opacity.
    public func copy(alpha: CGFloat) -> CGColor? { CGColor(red: red, green: green, blue: blue, alpha: alpha) }
    /// The opacity.
    public var alpha: CGFloat { alphaValue }
    /// The parts.
    public var components: [CGFloat]? { [red, green, blue, alphaValue] }
    /// The number of parts.
    public var numberOfComponents: Int { 4 }

    /// Whether both are the same colour.
    public static func == (left: CGColor, right: CGColor) -> Bool { left.components == right.components }
    /// Hashes the parts.
    public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}

/// A colour.
open class UIColor: NSObject, NSCopying, @unchecked Sendable {
    /// The colour as Core Graphics has it.
    public let cgColor: CGColor
    /// The name of a colour of the system or of the app.
    let name: String?
    /// What makes the colour for an appearance.
    private var provider: ((UITraitCollection) -> UIColor)?

    init(_ cgColor: CGColor, name: String? = nil) { (self.cgColor, self.name) = (cgColor, name) }

    private convenience init(_ name: String, _ hex: Int, alpha: CGFloat = 1) {
        self.init(Self.color(hex, alpha), name: name)
    }

    private static func color(_ hex: Int, _ alpha: CGFloat) -> CGColor {
        let part = { (shift: Int) in CGFloat(hex >> shift & 0xFF) / 255 }
        return CGColor(red: part(16), green: part(8), blue: part(0), alpha: alpha)
    }

    /// A colour of its parts.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(CGColor(red: red, green: green, blue: blue, alpha: alpha))
    }
    /// A colour of its parts.
    public convenience init(displayP3Red red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }
    /// A grey.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }
    /// A colour by hue.
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        let part = { (offset: CGFloat) -> CGFloat in
            let k = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(k, 4 - k, 1))
        }
        self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
    }
    /// The colour of Core Graphics.
    public convenience init(cgColor: CGColor) { self.init(cgColor, name: nil) }
    /// A colour of an image: its pattern cannot be shown.
    public convenience init(patternImage image: UIImage) { self.init("pattern", 0x808080) }
    /// A colour that depends on the appearance; its parts are those of the current one.
    public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        self.init(dynamicProvider(.current).cgColor)
        provider = dynamicProvider
    }
    /// A colour of the asset catalogs; nil if there is none of that name.
    public convenience init?(named name: String) {
        guard let color = AssetCatalog.main.color(named: name) else { return nil }
        self.init(color, name: name)
    }
    /// A colour of the asset catalogs of a bundle; nil if there is none of that name.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: UITraitCollection?) {
        guard let color = AssetCatalog(bundle ?? .main).color(named: name) else { return nil }
        self.init(color, name: name)
    }
    /// What `#colorLiteral` makes.
    public required convenience init(
        _colorLiteralRed red: Float,
        green: Float,
        blue: Float,
        alpha: Float
    ) {
        self.init(red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
    }

    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: cgColor.red, green: cgColor.green, blue: cgColor.blue, alpha: alpha)
    }
    open func resolvedColor(with traitCollection: UITraitCollection) -> UIColor { provider?(traitCollection) ?? self }
    @discardableResult
    open func getHue(
        _ hue: UnsafeMutablePointer<CGFloat>?,
        saturation: UnsafeMutablePointer<CGFloat>?,
        brightness: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let (red, green, blue) = (cgColor.red, cgColor.green, cgColor.blue)
        let (low, high) = (min(red, green, blue), max(red, green, blue))
        let span = high - low
        let sector: CGFloat =
            span == 0
            ? 0
            : high == red
                ? ((green - blue) / span + 6).truncatingRemainder(dividingBy: 6)
                : high == green ? (blue - red) / span + 2 : (red - green) / span + 4
        hue?.pointee = sector / 6
        saturation?.pointee = high == 0 ? 0 : span / high
        brightness?.pointee = high
        alpha?.pointee = cgColor.alpha
        return true
    }
    @discardableResult
    open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?,
        green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = cgColor.red
        green?.pointee = cgColor.green
        blue?.pointee = cgColor.blue
        alpha?.pointee = cgColor.alpha
        return true
    }
    @discardableResult
    open func getWhite(_ white: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?) -> Bool {
        white?.pointee = 0.299 * cgColor.red + 0.587 * cgColor.green + 0.114 * cgColor.blue
        alpha?.pointee = cgColor.alpha
        return true
    }
    open func setFill() {}
    open func setStroke() {}
    open func set() {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.cgColor == cgColor }
    open override var hash: Int { cgColor.hashValue }

    /// The colour as in CSS, such as `#ff0000`.
    package var hex: String {
        let parts = [cgColor.red, cgColor.green, cgColor.blue].map { Int((min(max($0, 0), 1) * 255).rounded()) }
        return "#" + parts.map { String(format: "%02x", $0) }.joined()
    }

    open class var black: UIColor { UIColor("black", 0x000000) }
    open class var darkGray: UIColor { UIColor("darkGray", 0x555555) }
    open class var lightGray: UIColor { UIColor("lightGray", 0xAAAAAA) }
    open class var white: UIColor { UIColor("white", 0xFFFFFF) }
    open class var gray: UIColor { UIColor("gray", 0x808080) }
    open class var red: UIColor { UIColor("red", 0xFF0000) }
    open class var green: UIColor { UIColor("green", 0x00FF00) }
    open class var blue: UIColor { UIColor("blue", 0x0000FF) }
    open class var cyan: UIColor { UIColor("cyan", 0x00FFFF) }
    open class var yellow: UIColor { UIColor("yellow", 0xFFFF00) }
    open class var magenta: UIColor { UIColor("magenta", 0xFF00FF) }
    open class var orange: UIColor { UIColor("orange", 0xFF8000) }
    open class var purple: UIColor { UIColor("purple", 0x800080) }
    open class var brown: UIColor { UIColor("brown", 0x996633) }
    open class var clear: UIColor { UIColor("clear", 0x000000, alpha: 0) }

    open class var systemRed: UIColor { UIColor("systemRed", 0xFF3B30) }
    open class var systemOrange: UIColor { UIColor("systemOrange", 0xFF9500) }
    open class var systemYellow: UIColor { UIColor("systemYellow", 0xFFCC00) }
    open class var systemGreen: UIColor { UIColor("systemGreen", 0x34C759) }
    open class var systemMint: UIColor { UIColor("systemMint", 0x00C7BE) }
    open class var systemTeal: UIColor { UIColor("systemTeal", 0x30B0C7) }
    open class var systemCyan: UIColor { UIColor("systemCyan", 0x32ADE6) }
    open class var systemBlue: UIColor { UIColor("systemBlue", 0x007AFF) }
    open class var systemIndigo: UIColor { UIColor("systemIndigo", 0x5856D6) }
    open class var systemPurple: UIColor { UIColor("systemPurple", 0xAF52DE) }
    open class var systemPink: UIColor { UIColor("systemPink", 0xFF2D55) }
    open class var systemBrown: UIColor { UIColor("systemBrown", 0xA2845E) }
    open class var systemGray: UIColor { UIColor("systemGray", 0x8E8E93) }
    open class var systemGray2: UIColor { UIColor("systemGray2", 0xAEAEB2) }
    open class var systemGray3: UIColor { UIColor("systemGray3", 0xC7C7CC) }
    open class var systemGray4: UIColor { UIColor("systemGray4", 0xD1D1D6) }
    open class var systemGray5: UIColor { UIColor("systemGray5", 0xE5E5EA) }
    open class var systemGray6: UIColor { UIColor("systemGray6", 0xF2F2F7) }
    open class var tintColor: UIColor { UIColor("tintColor", 0x007AFF) }
    open class var label: UIColor { UIColor("label", 0x000000) }
    open class var secondaryLabel: UIColor { UIColor("secondaryLabel", 0x3C3C43, alpha: 0.6) }
    open class var tertiaryLabel: UIColor { UIColor("tertiaryLabel", 0x3C3C43, alpha: 0.3) }
    open class var quaternaryLabel: UIColor { UIColor("quaternaryLabel", 0x3C3C43, alpha: 0.18) }
    open class var placeholderText: UIColor { UIColor("placeholderText", 0x3C3C43, alpha: 0.3) }
    open class var link: UIColor { UIColor("link", 0x007AFF) }
    open class var separator: UIColor { UIColor("separator", 0x3C3C43, alpha: 0.29) }
    open class var opaqueSeparator: UIColor { UIColor("opaqueSeparator", 0xC6C6C8) }
    open class var systemFill: UIColor { UIColor("systemFill", 0x787880, alpha: 0.2) }
    open class var secondarySystemFill: UIColor { UIColor("secondarySystemFill", 0x787880, alpha: 0.16) }
    open class var tertiarySystemFill: UIColor { UIColor("tertiarySystemFill", 0x767680, alpha: 0.12) }
    open class var quaternarySystemFill: UIColor { UIColor("quaternarySystemFill", 0x747480, alpha: 0.08) }
    open class var systemBackground: UIColor { UIColor("systemBackground", 0xFFFFFF) }
    open class var secondarySystemBackground: UIColor { UIColor("secondarySystemBackground", 0xF2F2F7) }
    open class var tertiarySystemBackground: UIColor { UIColor("tertiarySystemBackground", 0xFFFFFF) }
    open class var systemGroupedBackground: UIColor { UIColor("systemGroupedBackground", 0xF2F2F7) }
    open class var tertiarySystemGroupedBackground: UIColor { UIColor("tertiarySystemGroupedBackground", 0xF2F2F7) }
    open class var secondarySystemGroupedBackground: UIColor {
        UIColor("secondarySystemGroupedBackground", 0xFFFFFF)
    }
    open class var groupTableViewBackground: UIColor { UIColor("groupTableViewBackground", 0xF2F2F7) }
    open class var lightText: UIColor { UIColor("lightText", 0xFFFFFF, alpha: 0.6) }
    open class var darkText: UIColor { UIColor("darkText", 0x000000) }
}

extension UIColor: _ExpressibleByColorLiteral {}

extension CGColor {
    /// Black, as in `UIColor`.
    public static var black: CGColor { UIColor.black.cgColor }
    /// White, as in `UIColor`.
    public static var white: CGColor { UIColor.white.cgColor }
    /// No colour, as in `UIColor`.
    public static var clear: CGColor { UIColor.clear.cgColor }
}
