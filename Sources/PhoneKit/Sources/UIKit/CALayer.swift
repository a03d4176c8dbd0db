// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. Layers are kept and never drawn.

public import Foundation
import PhoneRuntime

/// A layer: what a view looks like, which has no meaning off a screen.
open class CALayer: NSObject, @unchecked Sendable {
    public override init() { super.init() }
    public init(layer: Any) { super.init() }
    public required init?(coder: NSCoder) { super.init() }

    /// A layer of that class, with the initializer that the rewriter registered or that all layers have.
    @MainActor
    static func make(_ type: AnyClass) -> CALayer {
        let made = PhoneObject.make(type, "plain", nil) as? CALayer
        guard let layer = made ?? (type as? CALayer.Type)?.init(coder: NibCoder()) else {
            fatalError("\(type) is the layerClass of a view, but makes no layer")
        }
        return layer
    }

    open var frame: CGRect {
        get {
            CGRect(
                x: position.x - bounds.width * anchorPoint.x,
                y: position.y - bounds.height * anchorPoint.y,
                width: bounds.width,
                height: bounds.height
            )
        }
        set {
            bounds.size = newValue.size
            position = CGPoint(
                x: newValue.minX + newValue.width * anchorPoint.x,
                y: newValue.minY + newValue.height * anchorPoint.y
            )
        }
    }
    open var bounds = CGRect.zero
    open var position = CGPoint.zero
    open var anchorPoint = CGPoint(x: 0.5, y: 0.5)
    open var zPosition: CGFloat = 0
    open var cornerRadius: CGFloat = 0
    open var cornerCurve = CALayerCornerCurve.circular
    open var maskedCorners: CACornerMask = [
        .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
    open var masksToBounds = false
    open var isHidden = false
    open var isOpaque = false
    open var opacity: Float = 1
    open var borderWidth: CGFloat = 0
    open var borderColor: CGColor?
    open var backgroundColor: CGColor?
    open var shadowColor: CGColor?
    open var shadowOpacity: Float = 0
    open var shadowOffset = CGSize(width: 0, height: -3)
    open var shadowRadius: CGFloat = 3
    open var shadowPath: CGPath?
    open var shouldRasterize = false
    open var rasterizationScale: CGFloat = 1
    open var contentsScale: CGFloat = 1
    open var contents: Any?
    open var contentsGravity = CALayerContentsGravity.resize
    open var name: String?
    open var mask: CALayer?
    open var transform = CATransform3DIdentity
    open var speed: Float = 1
    open var timeOffset: CFTimeInterval = 0
    open var beginTime: CFTimeInterval = 0
    open var sublayerTransform = CATransform3DIdentity
    open var isDoubleSided = true
    open var isGeometryFlipped = false
    open var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
    open var contentsCenter = CGRect(x: 0, y: 0, width: 1, height: 1)
    open var minificationFilter = CALayerContentsFilter.linear
    open var magnificationFilter = CALayerContentsFilter.linear
    open var needsDisplayOnBoundsChange = false
    open var drawsAsynchronously = false
    open var allowsEdgeAntialiasing = false
    open var allowsGroupOpacity = true
    open var edgeAntialiasingMask: UInt32 = 15
    open var compositingFilter: Any?
    open var filters: [Any]?
    open var backgroundFilters: [Any]?
    open var actions: [String: any CAAction]?
    open var repeatCount: Float = 0
    open var repeatDuration: CFTimeInterval = 0
    open var duration: CFTimeInterval = 0
    open var autoreverses = false
    open var fillMode = CAMediaTimingFillMode.removed
    open weak var delegate: (any CALayerDelegate)?
    open var visibleRect: CGRect { bounds }
    private var inner: [CALayer] = []
    open var sublayers: [CALayer]? {
        get { inner.isEmpty ? nil : inner }
        set {
            inner.forEach { $0.superlayer = nil }
            inner = newValue ?? []
            inner.forEach { $0.superlayer = self }
        }
    }
    open private(set) weak var superlayer: CALayer?
    private var animations: [String: CAAnimation] = [:]
    private var values: [String: Any] = [:]
    // Layers, as animations, keep a value for any key.
    open func setValue(_ value: Any?, forKey key: String) { values[key] = value }
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { values[keyPath] = value }
    open func value(forKey key: String) -> Any? { values[key] }
    open func value(forKeyPath keyPath: String) -> Any? { values[keyPath] }

    /// What stands for the layer and those in it.
    @MainActor var shownNodes: [Node] {
        isHidden
            ? [] : [(self as? any SelfDrawing)?.shownNode].compactMap { $0 } + (sublayers ?? []).flatMap(\.shownNodes)
    }

    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32(sublayers?.count ?? 0)) }
    open func insertSublayer(_ layer: CALayer, at index: UInt32) {
        layer.removeFromSuperlayer()
        inner.insert(layer, at: min(Int(index), inner.count))
        layer.superlayer = self
    }
    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insertSublayer(layer, at: UInt32(sublayers?.firstIndex { $0 === sibling } ?? 0))
    }
    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        insertSublayer(layer, at: UInt32((sublayers?.firstIndex { $0 === sibling }).map { $0 + 1 } ?? 0))
    }
    open func removeFromSuperlayer() {
        superlayer?.inner.removeAll { $0 === self }
        superlayer = nil
    }

    /// Ends the animation at once.
    open func add(_ anim: CAAnimation, forKey key: String?) {
        if let key { animations[key] = anim }
        anim.delegate?.animationDidStart(anim)
        anim.delegate?.animationDidStop(anim, finished: true)
        if let key, anim.isRemovedOnCompletion { animations[key] = nil }
    }
    open func animation(forKey key: String) -> CAAnimation? { animations[key] }
    open func animationKeys() -> [String]? { animations.isEmpty ? nil : animations.keys.sorted() }
    open func removeAnimation(forKey key: String) { animations[key] = nil }
    open func removeAllAnimations() { animations = [:] }
    open func setNeedsDisplay() {}
    open func setNeedsLayout() {}
    open func layoutIfNeeded() {}
    open func layoutSublayers() {}
    open func display() {}
    open func convert(_ time: CFTimeInterval, from layer: CALayer?) -> CFTimeInterval { time }
    open func presentation() -> Self? { self }
    open func model() -> Self { self }
    open func affineTransform() -> CGAffineTransform { CATransform3DGetAffineTransform(transform) }
    open func setAffineTransform(_ transform: CGAffineTransform) {
        self.transform = CATransform3DMakeAffineTransform(transform)
    }
    open func draw(in ctx: CGContext) {}
    open func render(in ctx: CGContext) {}
    open func setNeedsDisplay(_ r: CGRect) {}
    open func displayIfNeeded() {}
    open func needsLayout() -> Bool { false }
    open class func needsDisplay(forKey key: String) -> Bool { false }
    open class func defaultAction(forKey event: String) -> (any CAAction)? { nil }
    open func action(forKey event: String) -> (any CAAction)? { nil }
    open func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
        insertSublayer(newLayer, above: oldLayer)
        oldLayer.removeFromSuperlayer()
    }
    open func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }
    open func hitTest(_ p: CGPoint) -> CALayer? { frame.contains(p) ? self : nil }
    open func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint { p }
    open func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint { p }
    open func convert(_ r: CGRect, from l: CALayer?) -> CGRect { r }
    open func convert(_ r: CGRect, to l: CALayer?) -> CGRect { r }
    open func convert(_ time: CFTimeInterval, to layer: CALayer?) -> CFTimeInterval { time }
}

public typealias CFTimeInterval = Double

/// The time of the system in seconds.
public func CACurrentMediaTime() -> CFTimeInterval { ProcessInfo.processInfo.systemUptime }

public struct CACornerMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)
}

public struct CALayerCornerCurve: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let circular = CALayerCornerCurve(rawValue: "circular")
    public static let continuous = CALayerCornerCurve(rawValue: "continuous")
}

public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let center = CALayerContentsGravity(rawValue: "center")
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

/// A layer with a gradient.
open class CAGradientLayer: CALayer, @unchecked Sendable {
    open var colors: [Any]?
    open var locations: [NSNumber]?
    open var startPoint = CGPoint(x: 0.5, y: 0)
    open var endPoint = CGPoint(x: 0.5, y: 1)
    open var type = CAGradientLayerType.axial
}

public struct CAGradientLayerType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let axial = CAGradientLayerType(rawValue: "axial")
    public static let conic = CAGradientLayerType(rawValue: "conic")
    public static let radial = CAGradientLayerType(rawValue: "radial")
}

/// A layer with a path.
open class CAShapeLayer: CALayer, @unchecked Sendable {
    open var path: CGPath?
    open var fillColor: CGColor?
    open var strokeColor: CGColor?
    open var strokeStart: CGFloat = 0
    open var strokeEnd: CGFloat = 1
    open var lineWidth: CGFloat = 1
    open var lineCap = CAShapeLayerLineCap.butt
    open var lineJoin = CAShapeLayerLineJoin.miter
    open var fillRule = CAShapeLayerFillRule.nonZero
    open var lineDashPhase: CGFloat = 0
    open var miterLimit: CGFloat = 10
    open var lineDashPattern: [NSNumber]?
}

public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let butt = CAShapeLayerLineCap(rawValue: "butt")
    public static let round = CAShapeLayerLineCap(rawValue: "round")
    public static let square = CAShapeLayerLineCap(rawValue: "square")
}

public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
    public static let round = CAShapeLayerLineJoin(rawValue: "round")
    public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}

public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
    public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

public struct CALayerContentsFilter: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let linear = CALayerContentsFilter(rawValue: "linear")
    public static let nearest = CALayerContentsFilter(rawValue: "nearest")
    public static let trilinear = CALayerContentsFilter(rawValue: "trilinear")
}

/// What happens when a property of a layer changes; kept.
public protocol CAAction {}

extension CAAnimation: CAAction {}
extension NSNull: CAAction {}

public protocol CALayerDelegate: NSObjectProtocol {}

extension UIView: CALayerDelegate {}
