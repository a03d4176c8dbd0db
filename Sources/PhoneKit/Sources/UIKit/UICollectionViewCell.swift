// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A view of a collection that is reused.
@preconcurrency @MainActor
open class UICollectionReusableView: UIView {
    open internal(set) var reuseIdentifier: String?
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open func prepareForReuse() {}
    open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {}
    open func preferredLayoutAttributesFitting(
        _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes { layoutAttributes }
}

/// An item of a collection.
@preconcurrency @MainActor
open class UICollectionViewCell: UICollectionReusableView {
    open private(set) lazy var contentView: UIView = {
        let view = UIView(frame: bounds)
        insertSubview(view, at: 0)
        return view
    }()
    open var isSelected = false {
        didSet {
            changed()
            if isSelected != oldValue { setNeedsUpdateConfiguration() }
        }
    }
    open var isHighlighted = false
    open var backgroundView: UIView?
    open var selectedBackgroundView: UIView?
    open var backgroundConfiguration: UIBackgroundConfiguration?
    open var contentConfiguration: (any UIContentConfiguration)? {
        didSet { configured.show(contentConfiguration, in: contentView) }
    }
    private var configured = ConfiguredContent()
    open var configurationUpdateHandler: ((UICollectionViewCell, UICellConfigurationState) -> Void)? {
        didSet { setNeedsUpdateConfiguration() }
    }
    open var automaticallyUpdatesContentConfiguration = true
    open var automaticallyUpdatesBackgroundConfiguration = true
    open var configurationState: UICellConfigurationState {
        var state = UICellConfigurationState(traitCollection: traitCollection)
        (state.isSelected, state.isHighlighted) = (isSelected, isHighlighted)
        return state
    }
    open func setNeedsUpdateConfiguration() {
        configurationUpdateHandler?(self, configurationState)
        updateConfiguration(using: configurationState)
    }
    open func updateConfiguration(using state: UICellConfigurationState) {}

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

}

/// An item of a list.
@preconcurrency @MainActor
open class UICollectionViewListCell: UICollectionViewCell {
    open var accessories: [UICellAccessory] = [] { didSet { changed() } }
    open var indentationLevel = 0
    open var indentationWidth: CGFloat = 10
    open func defaultBackgroundConfiguration() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }

    override func node(_ drawing: Drawing) -> Node? {
        let content = super.node(drawing)
        let marks = accessories.compactMap { $0.text.map { Node("text", [("text", .string($0))]) } }
        return drawing.list([content].compactMap { $0 } + marks, isRow: !marks.isEmpty)
    }

    open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}

/// What stands at the edge of an item of a list; only a checkmark and a label are shown.
public struct UICellAccessory: Sendable {
    public enum DisplayedState: Sendable {
        case always, whenEditing, whenNotEditing
    }
    let text: String?
    public static func disclosureIndicator(displayed: DisplayedState = .always) -> UICellAccessory { .init(text: nil) }
    public static func checkmark(displayed: DisplayedState = .always) -> UICellAccessory { .init(text: "✓") }
    public static func delete(displayed: DisplayedState = .whenEditing) -> UICellAccessory { .init(text: nil) }
    public static func reorder(displayed: DisplayedState = .whenEditing) -> UICellAccessory { .init(text: nil) }
    public static func label(text: String, displayed: DisplayedState = .always) -> UICellAccessory { .init(text: text) }
}
