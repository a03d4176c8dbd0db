// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import Synchronization

/// What kind of screen shows the view.
open class UITraitCollection: NSObject, NSCopying, @unchecked Sendable {
    private static let shared = Mutex(UITraitCollection())

    public let userInterfaceStyle: UIUserInterfaceStyle
    public let horizontalSizeClass: UIUserInterfaceSizeClass
    public let verticalSizeClass: UIUserInterfaceSizeClass
    public let preferredContentSizeCategory: UIContentSizeCategory

    package init(
        style: UIUserInterfaceStyle = .light,
        horizontal: UIUserInterfaceSizeClass = .compact,
        vertical: UIUserInterfaceSizeClass = .regular,
        size: UIContentSizeCategory = .large
    ) {
        (userInterfaceStyle, horizontalSizeClass, verticalSizeClass) = (style, horizontal, vertical)
        preferredContentSizeCategory = size
    }
    public override convenience init() { self.init(style: .light) }
    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) { self.init(style: userInterfaceStyle) }
    public convenience init(horizontalSizeClass: UIUserInterfaceSizeClass) {
        self.init(horizontal: horizontalSizeClass)
    }
    public convenience init(verticalSizeClass: UIUserInterfaceSizeClass) { self.init(vertical: verticalSizeClass) }
    public convenience init(preferredContentSizeCategory: UIContentSizeCategory) {
        self.init(size: preferredContentSizeCategory)
    }
    public convenience init(traitsFrom traitCollections: [UITraitCollection]) {
        let last = traitCollections.last ?? UITraitCollection()
        self.init(
            style: last.userInterfaceStyle,
            horizontal: last.horizontalSizeClass,
            vertical: last.verticalSizeClass,
            size: last.preferredContentSizeCategory
        )
    }

    open class var current: UITraitCollection {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    open var displayScale: CGFloat { 3 }
    open var layoutDirection: UITraitEnvironmentLayoutDirection { .leftToRight }
    open func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool {
        traitCollection?.userInterfaceStyle != userInterfaceStyle
    }
    open func performAsCurrent(_ actions: () -> Void) { actions() }
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

public enum UITraitEnvironmentLayoutDirection: Int, Sendable {
    case leftToRight, rightToLeft
}

public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified, light, dark
}

public enum UIUserInterfaceSizeClass: Int, Sendable {
    case unspecified, compact, regular
}

public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone, pad, tv, carPlay
    case mac = 5
    case vision
}

public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let small = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryS")
    public static let medium = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryM")
    public static let large = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryL")
    public static let extraLarge = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXL")
    public var isAccessibilityCategory: Bool { false }
}

/// The phone.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    public static let current = UIDevice()
    open var name: String { "iPhone" }
    open var model: String { "iPhone" }
    open var localizedModel: String { "iPhone" }
    open var systemName: String { "iOS" }
    open var systemVersion: String { "18.0" }
    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    open var identifierForVendor: UUID? { UUID(uuidString: "00000000-0000-4000-8000-000000000000") }
    open var orientation: UIDeviceOrientation { .portrait }
    open var isBatteryMonitoringEnabled = false
    open var batteryLevel: Float { -1 }
    open func playInputClick() {}
    open func beginGeneratingDeviceOrientationNotifications() {}
    open func endGeneratingDeviceOrientationNotifications() {}
}

public enum UIDeviceOrientation: Int, Sendable {
    case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

/// The screen of the phone.
@preconcurrency @MainActor
open class UIScreen: NSObject {
    public static let main = UIScreen()
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 375, height: 812) }
    open var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: 1_125, height: 2_436) }
    open var scale: CGFloat { 3 }
    open var nativeScale: CGFloat { 3 }
    open var brightness: CGFloat = 0.5
    open var maximumFramesPerSecond: Int { 60 }
    open var traitCollection: UITraitCollection { .current }
}

/// A window; an extension has none, and may make one that is not shown.
@preconcurrency @MainActor
open class UIWindow: UIView {
    open var rootViewController: UIViewController?
    open var windowLevel = Level.normal
    open private(set) var isKeyWindow = false
    open var screen: UIScreen { .main }
    open override var window: UIWindow? { self }
    open func makeKeyAndVisible() {
        isKeyWindow = true
        isHidden = false
    }

    public struct Level: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let normal = Level(rawValue: 0)
        public static let alert = Level(rawValue: 2_000)
        public static let statusBar = Level(rawValue: 1_000)
    }
}

// MARK: Haptics, which nobody feels here

@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
    @MainActor public override init() { super.init() }
    open func prepare() {}
}

@preconcurrency @MainActor
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    public enum FeedbackType: Int, Sendable {
        case success, warning, error
    }
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}

@preconcurrency @MainActor
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    public enum FeedbackStyle: Int, Sendable {
        case light, medium, heavy, soft, rigid
    }
    public convenience init(style: FeedbackStyle) { self.init() }
    open func impactOccurred() {}
    open func impactOccurred(intensity: CGFloat) {}
}

@preconcurrency @MainActor
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    open func selectionChanged() {}
}

/// What helps people who do not see the screen; nobody listens here.
@MainActor
public enum UIAccessibility {
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let announcement = Notification(rawValue: 1_008)
        public static let layoutChanged = Notification(rawValue: 1_001)
        public static let screenChanged = Notification(rawValue: 1_000)
    }
    public static func post(notification: Notification, argument: Any?) {}
    public static var isVoiceOverRunning: Bool { false }
    public static var isReduceMotionEnabled: Bool { false }
    public static var isReduceTransparencyEnabled: Bool { false }
    public static var isBoldTextEnabled: Bool { false }
}

// MARK: Graphics, which leave no picture here

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
