// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A path; nothing is drawn along it.
open class CGPath: NSObject, @unchecked Sendable {
    var bounds = CGRect.zero
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init()
        bounds = rect
    }
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init()
        bounds = rect
    }
    public convenience init(
        roundedRect rect: CGRect,
        cornerWidth: CGFloat,
        cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {
        self.init()
        bounds = rect
    }
    open var boundingBox: CGRect { bounds }
}

/// A path of lines and curves.
open class UIBezierPath: NSObject, @unchecked Sendable {
    private let path = CGPath()
    open var lineWidth: CGFloat = 1
    open private(set) var currentPoint = CGPoint.zero
    public override init() {}
    public convenience init(rect: CGRect) {
        self.init()
        path.bounds = rect
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
        self.init(rect: CGRect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius))
    }
    public convenience init(cgPath: CGPath) { self.init(rect: cgPath.bounds) }
    open var cgPath: CGPath { path }
    open var bounds: CGRect { path.bounds }
    open func move(to point: CGPoint) { extend(to: point) }
    open func addLine(to point: CGPoint) { extend(to: point) }
    open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) { extend(to: endPoint) }
    open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) { extend(to: endPoint) }
    open func addArc(
        withCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        extend(to: CGPoint(x: center.x - radius, y: center.y - radius))
        extend(to: CGPoint(x: center.x + radius, y: center.y + radius))
    }
    open func append(_ bezierPath: UIBezierPath) { path.bounds = path.bounds.union(bezierPath.bounds) }
    open func close() {}
    open func fill() {}
    open func stroke() {}
    open func addClip() {}
    open func contains(_ point: CGPoint) -> Bool { path.bounds.contains(point) }

    private func extend(to point: CGPoint) {
        let rect = CGRect(origin: point, size: .zero)
        path.bounds = path.bounds == .zero ? rect : path.bounds.union(rect)
        currentPoint = point
    }
}
