// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import UIKit

/// A shape; as a view it shows nothing.
public protocol Shape: View, Sendable {
    nonisolated func path(in rect: CGRect) -> Path
}

/// What a shape is as a view.
public struct _ShapeView {}

extension _ShapeView: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { [] }
}

extension Shape {
    public var body: _ShapeView { _ShapeView() }

    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> some View { _ShapeView() }
    public func fill(style: FillStyle = FillStyle()) -> some View { _ShapeView() }
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View { _ShapeView() }
    public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View { _ShapeView() }
    public func stroke(lineWidth: CGFloat = 1) -> some Shape { self }
    public func stroke(style: StrokeStyle) -> some Shape { self }
    public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape { self }
    public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape { self }
    public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> some Shape { self }
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape { self }
    public func size(_ size: CGSize) -> some Shape { self }
    public func size(width: CGFloat, height: CGFloat) -> some Shape { self }
}

public protocol InsettableShape: Shape {
    associatedtype InsetShape: InsettableShape
    nonisolated func inset(by amount: CGFloat) -> InsetShape
}

extension InsettableShape {
    public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View { _ShapeView() }
    public func strokeBorder<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View { _ShapeView() }
    public func strokeBorder(lineWidth: CGFloat = 1) -> some View { _ShapeView() }
}

public struct FillStyle: Hashable, Sendable {
    public var isEOFilled: Bool
    public var isAntialiased: Bool
    public init(eoFill: Bool = false, antialiased: Bool = true) { (isEOFilled, isAntialiased) = (eoFill, antialiased) }
}

public struct StrokeStyle: Sendable {
    public enum LineCap: Int32, Sendable {
        case butt, round, square
    }

    public enum LineJoin: Int32, Sendable {
        case miter, round, bevel
    }

    public var lineWidth: CGFloat
    public var lineCap: LineCap
    public var lineJoin: LineJoin
    public var miterLimit: CGFloat
    public var dash: [CGFloat]
    public var dashPhase: CGFloat
    public init(
        lineWidth: CGFloat = 1,
        lineCap: LineCap = .butt,
        lineJoin: LineJoin = .miter,
        miterLimit: CGFloat = 10,
        dash: [CGFloat] = [],
        dashPhase: CGFloat = 0
    ) {
        (self.lineWidth, self.lineCap, self.lineJoin) = (lineWidth, lineCap, lineJoin)
        (self.miterLimit, self.dash, self.dashPhase) = (miterLimit, dash, dashPhase)
    }
}

extension StrokeStyle.LineCap: Hashable {}

public struct Rectangle: InsettableShape {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
    public nonisolated func inset(by amount: CGFloat) -> some InsettableShape { self }
}

public struct RoundedRectangle: InsettableShape {
    public let cornerSize: CGSize
    public let style: RoundedCornerStyle
    public nonisolated init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        (self.cornerSize, self.style) = (cornerSize, style)
    }
    public nonisolated init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
    public nonisolated func inset(by amount: CGFloat) -> some InsettableShape { self }
}

public struct UnevenRoundedRectangle: InsettableShape {
    public let cornerRadii: RectangleCornerRadii
    public let style: RoundedCornerStyle
    public nonisolated init(cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous) {
        (self.cornerRadii, self.style) = (cornerRadii, style)
    }
    public nonisolated init(
        topLeadingRadius: CGFloat = 0,
        bottomLeadingRadius: CGFloat = 0,
        bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0,
        style: RoundedCornerStyle = .continuous
    ) {
        cornerRadii = RectangleCornerRadii(
            topLeading: topLeadingRadius,
            bottomLeading: bottomLeadingRadius,
            bottomTrailing: bottomTrailingRadius,
            topTrailing: topTrailingRadius
        )
        self.style = style
    }
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
    public nonisolated func inset(by amount: CGFloat) -> some InsettableShape { self }
}

public struct Circle: InsettableShape {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
    public nonisolated func inset(by amount: CGFloat) -> some InsettableShape { self }
}

public struct Ellipse: InsettableShape {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
    public nonisolated func inset(by amount: CGFloat) -> some InsettableShape { self }
}

public struct Capsule: InsettableShape {
    public let style: RoundedCornerStyle
    public nonisolated init(style: RoundedCornerStyle = .continuous) { self.style = style }
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
    public nonisolated func inset(by amount: CGFloat) -> some InsettableShape { self }
}

public struct ContainerRelativeShape: InsettableShape {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
    public nonisolated func inset(by amount: CGFloat) -> some InsettableShape { self }
}

public struct AnyShape: Shape {
    private let makePath: @Sendable (CGRect) -> Path
    public nonisolated init<S: Shape>(_ shape: S) { makePath = { shape.path(in: $0) } }
    public nonisolated func path(in rect: CGRect) -> Path { makePath(rect) }
}

extension Shape where Self == Rectangle {
    public static var rect: Rectangle { Rectangle() }
}

extension Shape where Self == Circle {
    public static var circle: Circle { Circle() }
}

extension Shape where Self == Capsule {
    public static var capsule: Capsule { Capsule() }
}

extension Shape where Self == RoundedRectangle {
    public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) -> RoundedRectangle {
        RoundedRectangle(cornerRadius: cornerRadius, style: style)
    }
}

/// A line, of which only the points are kept.
public struct Path: Shape {
    private var points: [CGPoint] = []

    public nonisolated init() {}
    public nonisolated init(_ callback: (inout Path) -> Void) { callback(&self) }
    public nonisolated init(_ rect: CGRect) { addRect(rect) }
    public nonisolated init(ellipseIn rect: CGRect) { addRect(rect) }
    public nonisolated init(
        roundedRect rect: CGRect,
        cornerRadius: CGFloat,
        style: RoundedCornerStyle = .continuous
    ) { addRect(rect) }
    public nonisolated init(
        roundedRect rect: CGRect,
        cornerSize: CGSize,
        style: RoundedCornerStyle = .continuous
    ) { addRect(rect) }

    public nonisolated var isEmpty: Bool { points.isEmpty }
    public nonisolated var currentPoint: CGPoint? { points.last }
    public nonisolated var boundingRect: CGRect {
        let (x, y) = (points.map(\.x), points.map(\.y))
        guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else { return .null }
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }
    public nonisolated func path(in rect: CGRect) -> Path { self }
    public nonisolated mutating func move(to end: CGPoint) { points.append(end) }
    public nonisolated mutating func addLine(to end: CGPoint) { points.append(end) }
    public nonisolated mutating func addLines(_ lines: [CGPoint]) { points += lines }
    public nonisolated mutating func addQuadCurve(to end: CGPoint, control: CGPoint) { points.append(end) }
    public nonisolated mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        points.append(end)
    }
    public nonisolated mutating func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: Angle,
        endAngle: Angle,
        clockwise: Bool
    ) {
        for angle in [startAngle, endAngle] {
            points.append(
                CGPoint(x: center.x + radius * cos(angle.radians), y: center.y + radius * sin(angle.radians))
            )
        }
    }
    public nonisolated mutating func addRect(_ rect: CGRect) {
        guard !rect.isNull else { return }
        points += [CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.maxY)]
    }
    public nonisolated mutating func addRoundedRect(
        in rect: CGRect,
        cornerSize: CGSize,
        style: RoundedCornerStyle = .continuous
    ) { addRect(rect) }
    public nonisolated mutating func addEllipse(in rect: CGRect) { addRect(rect) }
    public nonisolated mutating func addPath(_ path: Path) { points += path.points }
    public nonisolated mutating func closeSubpath() {}
}
