// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import Synchronization

// Graphics leave no picture here.

/// Makes an image of what the closure draws: an image of that size without a picture.
open class UIGraphicsImageRenderer: NSObject, @unchecked Sendable {
    private let size: CGSize
    public init(size: CGSize) { self.size = size }
    public init(size: CGSize, format: UIGraphicsImageRendererFormat) { self.size = size }
    public init(bounds: CGRect) { size = bounds.size }
    public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) { size = bounds.size }
    open func jpegData(
        withCompressionQuality compressionQuality: CGFloat,
        actions: (UIGraphicsImageRendererContext) -> Void
    ) -> Data {
        actions(UIGraphicsImageRendererContext())
        return Data()
    }
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
    open func clip(to rect: CGRect) {}
    open func fill(_ rect: CGRect, blendMode: CGBlendMode) {}
    open var currentImage: UIImage { UIImage(.drawn, size: .zero) }
    open var format: UIGraphicsImageRendererFormat { .default() }
}

open class UIGraphicsImageRendererFormat: NSObject, @unchecked Sendable {
    open var scale: CGFloat = 1
    open var opaque = false
    public override init() {}
    open var preferredRange = Range.automatic
    public enum Range: Int, Sendable {
        case unspecified = -1
        case automatic, extended, standard
    }
    open class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
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
public func UIRectFrame(_ rect: CGRect) {}
public func UIRectClip(_ rect: CGRect) {}
public func UIGraphicsPushContext(_ context: CGContext) {}
public func UIGraphicsPopContext() {}
