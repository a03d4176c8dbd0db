// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

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
    open var batteryState: BatteryState { .unknown }
    open var isProximityMonitoringEnabled = false
    open var isMultitaskingSupported: Bool { true }
    public enum BatteryState: Int, Sendable {
        case unknown, unplugged, charging, full
    }
    public static let orientationDidChangeNotification = NSNotification.Name(
        "UIDeviceOrientationDidChangeNotification"
    )
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
    open func snapshotView(afterScreenUpdates afterUpdates: Bool) -> UIView { UIView(frame: bounds) }
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

/// What people copied; it is the process's own.
@preconcurrency @MainActor
open class UIPasteboard: NSObject {
    public static let general = UIPasteboard()
    open var string: String? {
        get { strings?.first }
        set { strings = newValue.map { [$0] } }
    }
    open var strings: [String]?
    open var url: URL?
    open var image: UIImage?
    open var color: UIColor?
    open var hasStrings: Bool { strings?.isEmpty == false }
    open var hasURLs: Bool { url != nil }
    open var hasImages: Bool { image != nil }
}
