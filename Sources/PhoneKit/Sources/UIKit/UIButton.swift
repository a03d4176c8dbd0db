// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON

/// A button.
@preconcurrency @MainActor
open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable {
        case custom, system, detailDisclosure, infoLight, infoDark, contactAdd, plain, close
    }

    /// What a button shows in one of its states.
    private struct Appearance {
        var title: String?
        var attributedTitle: NSAttributedString?
        var image: UIImage?
        var backgroundImage: UIImage?
        var titleColor: UIColor?
        var shadowColor: UIColor?
    }

    open private(set) var buttonType: ButtonType
    private var appearances: [State: Appearance] = [:] { didSet { changed() } }
    private var shownLabel: UILabel?
    private var shownImageView: UIImageView?

    open var configuration: Configuration? { didSet { changed() } }
    open var configurationUpdateHandler: ((UIButton) -> Void)? { didSet { setNeedsUpdateConfiguration() } }
    open var automaticallyUpdatesConfiguration = true
    open var changesSelectionAsPrimaryAction = false
    open var menu: UIMenu?
    open var role = Role.normal
    open var contentEdgeInsets = UIEdgeInsets.zero
    open var titleEdgeInsets = UIEdgeInsets.zero
    open var imageEdgeInsets = UIEdgeInsets.zero
    open var adjustsImageWhenHighlighted = true
    open var adjustsImageWhenDisabled = true
    open var showsTouchWhenHighlighted = false
    open var reversesTitleShadowWhenHighlighted = false
    open var isPointerInteractionEnabled = false
    open var isHovered: Bool { false }
    open var isHeld: Bool { false }
    open func contentRect(forBounds bounds: CGRect) -> CGRect { bounds }
    open func titleRect(forContentRect contentRect: CGRect) -> CGRect { contentRect }
    open func imageRect(forContentRect contentRect: CGRect) -> CGRect { contentRect }
    open func backgroundRect(forBounds bounds: CGRect) -> CGRect { bounds }
    open override var intrinsicContentSize: CGSize {
        let title = TextSize.size(
            of: currentAttributedTitle?.string ?? currentTitle ?? configuration?.text ?? "",
            shownLabel?.font,
            width: .greatestFiniteMagnitude
        )
        return CGSize(width: title.width + (currentImage?.size.width ?? 0), height: max(title.height, 30))
    }

    public enum Role: Int, Sendable {
        case normal, primary, cancel, destructive
    }

    public override init(frame: CGRect) {
        buttonType = .custom
        super.init(frame: frame)
    }
    public required init?(coder: NSCoder) {
        buttonType = .system
        super.init(coder: coder)
    }
    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        self.buttonType = buttonType
    }
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero, primaryAction: primaryAction)
        self.buttonType = buttonType
    }
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) {
        self.init(frame: .zero, primaryAction: primaryAction)
        self.configuration = configuration
    }
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        guard let primaryAction else { return }
        addAction(primaryAction, for: .primaryActionTriggered)
        if !primaryAction.title.isEmpty { setTitle(primaryAction.title, for: .normal) }
        if let image = primaryAction.image { setImage(image, for: .normal) }
    }

    // MARK: By state

    open func setTitle(_ title: String?, for state: State) { appearances[state, default: Appearance()].title = title }
    open func setAttributedTitle(_ title: NSAttributedString?, for state: State) {
        appearances[state, default: Appearance()].attributedTitle = title
    }
    open func setTitleColor(_ color: UIColor?, for state: State) {
        appearances[state, default: Appearance()].titleColor = color
    }
    open func setTitleShadowColor(_ color: UIColor?, for state: State) {
        appearances[state, default: Appearance()].shadowColor = color
    }
    open func setImage(_ image: UIImage?, for state: State) { appearances[state, default: Appearance()].image = image }
    open func setBackgroundImage(_ image: UIImage?, for state: State) {
        appearances[state, default: Appearance()].backgroundImage = image
    }
    open func setPreferredSymbolConfiguration(_ configuration: UIImage.SymbolConfiguration?, forImageIn state: State) {}

    open func title(for state: State) -> String? { appearances[state]?.title ?? appearances[.normal]?.title }
    open func attributedTitle(for state: State) -> NSAttributedString? {
        appearances[state]?.attributedTitle ?? appearances[.normal]?.attributedTitle
    }
    open func titleColor(for state: State) -> UIColor? {
        appearances[state]?.titleColor ?? appearances[.normal]?.titleColor
    }
    open func titleShadowColor(for state: State) -> UIColor? {
        appearances[state]?.shadowColor ?? appearances[.normal]?.shadowColor
    }
    open func image(for state: State) -> UIImage? { appearances[state]?.image ?? appearances[.normal]?.image }
    open func backgroundImage(for state: State) -> UIImage? {
        appearances[state]?.backgroundImage ?? appearances[.normal]?.backgroundImage
    }

    open var currentTitle: String? { title(for: state) }
    open var currentAttributedTitle: NSAttributedString? { attributedTitle(for: state) }
    open var currentTitleColor: UIColor { titleColor(for: state) ?? tintColor }
    open var currentImage: UIImage? { image(for: state) }
    open var currentBackgroundImage: UIImage? { backgroundImage(for: state) }

    open var titleLabel: UILabel? {
        let label = shownLabel ?? UILabel()
        shownLabel = label
        label.text = currentAttributedTitle?.string ?? currentTitle
        return label
    }
    open var subtitleLabel: UILabel? { nil }
    open var imageView: UIImageView? {
        let view = shownImageView ?? UIImageView()
        shownImageView = view
        view.image = currentImage
        return view
    }

    open func setNeedsUpdateConfiguration() {
        configurationUpdateHandler?(self)
        changed()
    }
    open func updateConfiguration() {}
    open override var isSelected: Bool { didSet { if isSelected != oldValue { setNeedsUpdateConfiguration() } } }
    open override var isEnabled: Bool { didSet { if isEnabled != oldValue { setNeedsUpdateConfiguration() } } }

    // MARK: Drawing

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "button")
        let image = configuration?.image ?? currentImage ?? currentBackgroundImage
        let title =
            [
                currentAttributedTitle?.string, currentTitle, configuration?.text, accessibilityLabel,
                drawing.texts(of: drawnSubviews, in: self), image?.accessibilityLabel, image?.symbolText, image?.name,
            ].lazy.compactMap { $0 }.first { !$0.allSatisfy(\.isWhitespace) } ?? id
        drawing.react(id, self) { [unowned self] _ in press() }
        let button = drawing.button(title, id: id, isEnabled: takesTouches, isSelected: isSelected, look)
        guard showsMenuAsPrimaryAction, let menu else { return button }
        // The entries of the menu stand below the button, as if it was open.
        return drawing.joined(button, entries(of: menu, id, drawing))
    }

    /// What the title and the background look like, by the configuration or else by the button's own members.
    private var look: [(String, JSON)] {
        guard let configuration else {
            let title = currentAttributedTitle.flatMap { $0.length > 0 && $0.isUniform(.foregroundColor) ? $0 : nil }
            let color = title?.attribute(.foregroundColor, at: 0, effectiveRange: nil) as? UIColor
            return Node.look(
                color: color ?? titleColor(for: state) ?? ownTint,
                background: backgroundColor,
                isBold: shownLabel?.font.isBold == true
            )
        }
        let filled: UIColor? = configuration.isFilled ? configuration.baseBackgroundColor ?? tintColor : nil
        return Node.look(
            color: configuration.baseForegroundColor ?? (configuration.isFilled ? .white : ownTint),
            background: configuration.background.backgroundColor ?? filled ?? backgroundColor
        )
    }

    private func entries(of menu: UIMenu, _ id: String, _ drawing: Drawing) -> [Node] {
        menu.actions.map { action in
            let own = drawing.unused("\(id)-\(action.title)")
            let isEnabled = takesTouches && !action.attributes.contains(.disabled)
            drawing.react(own, self) { [unowned self] _ in
                if isEnabled { action.perform(with: self) }
            }
            return drawing.button((action.state == .on ? "✓ " : "") + action.title, id: own, isEnabled: isEnabled)
        }
    }

    /// What a finger does.
    private func press() {
        guard takesTouches else { return }
        let touch = UITouch(self)
        touchesBegan([touch], with: UIEvent([touch]))
        isHighlighted = true
        sendActions(for: .touchDown)
        isHighlighted = false
        if changesSelectionAsPrimaryAction { isSelected.toggle() }
        touch.phase = .ended
        touchesEnded([touch], with: UIEvent([touch]))
        sendActions(for: [.touchUpInside, .primaryActionTriggered])
    }
}

extension UIButton {
    /// What a button shows, as a value.
    public struct Configuration: Sendable {
        public enum CornerStyle: Int, Sendable {
            case fixed, dynamic, small, medium, large, capsule
        }
        public enum Size: Int, Sendable {
            case medium, small, mini, large
        }
        public enum TitleAlignment: Int, Sendable {
            case automatic, leading, center, trailing
        }

        public var title: String?
        public var attributedTitle: AttributedString?
        public var subtitle: String?
        public var attributedSubtitle: AttributedString?
        public var image: UIImage?
        public var imagePadding: CGFloat = 0
        public var imagePlacement = NSDirectionalRectEdge.leading
        public var titlePadding: CGFloat = 0
        public var titleAlignment = TitleAlignment.automatic
        public var contentInsets = NSDirectionalEdgeInsets.zero
        public var cornerStyle = CornerStyle.dynamic
        public var buttonSize = Size.medium
        public var baseForegroundColor: UIColor?
        public var baseBackgroundColor: UIColor?
        public var background = UIBackgroundConfiguration()
        public var showsActivityIndicator = false
        public var titleTextAttributesTransformer: UIConfigurationTextAttributesTransformer?
        public var subtitleTextAttributesTransformer: UIConfigurationTextAttributesTransformer?
        public var imageColorTransformer: UIConfigurationColorTransformer?
        public var activityIndicatorColorTransformer: UIConfigurationColorTransformer?
        public var titleLineBreakMode = NSLineBreakMode.byTruncatingTail
        public var subtitleLineBreakMode = NSLineBreakMode.byTruncatingTail
        public enum Indicator: Int, Sendable {
            case automatic, none, popup
        }
        public var indicator = Indicator.automatic
        public mutating func setDefaultContentInsets() { contentInsets = .zero }
        public var preferredSymbolConfigurationForImage: UIImage.SymbolConfiguration?
        /// Whether the button has its colour as background, and a white title.
        var isFilled = false

        public static func plain() -> Configuration { Configuration() }
        public static func gray() -> Configuration { Configuration() }
        public static func tinted() -> Configuration { Configuration() }
        public static func filled() -> Configuration {
            var configuration = Configuration()
            configuration.isFilled = true
            return configuration
        }
        public static func borderless() -> Configuration { Configuration() }
        public static func bordered() -> Configuration { Configuration() }
        public static func borderedTinted() -> Configuration { Configuration() }
        public static func borderedProminent() -> Configuration { filled() }

        @MainActor public func updated(for button: UIButton) -> Configuration { self }

        var text: String? {
            let title = attributedTitle.map { String($0.characters) } ?? title
            let subtitle = attributedSubtitle.map { String($0.characters) } ?? subtitle
            let parts = [title, subtitle].compactMap { $0 }.filter { !$0.isEmpty }
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }
    }
}

/// Changes the attributes of a button's title, which have no meaning off a screen.
public struct UIConfigurationTextAttributesTransformer: @unchecked Sendable {
    public let transform: (AttributeContainer) -> AttributeContainer
    public init(_ transform: @escaping (AttributeContainer) -> AttributeContainer) { self.transform = transform }
    public func callAsFunction(_ input: AttributeContainer) -> AttributeContainer { transform(input) }
}

/// Changes a colour, which has no meaning off a screen.
public struct UIConfigurationColorTransformer: @unchecked Sendable {
    public let transform: (UIColor) -> UIColor
    public init(_ transform: @escaping (UIColor) -> UIColor) { self.transform = transform }
    public func callAsFunction(_ input: UIColor) -> UIColor { transform(input) }
    public static let grayscale = UIConfigurationColorTransformer { $0 }
    public static let preferredTint = UIConfigurationColorTransformer { $0 }
    public static let monochromeTint = UIConfigurationColorTransformer { $0 }
}

/// The background of a button or a cell.
public struct UIBackgroundConfiguration: @unchecked Sendable {
    public var customView: UIView?
    public var backgroundInsets = NSDirectionalEdgeInsets.zero
    public var edgesAddingLayoutMarginsToBackgroundInsets: NSDirectionalRectEdge = []
    public var backgroundColorTransformer: UIConfigurationColorTransformer?
    public var strokeColorTransformer: UIConfigurationColorTransformer?
    public var strokeOutset: CGFloat = 0
    public var visualEffect: UIVisualEffect?
    public var imageContentMode = UIView.ContentMode.scaleToFill
    public static func listPlainCell() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    public static func listGroupedCell() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    public static func listPlainHeaderFooter() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    public static func listGroupedHeaderFooter() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    public static func listSidebarCell() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    public static func listCell() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    public var backgroundColor: UIColor?
    public var cornerRadius: CGFloat = 0
    public var strokeColor: UIColor?
    public var strokeWidth: CGFloat = 0
    public var image: UIImage?
    public init() {}
    public static func clear() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
}

/// Edges in the direction of reading.
public struct NSDirectionalRectEdge: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let top = NSDirectionalRectEdge(rawValue: 1)
    public static let leading = NSDirectionalRectEdge(rawValue: 2)
    public static let bottom = NSDirectionalRectEdge(rawValue: 4)
    public static let trailing = NSDirectionalRectEdge(rawValue: 8)
    public static let all: NSDirectionalRectEdge = [.top, .leading, .bottom, .trailing]
}
