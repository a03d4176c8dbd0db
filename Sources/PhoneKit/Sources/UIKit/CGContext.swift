// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

// Graphics leave no picture here.

/// A place to draw.
open class CGContext: @unchecked Sendable {
    init() {}
    open func setFillColor(_ color: CGColor) {}
    open func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
    open func setFillColor(gray: CGFloat, alpha: CGFloat) {}
    open func setStrokeColor(_ color: CGColor) {}
    open func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
    open func setStrokeColor(gray: CGFloat, alpha: CGFloat) {}
    open func setLineWidth(_ width: CGFloat) {}
    open func setLineCap(_ cap: CGLineCap) {}
    open func setLineJoin(_ join: CGLineJoin) {}
    open func setLineDash(phase: CGFloat, lengths: [CGFloat]) {}
    open func setMiterLimit(_ limit: CGFloat) {}
    open func setAlpha(_ alpha: CGFloat) {}
    open func setBlendMode(_ mode: CGBlendMode) {}
    open func setShadow(offset: CGSize, blur: CGFloat) {}
    open func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {}
    open func setShouldAntialias(_ shouldAntialias: Bool) {}
    open func setAllowsAntialiasing(_ allowsAntialiasing: Bool) {}
    open var interpolationQuality = CGInterpolationQuality.default
    open func fill(_ rect: CGRect) {}
    open func fill(_ rects: [CGRect]) {}
    open func stroke(_ rect: CGRect) {}
    open func stroke(_ rect: CGRect, width: CGFloat) {}
    open func clear(_ rect: CGRect) {}
    open func fillEllipse(in rect: CGRect) {}
    open func strokeEllipse(in rect: CGRect) {}
    open func addEllipse(in rect: CGRect) {}
    open func addRect(_ rect: CGRect) {}
    open func addRects(_ rects: [CGRect]) {}
    open func addPath(_ path: CGPath) {}
    open func move(to point: CGPoint) {}
    open func addLine(to point: CGPoint) {}
    open func addLines(between points: [CGPoint]) {}
    open func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {}
    open func addQuadCurve(to end: CGPoint, control: CGPoint) {}
    open func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {}
    open func addArc(tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat) {}
    open func strokeLineSegments(between points: [CGPoint]) {}
    open func beginPath() {}
    open func closePath() {}
    open func clip(using rule: CGPathFillRule = .winding) {}
    open func clip(to rect: CGRect) {}
    open func clip(to rect: CGRect, mask: CGImage) {}
    open func resetClip() {}
    open func fillPath(using rule: CGPathFillRule = .winding) {}
    open func strokePath() {}
    open func drawPath(using mode: CGPathDrawingMode) {}
    open func draw(_ image: CGImage, in rect: CGRect) {}
    open func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool) {}
    open func drawLinearGradient(
        _ gradient: CGGradient,
        start startPoint: CGPoint,
        end endPoint: CGPoint,
        options: CGGradientDrawingOptions
    ) {}
    open func drawRadialGradient(
        _ gradient: CGGradient,
        startCenter: CGPoint,
        startRadius: CGFloat,
        endCenter: CGPoint,
        endRadius: CGFloat,
        options: CGGradientDrawingOptions
    ) {}
    open func beginTransparencyLayer(auxiliaryInfo: CFDictionary?) {}
    open func endTransparencyLayer() {}
    open func saveGState() {}
    open func restoreGState() {}
    open func translateBy(x: CGFloat, y: CGFloat) {}
    open func scaleBy(x: CGFloat, y: CGFloat) {}
    open func rotate(by angle: CGFloat) {}
    open func concatenate(_ transform: CGAffineTransform) {}
    open var ctm: CGAffineTransform { .identity }
    open var boundingBoxOfClipPath: CGRect { .zero }
    open func makeImage() -> CGImage? { nil }
}

public enum CGLineCap: Int32, Sendable {
    case butt, round, square
}

public enum CGLineJoin: Int32, Sendable {
    case miter, round, bevel
}

public enum CGPathFillRule: Int, Sendable {
    case winding, evenOdd
}

public enum CGPathDrawingMode: Int32, Sendable {
    case fill, eoFill, stroke, fillStroke, eoFillStroke
}

public enum CGInterpolationQuality: Int32, Sendable {
    case `default`, none, low, high
    case medium = 4
}

public enum CGBlendMode: Int32, Sendable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference
    case exclusion, hue, saturation, color, luminosity, clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver
    case destinationIn, destinationOut, destinationAtop, xor, plusDarker, plusLighter
}

/// A space of colours; every colour here has red, green and blue.
public final class CGColorSpace: Sendable {
    public class var sRGB: CFString { "kCGColorSpaceSRGB" }
    public class var displayP3: CFString { "kCGColorSpaceDisplayP3" }
    public class var extendedSRGB: CFString { "kCGColorSpaceExtendedSRGB" }
    public init?(name: CFString) {}
    fileprivate init() {}
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace() }

/// Colours that pass into each other.
public final class CGGradient: Sendable {
    public init?(colorsSpace space: CGColorSpace?, colors: CFArray, locations: UnsafePointer<CGFloat>?) {}
    public init?(
        colorSpace space: CGColorSpace,
        colorComponents components: UnsafePointer<CGFloat>,
        locations: UnsafePointer<CGFloat>?,
        count: Int
    ) {}
}

public struct CGGradientDrawingOptions: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1)
    public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 2)
}
