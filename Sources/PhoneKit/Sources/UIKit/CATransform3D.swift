// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A transformation of space.
public struct CATransform3D: Hashable, Sendable {
    public var m11: CGFloat = 0
    public var m12: CGFloat = 0
    public var m13: CGFloat = 0
    public var m14: CGFloat = 0
    public var m21: CGFloat = 0
    public var m22: CGFloat = 0
    public var m23: CGFloat = 0
    public var m24: CGFloat = 0
    public var m31: CGFloat = 0
    public var m32: CGFloat = 0
    public var m33: CGFloat = 0
    public var m34: CGFloat = 0
    public var m41: CGFloat = 0
    public var m42: CGFloat = 0
    public var m43: CGFloat = 0
    public var m44: CGFloat = 0
    public init() {}

    /// The numbers by rows and columns.
    fileprivate var rows: [[CGFloat]] {
        get {
            [[m11, m12, m13, m14], [m21, m22, m23, m24], [m31, m32, m33, m34], [m41, m42, m43, m44]]
        }
        set {
            (m11, m12, m13, m14) = (newValue[0][0], newValue[0][1], newValue[0][2], newValue[0][3])
            (m21, m22, m23, m24) = (newValue[1][0], newValue[1][1], newValue[1][2], newValue[1][3])
            (m31, m32, m33, m34) = (newValue[2][0], newValue[2][1], newValue[2][2], newValue[2][3])
            (m41, m42, m43, m44) = (newValue[3][0], newValue[3][1], newValue[3][2], newValue[3][3])
        }
    }
}

public let CATransform3DIdentity: CATransform3D = {
    var result = CATransform3D()
    (result.m11, result.m22, result.m33, result.m44) = (1, 1, 1, 1)
    return result
}()

public func CATransform3DIsIdentity(_ t: CATransform3D) -> Bool { t == CATransform3DIdentity }
public func CATransform3DEqualToTransform(_ a: CATransform3D, _ b: CATransform3D) -> Bool { a == b }

public func CATransform3DMakeScale(_ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    var result = CATransform3DIdentity
    (result.m11, result.m22, result.m33) = (sx, sy, sz)
    return result
}

public func CATransform3DMakeTranslation(_ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
    var result = CATransform3DIdentity
    (result.m41, result.m42, result.m43) = (tx, ty, tz)
    return result
}

public func CATransform3DMakeRotation(_ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> CATransform3D {
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 0 else { return CATransform3DIdentity }
    let (x, y, z) = (x / length, y / length, z / length)
    let (s, c) = (CGFloat(sin(Double(angle))), CGFloat(cos(Double(angle))))
    let t = 1 - c
    var result = CATransform3DIdentity
    (result.m11, result.m12, result.m13) = (t * x * x + c, t * x * y + s * z, t * x * z - s * y)
    (result.m21, result.m22, result.m23) = (t * x * y - s * z, t * y * y + c, t * y * z + s * x)
    (result.m31, result.m32, result.m33) = (t * x * z + s * y, t * y * z - s * x, t * z * z + c)
    return result
}

public func CATransform3DConcat(_ a: CATransform3D, _ b: CATransform3D) -> CATransform3D {
    let (left, right) = (a.rows, b.rows)
    var result = CATransform3D()
    result.rows = (0..<4).map { row in
        (0..<4).map { column in (0..<4).reduce(CGFloat(0)) { $0 + left[row][$1] * right[$1][column] } }
    }
    return result
}

public func CATransform3DScale(_ t: CATransform3D, _ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeScale(sx, sy, sz), t)
}

public func CATransform3DTranslate(_ t: CATransform3D, _ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeTranslation(tx, ty, tz), t)
}

public func CATransform3DRotate(
    _ t: CATransform3D,
    _ angle: CGFloat,
    _ x: CGFloat,
    _ y: CGFloat,
    _ z: CGFloat
) -> CATransform3D { CATransform3DConcat(CATransform3DMakeRotation(angle, x, y, z), t) }

public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D {
    var result = CATransform3DIdentity
    (result.m11, result.m12, result.m21, result.m22) = (m.a, m.b, m.c, m.d)
    (result.m41, result.m42) = (m.tx, m.ty)
    return result
}

public func CATransform3DGetAffineTransform(_ t: CATransform3D) -> CGAffineTransform {
    CGAffineTransform(a: t.m11, b: t.m12, c: t.m21, d: t.m22, tx: t.m41, ty: t.m42)
}
