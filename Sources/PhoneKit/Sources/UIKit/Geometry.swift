// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// The type of coordinates that Core Graphics calls a vector.
public struct CGVector: Hashable, Sendable {
    public var dx: CGFloat
    public var dy: CGFloat
    public static let zero = CGVector(dx: 0, dy: 0)
    public init(dx: CGFloat = 0, dy: CGFloat = 0) { (self.dx, self.dy) = (dx, dy) }
}

/// A transformation of the plane; it has no effect off a screen and is kept.
public struct CGAffineTransform: Hashable, Sendable {
    public var a: CGFloat
    public var b: CGFloat
    public var c: CGFloat
    public var d: CGFloat
    public var tx: CGFloat
    public var ty: CGFloat

    public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    public init() { self = .identity }
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }
    public init(_ a: CGFloat, _ b: CGFloat, _ c: CGFloat, _ d: CGFloat, _ tx: CGFloat, _ ty: CGFloat) {
        self.init(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
    }
    public init(scaleX x: CGFloat, y: CGFloat) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }
    public init(translationX x: CGFloat, y: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y) }
    public init(rotationAngle angle: CGFloat) {
        let (sine, cosine) = (sin(Double(angle)), cos(Double(angle)))
        self.init(a: CGFloat(cosine), b: CGFloat(sine), c: CGFloat(-sine), d: CGFloat(cosine), tx: 0, ty: 0)
    }

    public var isIdentity: Bool { self == .identity }

    public func concatenating(_ other: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * other.a + b * other.c,
            b: a * other.b + b * other.d,
            c: c * other.a + d * other.c,
            d: c * other.b + d * other.d,
            tx: tx * other.a + ty * other.c + other.tx,
            ty: tx * other.b + ty * other.d + other.ty
        )
    }
    public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: x, y: y).concatenating(self)
    }
    public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: x, y: y).concatenating(self)
    }
    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }
    public func inverted() -> CGAffineTransform {
        let determinant = a * d - b * c
        guard determinant != 0 else { return self }
        return CGAffineTransform(
            a: d / determinant,
            b: -b / determinant,
            c: -c / determinant,
            d: a / determinant,
            tx: (c * ty - d * tx) / determinant,
            ty: (b * tx - a * ty) / determinant
        )
    }
}

/// Distances from the edges of a rectangle.
public struct UIEdgeInsets: Hashable, Sendable {
    public var top: CGFloat
    public var left: CGFloat
    public var bottom: CGFloat
    public var right: CGFloat
    public static let zero = UIEdgeInsets()
    public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

/// Distances from the edges of a rectangle, in the direction of reading.
public struct NSDirectionalEdgeInsets: Hashable, Sendable {
    public var top: CGFloat
    public var leading: CGFloat
    public var bottom: CGFloat
    public var trailing: CGFloat
    public static let zero = NSDirectionalEdgeInsets()
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
}

/// A distance in both directions.
public struct UIOffset: Hashable, Sendable {
    public var horizontal: CGFloat
    public var vertical: CGFloat
    public static let zero = UIOffset(horizontal: 0, vertical: 0)
    public init(horizontal: CGFloat = 0, vertical: CGFloat = 0) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }
}

/// Edges of a rectangle.
public struct UIRectEdge: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let top = UIRectEdge(rawValue: 1)
    public static let left = UIRectEdge(rawValue: 2)
    public static let bottom = UIRectEdge(rawValue: 4)
    public static let right = UIRectEdge(rawValue: 8)
    public static let all: UIRectEdge = [.top, .left, .bottom, .right]
}

/// Corners of a rectangle.
public struct UIRectCorner: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let topLeft = UIRectCorner(rawValue: 1)
    public static let topRight = UIRectCorner(rawValue: 2)
    public static let bottomLeft = UIRectCorner(rawValue: 4)
    public static let bottomRight = UIRectCorner(rawValue: 8)
    public static let allCorners = UIRectCorner(rawValue: .max)
}

extension CGRect {
    /// The rectangle without the insets.
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: origin.x + insets.left,
            y: origin.y + insets.top,
            width: size.width - insets.left - insets.right,
            height: size.height - insets.top - insets.bottom
        )
    }
}

extension CGPoint {
    public func applying(_ transform: CGAffineTransform) -> CGPoint {
        CGPoint(
            x: x * transform.a + y * transform.c + transform.tx,
            y: x * transform.b + y * transform.d + transform.ty
        )
    }
}

extension CGSize {
    public func applying(_ transform: CGAffineTransform) -> CGSize {
        CGSize(
            width: width * transform.a + height * transform.c,
            height: width * transform.b + height * transform.d
        )
    }
}

extension CGRect {
    public func applying(_ transform: CGAffineTransform) -> CGRect {
        guard !isNull else { return self }
        let corners = [(minX, minY), (maxX, minY), (minX, maxY), (maxX, maxY)].map {
            CGRect(origin: CGPoint(x: $0.0, y: $0.1).applying(transform), size: .zero)
        }
        return corners.dropFirst().reduce(corners[0]) { $0.union($1) }
    }
}

extension NSValue {
    public convenience init(cgRect rect: CGRect) { self.init(numbers: rect, count: 4) }
    public convenience init(cgPoint point: CGPoint) { self.init(numbers: point, count: 2) }
    public convenience init(cgSize size: CGSize) { self.init(numbers: size, count: 2) }
    public convenience init(cgVector vector: CGVector) { self.init(numbers: vector, count: 2) }
    public convenience init(cgAffineTransform transform: CGAffineTransform) {
        self.init(numbers: transform, count: 6)
    }
    public convenience init(uiEdgeInsets insets: UIEdgeInsets) { self.init(numbers: insets, count: 4) }
    public convenience init(uiOffset offset: UIOffset) { self.init(numbers: offset, count: 2) }
    public convenience init(caTransform3D transform: CATransform3D) { self.init(numbers: transform, count: 16) }

    public var cgRectValue: CGRect { numbers(CGRect.zero) }
    public var cgPointValue: CGPoint { numbers(CGPoint.zero) }
    public var cgSizeValue: CGSize { numbers(CGSize.zero) }
    public var cgVectorValue: CGVector { numbers(CGVector.zero) }
    public var cgAffineTransformValue: CGAffineTransform { numbers(CGAffineTransform.identity) }
    public var uiEdgeInsetsValue: UIEdgeInsets { numbers(UIEdgeInsets.zero) }
    public var uiOffsetValue: UIOffset { numbers(UIOffset.zero) }
    public var caTransform3DValue: CATransform3D { numbers(CATransform3DIdentity) }

    private convenience init<Value>(numbers value: Value, count: Int) {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        defer { place.deallocate() }
        // Foundation on Linux ends the process for a structure, and keeps an array.
        self.init(bytes: place, objCType: "[\(count)d]")
    }

    private func numbers<Value>(_ start: Value) -> Value {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: start)
        defer { place.deallocate() }
        getValue(place)
        return place.pointee
    }
}

// The names under which Objective-C writes them.

private func braces(_ numbers: CGFloat...) -> String {
    "{" + numbers.map { "\(NSNumber(value: Double($0)))" }.joined(separator: ", ") + "}"
}

public func NSStringFromCGPoint(_ point: CGPoint) -> String { braces(point.x, point.y) }
public func NSStringFromCGSize(_ size: CGSize) -> String { braces(size.width, size.height) }
public func NSStringFromCGRect(_ rect: CGRect) -> String {
    "{\(NSStringFromCGPoint(rect.origin)), \(NSStringFromCGSize(rect.size))}"
}
public func NSStringFromUIEdgeInsets(_ insets: UIEdgeInsets) -> String {
    braces(insets.top, insets.left, insets.bottom, insets.right)
}

/// How hard a constraint must be kept; it has no effect off a screen.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    public var rawValue: Float
    public init(rawValue: Float) { self.rawValue = rawValue }
    public init(_ rawValue: Float) { self.rawValue = rawValue }
    public static let required = UILayoutPriority(1000)
    public static let defaultHigh = UILayoutPriority(750)
    public static let defaultLow = UILayoutPriority(250)
    public static let fittingSizeLevel = UILayoutPriority(50)
    public static let dragThatCanResizeScene = UILayoutPriority(510)
    public static let sceneSizeStayPut = UILayoutPriority(500)
    public static let dragThatCannotResizeScene = UILayoutPriority(490)
}

/// Numbers with names, which can be compared and moved.
public protocol UIKitNumericRawRepresentable: RawRepresentable, Comparable where RawValue: Comparable & Numeric {}

extension UIKitNumericRawRepresentable {
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    public static func + (left: Self, right: RawValue) -> Self { Self(rawValue: left.rawValue + right) ?? left }
    public static func + (left: RawValue, right: Self) -> Self { right + left }
    public static func - (left: Self, right: RawValue) -> Self { Self(rawValue: left.rawValue - right) ?? left }
    public static func - (left: Self, right: Self) -> RawValue { left.rawValue - right.rawValue }
    public static func += (left: inout Self, right: RawValue) { left = left + right }
    public static func -= (left: inout Self, right: RawValue) { left = left - right }
}

extension UILayoutPriority: UIKitNumericRawRepresentable {}
extension UIFont.Weight: UIKitNumericRawRepresentable {}
extension UIWindow.Level: UIKitNumericRawRepresentable {}
