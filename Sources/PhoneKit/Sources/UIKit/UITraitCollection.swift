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
    open var accessibilityContrast: UIAccessibilityContrast { .normal }
    open var legibilityWeight: UILegibilityWeight { .regular }
    open var userInterfaceLevel: UIUserInterfaceLevel { .base }
    open var displayGamut: UIDisplayGamut { .P3 }
    open var forceTouchCapability: UIForceTouchCapability { .unavailable }
    open func containsTraits(in trait: UITraitCollection?) -> Bool { trait == nil || trait == self }
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
    public static let didChangeNotification = NSNotification.Name("UIContentSizeCategoryDidChangeNotification")
    public static let unspecified = UIContentSizeCategory(rawValue: "_UICTContentSizeCategoryUnspecified")
    public static let extraSmall = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXS")
    public static let extraExtraLarge = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXXL")
    public static let extraExtraExtraLarge = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXXXL")
    public static let accessibilityMedium = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryAccessibilityM")
    public static let accessibilityLarge = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryAccessibilityL")
    public static let accessibilityExtraLarge = UIContentSizeCategory(
        rawValue: "UICTContentSizeCategoryAccessibilityXL"
    )
    public static let accessibilityExtraExtraLarge = UIContentSizeCategory(
        rawValue: "UICTContentSizeCategoryAccessibilityXXL"
    )
    public static let accessibilityExtraExtraExtraLarge = UIContentSizeCategory(
        rawValue: "UICTContentSizeCategoryAccessibilityXXXL"
    )
    public static let small = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryS")
    public static let medium = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryM")
    public static let large = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryL")
    public static let extraLarge = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXL")
    public var isAccessibilityCategory: Bool { false }
}

public enum UIAccessibilityContrast: Int, Sendable {
    case unspecified = -1
    case normal, high
}

public enum UILegibilityWeight: Int, Sendable {
    case unspecified = -1
    case regular, bold
}

public enum UIUserInterfaceLevel: Int, Sendable {
    case unspecified = -1
    case base, elevated
}

public enum UIDisplayGamut: Int, Sendable {
    case unspecified = -1
    case SRGB, P3
}

public enum UIForceTouchCapability: Int, Sendable {
    case unknown, unavailable, available
}

// MARK: - Changes of traits, of which there are none while a notification is shown

public protocol UITraitDefinition {}
public typealias UITrait = any UITraitDefinition.Type

public enum UITraitUserInterfaceStyle: UITraitDefinition {}
public enum UITraitHorizontalSizeClass: UITraitDefinition {}
public enum UITraitVerticalSizeClass: UITraitDefinition {}
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {}
public enum UITraitDisplayScale: UITraitDefinition {}
public enum UITraitLayoutDirection: UITraitDefinition {}
public enum UITraitAccessibilityContrast: UITraitDefinition {}

@preconcurrency @MainActor
public protocol UITraitEnvironment: NSObjectProtocol {
    var traitCollection: UITraitCollection { get }
    func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

@preconcurrency @MainActor
public protocol UITraitChangeRegistration: NSObjectProtocol {}

private final class TraitChangeRegistration: NSObject, UITraitChangeRegistration {}

@preconcurrency @MainActor
public protocol UITraitChangeObservable {}

extension UITraitChangeObservable {
    @discardableResult
    public func registerForTraitChanges<Observer>(
        _ traits: [UITrait],
        handler: @escaping (_ traitEnvironment: Observer, _ previousTraitCollection: UITraitCollection) -> Void
    ) -> any UITraitChangeRegistration { TraitChangeRegistration() }
    @discardableResult
    public func registerForTraitChanges(
        _ traits: [UITrait],
        target: Any,
        action: Selector
    ) -> any UITraitChangeRegistration { TraitChangeRegistration() }
    @discardableResult
    public func registerForTraitChanges(
        _ traits: [UITrait],
        action: Selector
    ) -> any UITraitChangeRegistration { TraitChangeRegistration() }
    public func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {}
}

extension UIView: UITraitEnvironment, UITraitChangeObservable {}
extension UIViewController: UITraitEnvironment, UITraitChangeObservable {}
