// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON

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
    /// The colour as Core Graphics has it, in the light appearance.
    public let cgColor: CGColor
    /// The colour in the dark appearance.
    private let dark: CGColor

    init(_ cgColor: CGColor, dark: CGColor? = nil) { (self.cgColor, self.dark) = (cgColor, dark ?? cgColor) }

    private convenience init(_ hex: Int, alpha: CGFloat = 1, dark: Int? = nil, _ darkAlpha: CGFloat = 1) {
        self.init(Self.color(hex, alpha), dark: dark.map { Self.color($0, darkAlpha) })
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
    public convenience init(cgColor: CGColor) { self.init(cgColor, dark: nil) }
    /// A colour of an image: its pattern cannot be shown.
    public convenience init(patternImage image: UIImage) { self.init(0x808080) }
    /// A colour that depends on the appearance, of which the extension itself sees the light one.
    public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        self.init(
            dynamicProvider(UITraitCollection(userInterfaceStyle: .light)).cgColor,
            dark: dynamicProvider(UITraitCollection(userInterfaceStyle: .dark)).dark
        )
    }
    /// A colour of the asset catalogs; nil if there is none of that name.
    public convenience init?(named name: String) {
        self.init(named: name, in: .main, compatibleWith: nil)
    }
    /// A colour of the asset catalogs of a bundle; nil if there is none of that name.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: UITraitCollection?) {
        guard let color = AssetCatalog(bundle ?? .main).color(named: name) else { return nil }
        self.init(color.light, dark: color.dark)
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
        let faded = { (color: CGColor) in
            CGColor(red: color.red, green: color.green, blue: color.blue, alpha: alpha)
        }
        return UIColor(faded(cgColor), dark: faded(dark))
    }
    open func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
        UIColor(traitCollection.userInterfaceStyle == .dark ? dark : cgColor)
    }
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
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return (other.cgColor, other.dark) == (cgColor, dark)
    }
    open override var hash: Int { cgColor.hashValue }

    /// The colour as in CSS, such as `#ff0000`.
    package var hex: String { Self.hex(cgColor, over: nil) }

    /// The colour as a view's node has it: blended with the system's background, light and dark.
    var json: JSON {
        let background = UIColor.systemBackground
        let (light, dark) = (Self.hex(cgColor, over: background.cgColor), Self.hex(dark, over: background.dark))
        guard light != dark else { return .string(light) }
        return .object(JSON.Object([("light", .string(light)), ("dark", .string(dark))]))
    }

    private static func hex(_ color: CGColor, over background: CGColor?) -> String {
        let parts = [\CGColor.red, \.green, \.blue].map { part in
            let shown = background.map { color[keyPath: part] * color.alpha + $0[keyPath: part] * (1 - color.alpha) }
            return Int((min(max(shown ?? color[keyPath: part], 0), 1) * 255).rounded())
        }
        return "#" + parts.map { String(format: "%02x", $0) }.joined()
    }

    open class var black: UIColor { UIColor(0x000000) }
    open class var darkGray: UIColor { UIColor(0x555555) }
    open class var lightGray: UIColor { UIColor(0xAAAAAA) }
    open class var white: UIColor { UIColor(0xFFFFFF) }
    open class var gray: UIColor { UIColor(0x808080) }
    open class var red: UIColor { UIColor(0xFF0000) }
    open class var green: UIColor { UIColor(0x00FF00) }
    open class var blue: UIColor { UIColor(0x0000FF) }
    open class var cyan: UIColor { UIColor(0x00FFFF) }
    open class var yellow: UIColor { UIColor(0xFFFF00) }
    open class var magenta: UIColor { UIColor(0xFF00FF) }
    open class var orange: UIColor { UIColor(0xFF8000) }
    open class var purple: UIColor { UIColor(0x800080) }
    open class var brown: UIColor { UIColor(0x996633) }
    open class var clear: UIColor { UIColor(0x000000, alpha: 0) }

    open class var systemRed: UIColor { UIColor(0xFF3B30, dark: 0xFF453A) }
    open class var systemOrange: UIColor { UIColor(0xFF9500, dark: 0xFF9F0A) }
    open class var systemYellow: UIColor { UIColor(0xFFCC00, dark: 0xFFD60A) }
    open class var systemGreen: UIColor { UIColor(0x34C759, dark: 0x30D158) }
    open class var systemMint: UIColor { UIColor(0x00C7BE, dark: 0x63E6E2) }
    open class var systemTeal: UIColor { UIColor(0x30B0C7, dark: 0x40C8E0) }
    open class var systemCyan: UIColor { UIColor(0x32ADE6, dark: 0x64D2FF) }
    open class var systemBlue: UIColor { UIColor(0x007AFF, dark: 0x0A84FF) }
    open class var systemIndigo: UIColor { UIColor(0x5856D6, dark: 0x5E5CE6) }
    open class var systemPurple: UIColor { UIColor(0xAF52DE, dark: 0xBF5AF2) }
    open class var systemPink: UIColor { UIColor(0xFF2D55, dark: 0xFF375F) }
    open class var systemBrown: UIColor { UIColor(0xA2845E, dark: 0xAC8E68) }
    open class var systemGray: UIColor { UIColor(0x8E8E93, dark: 0x8E8E93) }
    open class var systemGray2: UIColor { UIColor(0xAEAEB2, dark: 0x636366) }
    open class var systemGray3: UIColor { UIColor(0xC7C7CC, dark: 0x48484A) }
    open class var systemGray4: UIColor { UIColor(0xD1D1D6, dark: 0x3A3A3C) }
    open class var systemGray5: UIColor { UIColor(0xE5E5EA, dark: 0x2C2C2E) }
    open class var systemGray6: UIColor { UIColor(0xF2F2F7, dark: 0x1C1C1E) }
    open class var tintColor: UIColor { UIColor(0x007AFF, dark: 0x0A84FF) }
    open class var label: UIColor { UIColor(0x000000, dark: 0xFFFFFF) }
    open class var secondaryLabel: UIColor { UIColor(0x3C3C43, alpha: 0.6, dark: 0xEBEBF5, 0.6) }
    open class var tertiaryLabel: UIColor { UIColor(0x3C3C43, alpha: 0.3, dark: 0xEBEBF5, 0.3) }
    open class var quaternaryLabel: UIColor { UIColor(0x3C3C43, alpha: 0.18, dark: 0xEBEBF5, 0.16) }
    open class var placeholderText: UIColor { UIColor(0x3C3C43, alpha: 0.3, dark: 0xEBEBF5, 0.3) }
    open class var link: UIColor { UIColor(0x007AFF, dark: 0x0984FF) }
    open class var separator: UIColor { UIColor(0x3C3C43, alpha: 0.29, dark: 0x545458, 0.6) }
    open class var opaqueSeparator: UIColor { UIColor(0xC6C6C8, dark: 0x38383A) }
    open class var systemFill: UIColor { UIColor(0x787880, alpha: 0.2, dark: 0x787880, 0.36) }
    open class var secondarySystemFill: UIColor { UIColor(0x787880, alpha: 0.16, dark: 0x787880, 0.32) }
    open class var tertiarySystemFill: UIColor { UIColor(0x767680, alpha: 0.12, dark: 0x767680, 0.24) }
    open class var quaternarySystemFill: UIColor { UIColor(0x747480, alpha: 0.08, dark: 0x767680, 0.18) }
    open class var systemBackground: UIColor { UIColor(0xFFFFFF, dark: 0x000000) }
    open class var secondarySystemBackground: UIColor { UIColor(0xF2F2F7, dark: 0x1C1C1E) }
    open class var tertiarySystemBackground: UIColor { UIColor(0xFFFFFF, dark: 0x2C2C2E) }
    open class var systemGroupedBackground: UIColor { UIColor(0xF2F2F7, dark: 0x000000) }
    open class var secondarySystemGroupedBackground: UIColor {
        UIColor(0xFFFFFF, dark: 0x1C1C1E)
    }
    open class var groupTableViewBackground: UIColor { UIColor(0xF2F2F7, dark: 0x000000) }
    open class var lightText: UIColor { UIColor(0xFFFFFF, alpha: 0.6) }
    open class var darkText: UIColor { UIColor(0x000000) }
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
