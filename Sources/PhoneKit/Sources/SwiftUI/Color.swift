// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import UIKit

/// A colour; as a view it shows nothing.
public struct Color: Hashable, @unchecked Sendable {
    public enum RGBColorSpace: Hashable, Sendable {
        case sRGB, sRGBLinear, displayP3
    }

    let uiColor: UIColor

    public init(uiColor: UIColor) { self.uiColor = uiColor }
    public init(_ color: UIColor) { uiColor = color }
    public init(cgColor: CGColor) { uiColor = UIColor(cgColor: cgColor) }
    public init(_ name: String, bundle: Bundle? = nil) {
        uiColor = UIColor(named: name, in: bundle, compatibleWith: nil) ?? .clear
    }
    public init(_ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {
        uiColor = UIColor(red: red, green: green, blue: blue, alpha: opacity)
    }
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        uiColor = UIColor(white: white, alpha: opacity)
    }
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        uiColor = UIColor(hue: hue, saturation: saturation, brightness: brightness, alpha: opacity)
    }

    public static let black = Color(uiColor: .black)
    public static let blue = Color(uiColor: .systemBlue)
    public static let brown = Color(uiColor: .systemBrown)
    public static let clear = Color(uiColor: .clear)
    public static let cyan = Color(uiColor: .systemCyan)
    public static let gray = Color(uiColor: .systemGray)
    public static let green = Color(uiColor: .systemGreen)
    public static let indigo = Color(uiColor: .systemIndigo)
    public static let mint = Color(uiColor: .systemMint)
    public static let orange = Color(uiColor: .systemOrange)
    public static let pink = Color(uiColor: .systemPink)
    public static let purple = Color(uiColor: .systemPurple)
    public static let red = Color(uiColor: .systemRed)
    public static let teal = Color(uiColor: .systemTeal)
    public static let white = Color(uiColor: .white)
    public static let yellow = Color(uiColor: .systemYellow)
    public static let primary = Color(uiColor: .label)
    public static let secondary = Color(uiColor: .secondaryLabel)
    public static let accentColor = Color(uiColor: .tintColor)

    public func opacity(_ opacity: Double) -> Color { Color(uiColor: uiColor.withAlphaComponent(opacity)) }
    public var gradient: AnyGradient { AnyGradient() }
    public var cgColor: CGColor? { uiColor.cgColor }
    public var description: String { uiColor.hex }
}

extension UIColor {
    public convenience init(_ color: Color) { self.init(cgColor: color.uiColor.cgColor) }
}

extension Color: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { [] }
}

// MARK: Styles

/// What fills a shape or a text, which nothing draws here.
public protocol ShapeStyle: Sendable {}

extension Color: ShapeStyle {}

public struct AnyShapeStyle: ShapeStyle {
    public init<S: ShapeStyle>(_ style: S) {}
}

public struct HierarchicalShapeStyle: ShapeStyle {
    public static let primary = HierarchicalShapeStyle()
    public static let secondary = HierarchicalShapeStyle()
    public static let tertiary = HierarchicalShapeStyle()
    public static let quaternary = HierarchicalShapeStyle()
}

public struct TintShapeStyle: ShapeStyle {
    public init() {}
}

public struct ForegroundStyle: ShapeStyle {
    public init() {}
}

public struct BackgroundStyle: ShapeStyle {
    public init() {}
}

public struct SeparatorShapeStyle: ShapeStyle {
    public init() {}
}

public struct Material: ShapeStyle {
    public static let ultraThin = Material()
    public static let thin = Material()
    public static let regular = Material()
    public static let thick = Material()
    public static let ultraThick = Material()
    public static let bar = Material()
}

extension ShapeStyle {
    public func opacity(_ opacity: Double) -> some ShapeStyle { self }
}

extension ShapeStyle where Self == Color {
    public static var black: Color { .init(uiColor: .black) }
    public static var blue: Color { .init(uiColor: .systemBlue) }
    public static var brown: Color { .init(uiColor: .systemBrown) }
    public static var clear: Color { .init(uiColor: .clear) }
    public static var cyan: Color { .init(uiColor: .systemCyan) }
    public static var gray: Color { .init(uiColor: .systemGray) }
    public static var green: Color { .init(uiColor: .systemGreen) }
    public static var indigo: Color { .init(uiColor: .systemIndigo) }
    public static var mint: Color { .init(uiColor: .systemMint) }
    public static var orange: Color { .init(uiColor: .systemOrange) }
    public static var pink: Color { .init(uiColor: .systemPink) }
    public static var purple: Color { .init(uiColor: .systemPurple) }
    public static var red: Color { .init(uiColor: .systemRed) }
    public static var teal: Color { .init(uiColor: .systemTeal) }
    public static var white: Color { .init(uiColor: .white) }
    public static var yellow: Color { .init(uiColor: .systemYellow) }
    public static var accentColor: Color { .init(uiColor: .tintColor) }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { .init() }
    public static var secondary: HierarchicalShapeStyle { .init() }
    public static var tertiary: HierarchicalShapeStyle { .init() }
    public static var quaternary: HierarchicalShapeStyle { .init() }
}

extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { .init() }
}

extension ShapeStyle where Self == ForegroundStyle {
    public static var foreground: ForegroundStyle { .init() }
}

extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { .init() }
}

extension ShapeStyle where Self == SeparatorShapeStyle {
    public static var separator: SeparatorShapeStyle { .init() }
}

extension ShapeStyle where Self == Material {
    public static var ultraThinMaterial: Material { .init() }
    public static var thinMaterial: Material { .init() }
    public static var regularMaterial: Material { .init() }
    public static var thickMaterial: Material { .init() }
    public static var ultraThickMaterial: Material { .init() }
    public static var bar: Material { .init() }
}

// MARK: Gradients

public struct Gradient: Hashable, ShapeStyle {
    public struct Stop: Hashable, Sendable {
        public var color: Color
        public var location: CGFloat
        public init(color: Color, location: CGFloat) { (self.color, self.location) = (color, location) }
    }

    public var stops: [Stop]
    public init(stops: [Stop]) { self.stops = stops }
    public init(colors: [Color]) {
        stops = colors.enumerated().map { Stop(color: $1, location: CGFloat($0) / CGFloat(max(1, colors.count - 1))) }
    }
}

public struct AnyGradient: ShapeStyle {}

public struct LinearGradient: ShapeStyle {
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {}
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {}
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {}
}

public struct RadialGradient: ShapeStyle {
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {}
    public init(stops: [Gradient.Stop], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {}
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {}
}

public struct AngularGradient: ShapeStyle {
    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {}
    public init(colors: [Color], center: UnitPoint, angle: Angle = .zero) {}
    public init(gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .zero) {}
    public init(gradient: Gradient, center: UnitPoint, angle: Angle = .zero) {}
}

extension LinearGradient: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { [] }
}

extension RadialGradient: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { [] }
}

extension AngularGradient: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { [] }
}

extension ShapeStyle where Self == LinearGradient {
    public static func linearGradient(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) -> LinearGradient {
        LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint)
    }
    public static func linearGradient(
        _ gradient: Gradient,
        startPoint: UnitPoint,
        endPoint: UnitPoint
    ) -> LinearGradient {
        LinearGradient(gradient: gradient, startPoint: startPoint, endPoint: endPoint)
    }
}
