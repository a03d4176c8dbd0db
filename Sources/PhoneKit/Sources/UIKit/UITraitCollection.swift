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
