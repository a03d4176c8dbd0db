// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// What helps people who do not see the screen; nobody listens here.
@MainActor
public enum UIAccessibility {
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let announcement = Notification(rawValue: 1_008)
        public static let layoutChanged = Notification(rawValue: 1_001)
        public static let screenChanged = Notification(rawValue: 1_000)
        public static let pageScrolled = Notification(rawValue: 1_009)
    }
    public static func post(notification: Notification, argument: Any?) {}
    public static var isVoiceOverRunning: Bool { false }
    public static var isReduceMotionEnabled: Bool { false }
    public static var isReduceTransparencyEnabled: Bool { false }
    public static var isBoldTextEnabled: Bool { false }
    public static var isDarkerSystemColorsEnabled: Bool { false }
    public static var isInvertColorsEnabled: Bool { false }
    public static var isSwitchControlRunning: Bool { false }
    public static var isGrayscaleEnabled: Bool { false }
    public static var shouldDifferentiateWithoutColor: Bool { false }
    public static var prefersCrossFadeTransitions: Bool { false }
    public static let voiceOverStatusDidChangeNotification = NSNotification.Name(
        "UIAccessibilityVoiceOverStatusDidChangeNotification"
    )
    public static let reduceMotionStatusDidChangeNotification = NSNotification.Name(
        "UIAccessibilityReduceMotionStatusDidChangeNotification"
    )
    public static let announcementDidFinishNotification = NSNotification.Name(
        "UIAccessibilityAnnouncementDidFinishNotification"
    )
}

/// An action for people who do not touch the view.
@preconcurrency @MainActor
open class UIAccessibilityCustomAction: NSObject {
    public typealias Handler = (UIAccessibilityCustomAction) -> Bool
    open var name: String
    open var image: UIImage?
    open weak var target: AnyObject?
    open var selector: Selector = ""
    open var actionHandler: Handler?

    public init(name: String, actionHandler: Handler?) {
        (self.name, self.actionHandler) = (name, actionHandler)
        super.init()
    }
    public convenience init(name: String, target: Any?, selector: Selector) {
        self.init(name: name, actionHandler: nil)
        (self.target, self.selector) = (target.map { $0 as AnyObject }, selector)
    }
    public convenience init(name: String, image: UIImage?, actionHandler: @escaping Handler) {
        self.init(name: name, actionHandler: actionHandler)
        self.image = image
    }
}

/// A part of a view that is an element for people who do not see it.
@preconcurrency @MainActor
open class UIAccessibilityElement: UIResponder {
    open weak var accessibilityContainer: AnyObject?
    open var isAccessibilityElement = true
    open var accessibilityIdentifier: String?
    open var accessibilityLabel: String?
    open var accessibilityHint: String?
    open var accessibilityValue: String?
    open var accessibilityTraits: UIAccessibilityTraits = []
    open var accessibilityFrame = CGRect.zero
    open var accessibilityFrameInContainerSpace = CGRect.zero
    public init(accessibilityContainer container: Any) {
        super.init()
        accessibilityContainer = container as AnyObject
    }
}

public struct UIAccessibilityTraits: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let none: UIAccessibilityTraits = []
    public static let button = UIAccessibilityTraits(rawValue: 1)
    public static let link = UIAccessibilityTraits(rawValue: 2)
    public static let image = UIAccessibilityTraits(rawValue: 4)
    public static let selected = UIAccessibilityTraits(rawValue: 8)
    public static let playsSound = UIAccessibilityTraits(rawValue: 16)
    public static let keyboardKey = UIAccessibilityTraits(rawValue: 32)
    public static let staticText = UIAccessibilityTraits(rawValue: 64)
    public static let summaryElement = UIAccessibilityTraits(rawValue: 128)
    public static let notEnabled = UIAccessibilityTraits(rawValue: 1 << 8)
    public static let updatesFrequently = UIAccessibilityTraits(rawValue: 1 << 9)
    public static let searchField = UIAccessibilityTraits(rawValue: 1 << 10)
    public static let startsMediaSession = UIAccessibilityTraits(rawValue: 1 << 11)
    public static let adjustable = UIAccessibilityTraits(rawValue: 1 << 12)
    public static let allowsDirectInteraction = UIAccessibilityTraits(rawValue: 1 << 13)
    public static let causesPageTurn = UIAccessibilityTraits(rawValue: 1 << 14)
    public static let tabBar = UIAccessibilityTraits(rawValue: 1 << 15)
    public static let header = UIAccessibilityTraits(rawValue: 1 << 16)
}

// MARK: - Appearance

/// What all views of a class look like; set on a view that is not shown, because looks have no meaning off a screen.
@preconcurrency @MainActor
public protocol UIAppearanceContainer: NSObjectProtocol {}

@preconcurrency @MainActor
public protocol UIAppearance: NSObjectProtocol {}

extension UIView: UIAppearance, UIAppearanceContainer {}
extension UIViewController: UIAppearanceContainer {}

extension UIAppearance where Self: UIView {
    public static func appearance() -> Self { PhoneObject.make(Self.self, frame: .zero) }
    public static func appearance(for trait: UITraitCollection) -> Self { appearance() }
    public static func appearance(whenContainedInInstancesOf containerTypes: [any UIAppearanceContainer.Type]) -> Self {
        appearance()
    }
}
