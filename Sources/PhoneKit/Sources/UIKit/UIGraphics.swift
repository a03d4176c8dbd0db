// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import Synchronization

// Graphics leave no picture here.

/// A place to draw.
open class CGContext: @unchecked Sendable {
    init() {}
    open func setFillColor(_ color: CGColor) {}
    open func setStrokeColor(_ color: CGColor) {}
    open func setLineWidth(_ width: CGFloat) {}
    open func setAlpha(_ alpha: CGFloat) {}
    open func fill(_ rect: CGRect) {}
    open func stroke(_ rect: CGRect) {}
    open func fillEllipse(in rect: CGRect) {}
    open func strokeEllipse(in rect: CGRect) {}
    open func addEllipse(in rect: CGRect) {}
    open func addRect(_ rect: CGRect) {}
    open func addPath(_ path: CGPath) {}
    open func move(to point: CGPoint) {}
    open func addLine(to point: CGPoint) {}
    open func beginPath() {}
    open func closePath() {}
    open func clip() {}
    open func clip(to rect: CGRect) {}
    open func fillPath() {}
    open func strokePath() {}
    open func saveGState() {}
    open func restoreGState() {}
    open func translateBy(x: CGFloat, y: CGFloat) {}
    open func scaleBy(x: CGFloat, y: CGFloat) {}
    open func rotate(by angle: CGFloat) {}
}

/// Makes an image of what the closure draws: an image of that size without a picture.
open class UIGraphicsImageRenderer: NSObject, @unchecked Sendable {
    private let size: CGSize
    public init(size: CGSize) { self.size = size }
    public init(size: CGSize, format: UIGraphicsImageRendererFormat) { self.size = size }
    public init(bounds: CGRect) { size = bounds.size }
    open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        actions(UIGraphicsImageRendererContext())
        return UIImage(.drawn, size: size)
    }
    open func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
        actions(UIGraphicsImageRendererContext())
        return Data()
    }
}

open class UIGraphicsImageRendererContext: NSObject, @unchecked Sendable {
    public let cgContext = CGContext()
    open func fill(_ rect: CGRect) {}
    open func stroke(_ rect: CGRect) {}
}

open class UIGraphicsImageRendererFormat: NSObject, @unchecked Sendable {
    open var scale: CGFloat = 1
    open var opaque = false
    public override init() {}
    open class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

/// The sizes of the contexts that were begun.
private let contexts = Mutex<[CGSize]>([])

public func UIGraphicsBeginImageContext(_ size: CGSize) { contexts.withLock { $0.append(size) } }
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    UIGraphicsBeginImageContext(size)
}
public func UIGraphicsGetCurrentContext() -> CGContext? { contexts.withLock { $0.isEmpty } ? nil : CGContext() }
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
    contexts.withLock { $0.last }.map { UIImage(.drawn, size: $0) }
}
public func UIGraphicsEndImageContext() { contexts.withLock { _ = $0.popLast() } }
public func UIRectFill(_ rect: CGRect) {}
