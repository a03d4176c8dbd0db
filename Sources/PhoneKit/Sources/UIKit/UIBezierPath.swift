// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A path; nothing is drawn along it.
open class CGPath: NSObject, @unchecked Sendable {
    fileprivate(set) var extent = CGRect.null
    public fileprivate(set) var currentPoint = CGPoint.zero
    public override init() {}
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init()
        extent = rect
    }
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(rect: rect, transform: transform)
    }
    public convenience init(
        roundedRect rect: CGRect,
        cornerWidth: CGFloat,
        cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) { self.init(rect: rect, transform: transform) }
    open var boundingBox: CGRect { extent }
    open var boundingBoxOfPath: CGRect { extent }
    open var isEmpty: Bool { extent.isNull }
    open func contains(
        _ point: CGPoint,
        using rule: CGPathFillRule = .winding,
        transform: CGAffineTransform = .identity
    )
        -> Bool
    { extent.contains(point) }
    open func copy() -> CGPath? { self }
    open func mutableCopy() -> CGMutablePath? {
        let copy = CGMutablePath()
        (copy.extent, copy.currentPoint) = (extent, currentPoint)
        return copy
    }

    fileprivate func extend(to point: CGPoint) {
        extent = extent.union(CGRect(origin: point, size: .zero))
        currentPoint = point
    }
    fileprivate func extend(around center: CGPoint, _ radius: CGFloat, to angle: CGFloat) {
        extent = extent.union(CGRect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius))
        currentPoint = CGPoint(
            x: center.x + radius * CGFloat(cos(Double(angle))),
            y: center.y + radius * CGFloat(sin(Double(angle)))
        )
    }
}

/// A path that grows.
open class CGMutablePath: CGPath, @unchecked Sendable {
    open func move(to point: CGPoint, transform: CGAffineTransform = .identity) { extend(to: point) }
    open func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) { extend(to: point) }
    open func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        points.forEach { extend(to: $0) }
    }
    open func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) { extent = extent.union(rect) }
    open func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) { extent = extent.union(rect) }
    open func addRoundedRect(
        in rect: CGRect,
        cornerWidth: CGFloat,
        cornerHeight: CGFloat,
        transform: CGAffineTransform = .identity
    ) { extent = extent.union(rect) }
    open func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        extend(to: end)
    }
    open func addCurve(
        to end: CGPoint,
        control1: CGPoint,
        control2: CGPoint,
        transform: CGAffineTransform = .identity
    ) { extend(to: end) }
    open func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) { extend(around: center, radius, to: endAngle) }
    open func addArc(
        tangent1End: CGPoint,
        tangent2End: CGPoint,
        radius: CGFloat,
        transform: CGAffineTransform = .identity
    ) { extend(to: tangent2End) }
    open func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) { extent = extent.union(path.extent) }
    open func closeSubpath() {}
}

/// A path of lines and curves.
open class UIBezierPath: NSObject, NSCopying, @unchecked Sendable {
    private var path = CGMutablePath()
    open var lineWidth: CGFloat = 1
    open var lineCapStyle = CGLineCap.butt
    open var lineJoinStyle = CGLineJoin.miter
    open var miterLimit: CGFloat = 10
    open var flatness: CGFloat = 0.6
    open var usesEvenOddFillRule = false
    open var currentPoint: CGPoint { path.currentPoint }
    public override init() {}
    public convenience init(rect: CGRect) {
        self.init()
        path.addRect(rect)
    }
    public convenience init(ovalIn rect: CGRect) { self.init(rect: rect) }
    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) { self.init(rect: rect) }
    public convenience init(roundedRect rect: CGRect, byRoundingCorners corners: UIRectCorner, cornerRadii: CGSize) {
        self.init(rect: rect)
    }
    public convenience init(
        arcCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        self.init()
        addArc(withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }
    public convenience init(cgPath: CGPath) {
        self.init()
        path.addPath(cgPath)
    }
    open var cgPath: CGPath {
        get { path }
        set { path = newValue.mutableCopy() ?? CGMutablePath() }
    }
    open var bounds: CGRect { path.extent.isNull ? .zero : path.extent }
    open var isEmpty: Bool { path.isEmpty }
    open func move(to point: CGPoint) { path.move(to: point) }
    open func addLine(to point: CGPoint) { path.addLine(to: point) }
    open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        path.addLine(to: endPoint)
    }
    open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) { path.addLine(to: endPoint) }
    open func addArc(
        withCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        path.addArc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }
    open func append(_ bezierPath: UIBezierPath) { path.addPath(bezierPath.path) }
    open func apply(_ transform: CGAffineTransform) { path.extent = path.extent.applying(transform) }
    open func reversing() -> UIBezierPath { self }
    open func removeAllPoints() { path = CGMutablePath() }
    open func setLineDash(_ pattern: UnsafePointer<CGFloat>?, count: Int, phase: CGFloat) {}
    open func close() {}
    open func fill() {}
    open func fill(with blendMode: CGBlendMode, alpha: CGFloat) {}
    open func stroke() {}
    open func stroke(with blendMode: CGBlendMode, alpha: CGFloat) {}
    open func addClip() {}
    open func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }
    open func copy(with zone: NSZone? = nil) -> Any { UIBezierPath(cgPath: path) }
}
