// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// What a cell shows, as a value that makes the view.
@preconcurrency @MainActor
public protocol UIContentConfiguration {
    func makeContentView() -> any UIView & UIContentView
    func updated(for state: any UIConfigurationState) -> Self
}

/// A view that shows a configuration.
@preconcurrency @MainActor
public protocol UIContentView: NSObjectProtocol {
    var configuration: any UIContentConfiguration { get set }
    func supports(_ configuration: any UIContentConfiguration) -> Bool
}

extension UIContentView {
    public func supports(_ configuration: any UIContentConfiguration) -> Bool {
        type(of: configuration) == type(of: self.configuration)
    }
}

public protocol UIConfigurationState {
    var traitCollection: UITraitCollection { get set }
}

/// The state of a view that may be selected.
public struct UIViewConfigurationState: UIConfigurationState, Hashable, Sendable {
    public var traitCollection: UITraitCollection
    public var isDisabled = false
    public var isHighlighted = false
    public var isSelected = false
    public var isFocused = false
    public init(traitCollection: UITraitCollection) { self.traitCollection = traitCollection }
}

/// The state of a cell.
public struct UICellConfigurationState: UIConfigurationState, Hashable, Sendable {
    public var traitCollection: UITraitCollection
    public var isDisabled = false
    public var isHighlighted = false
    public var isSelected = false
    public var isFocused = false
    public var isEditing = false
    public var isExpanded = false
    public var isSwiped = false
    public var isReordering = false
    public init(traitCollection: UITraitCollection) { self.traitCollection = traitCollection }
}

/// The view of a list's configuration.
@preconcurrency @MainActor
open class UIListContentView: UIView, UIContentView {
    private var shown: UIListContentConfiguration
    open var configuration: any UIContentConfiguration {
        get { shown }
        set {
            if let new = newValue as? UIListContentConfiguration { shown = new }
            changed()
        }
    }
    public init(configuration: UIListContentConfiguration) {
        shown = configuration
        super.init(frame: .zero)
    }
    public required init?(coder: NSCoder) {
        shown = .cell()
        super.init(coder: coder)
    }
    override func node(_ drawing: Drawing) -> Node? { drawing.list(shown.nodes(drawing), isRow: false) }
}

/// The view that shows the configuration of a cell, which it keeps as long as the kind of configuration stays.
@MainActor
struct ConfiguredContent {
    private var view: (any UIView & UIContentView)?

    mutating func show(_ configuration: (any UIContentConfiguration)?, in content: UIView) {
        guard let configuration else {
            view?.removeFromSuperview()
            view = nil
            return
        }
        if let view, view.supports(configuration) { return view.configuration = configuration }
        view?.removeFromSuperview()
        let made = configuration.makeContentView()
        content.addSubview(made)
        view = made
    }
}

/// What a cell of a list shows, as a value.
public struct UIListContentConfiguration: UIContentConfiguration, @unchecked Sendable {
    /// How a text is shown.
    public struct TextProperties: Sendable {
        public var font = UIFont.systemFont(ofSize: 17)
        public var color = UIColor.label
        public var numberOfLines = 0
        public var alignment = TextAlignment.natural
        public var lineBreakMode = NSLineBreakMode.byTruncatingTail
        public var adjustsFontSizeToFitWidth = false
        public var minimumScaleFactor: CGFloat = 0
        public var adjustsFontForContentSizeCategory = true
        public var transform = TextTransform.none
        public enum TextTransform: Int, Sendable {
            case none, uppercase, lowercase, capitalized
        }
        public enum TextAlignment: Int, Sendable {
            case natural, center, justified
        }
    }
    /// How an image is shown.
    public struct ImageProperties: Sendable {
        public var tintColor: UIColor?
        public var cornerRadius: CGFloat = 0
        public var maximumSize = CGSize.zero
        public var reservedLayoutSize = CGSize.zero
        public var preferredSymbolConfiguration: UIImage.SymbolConfiguration?
        public static let standardDimension: CGFloat = 0
    }

    public var text: String?
    public var attributedText: NSAttributedString?
    public var secondaryText: String?
    public var secondaryAttributedText: NSAttributedString?
    public var image: UIImage?
    public var textProperties = TextProperties()
    public var secondaryTextProperties = TextProperties()
    public var imageProperties = ImageProperties()
    public var imageToTextPadding: CGFloat = 0
    public var textToSecondaryTextVerticalPadding: CGFloat = 0
    public var directionalLayoutMargins = NSDirectionalEdgeInsets.zero
    public var prefersSideBySideTextAndSecondaryText = false

    public static func cell() -> UIListContentConfiguration { UIListContentConfiguration() }
    public static func valueCell() -> UIListContentConfiguration { UIListContentConfiguration() }
    public static func subtitleCell() -> UIListContentConfiguration { UIListContentConfiguration() }
    public static func plainHeader() -> UIListContentConfiguration { UIListContentConfiguration() }
    public static func plainFooter() -> UIListContentConfiguration { UIListContentConfiguration() }
    public static func groupedHeader() -> UIListContentConfiguration { UIListContentConfiguration() }
    public static func groupedFooter() -> UIListContentConfiguration { UIListContentConfiguration() }
    public static func accompaniedSidebarCell() -> UIListContentConfiguration { UIListContentConfiguration() }
    public static func sidebarCell() -> UIListContentConfiguration { UIListContentConfiguration() }

    @MainActor
    public func makeContentView() -> any UIView & UIContentView { UIListContentView(configuration: self) }
    @MainActor
    public func updated(for state: any UIConfigurationState) -> UIListContentConfiguration { self }

    @MainActor
    func nodes(_ drawing: Drawing) -> [Node] {
        let picture = image.flatMap { drawing.image($0, of: nil) }
        let shown = [attributedText?.string ?? text, secondaryAttributedText?.string ?? secondaryText]
        let texts = shown.enumerated().compactMap { index, text -> Node? in
            guard let text, !text.isEmpty else { return nil }
            let properties = index == 1 ? secondaryTextProperties : textProperties
            let look = Node.look(color: properties.color, isBold: properties.font.isBold)
            return Node("text", [("text", .string(text))] + (index == 1 ? [("style", "caption")] : []) + look)
        }
        return [picture].compactMap { $0 } + texts
    }
}
