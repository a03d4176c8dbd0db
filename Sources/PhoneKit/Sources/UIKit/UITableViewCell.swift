// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// How the cells of a table or a collection are made.
@MainActor
struct Reuse<Cell: UIView> {
    private enum Maker {
        case type(AnyClass)
        case nib(UINib)
        case closure(@MainActor () -> Cell?)
    }

    private var makers: [String: Maker] = [:]

    let advice =
        "must register a nib or a class for the identifier or connect a prototype cell in a storyboard; "
        + "a class of one's own needs init(frame:) or init(style:reuseIdentifier:)"

    mutating func register(_ type: AnyClass?, _ identifier: String) { makers[identifier] = type.map(Maker.type) }
    mutating func register(_ nib: UINib?, _ identifier: String) { makers[identifier] = nib.map(Maker.nib) }
    mutating func register(_ make: @escaping @MainActor () -> Cell?, _ identifier: String) {
        makers[identifier] = .closure(make)
    }

    /// A new cell, which the closure makes of a class; nil if nothing is registered for the identifier.
    func make(_ identifier: String, _ makeOfType: (AnyClass) -> Cell?) -> Cell? {
        switch makers[identifier] {
        case .type(let type): makeOfType(type)
        case .nib(let nib): nib.instantiate(withOwner: nil, options: nil).lazy.compactMap { $0 as? Cell }.first
        case .closure(let make): make()
        case nil: nil
        }
    }
}

/// A row of a table.
@preconcurrency @MainActor
open class UITableViewCell: UIView {
    public enum CellStyle: Int, Sendable {
        case `default`, value1, value2, subtitle
    }
    public enum SelectionStyle: Int, Sendable {
        case none, blue, gray, `default`
    }
    public enum SeparatorStyle: Int, Sendable {
        case none, singleLine, singleLineEtched
    }
    public enum AccessoryType: Int, Sendable {
        case none, disclosureIndicator, detailDisclosureButton, checkmark, detailButton
    }
    public enum EditingStyle: Int, Sendable {
        case none, delete, insert
    }

    open internal(set) var reuseIdentifier: String?
    open private(set) lazy var contentView: UIView = made(UIView())
    open private(set) lazy var textLabel: UILabel? = content(UILabel())
    open private(set) lazy var detailTextLabel: UILabel? = content(UILabel())
    open private(set) lazy var imageView: UIImageView? = content(UIImageView())
    open var accessoryType = AccessoryType.none { didSet { changed() } }
    open var accessoryView: UIView? { didSet { accessoryView.map(addSubview) } }
    open var selectionStyle = SelectionStyle.default
    open var isSelected = false {
        didSet {
            changed()
            if isSelected != oldValue { setNeedsUpdateConfiguration() }
        }
    }
    open var isHighlighted = false
    open var isEditing = false
    open var backgroundView: UIView?
    open var selectedBackgroundView: UIView?
    open var separatorInset = UIEdgeInsets.zero
    open var indentationLevel = 0
    open var backgroundConfiguration: UIBackgroundConfiguration?
    open var contentConfiguration: (any UIContentConfiguration)? {
        didSet { configured.show(contentConfiguration, in: contentView) }
    }
    private var configured = ConfiguredContent()
    open var configurationUpdateHandler: ((UITableViewCell, UICellConfigurationState) -> Void)? {
        didSet { setNeedsUpdateConfiguration() }
    }
    open var automaticallyUpdatesContentConfiguration = true
    open var automaticallyUpdatesBackgroundConfiguration = true
    open var editingAccessoryType = AccessoryType.none
    open var editingAccessoryView: UIView?
    open var editingStyle: EditingStyle { .none }
    open var showsReorderControl = false
    open var shouldIndentWhileEditing = true
    open var indentationWidth: CGFloat = 10
    open var multipleSelectionBackgroundView: UIView?
    open var configurationState: UICellConfigurationState {
        var state = UICellConfigurationState(traitCollection: traitCollection)
        (state.isSelected, state.isHighlighted, state.isEditing) = (isSelected, isHighlighted, isEditing)
        return state
    }

    public init(style: CellStyle, reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    private func made<View: UIView>(_ view: View) -> View {
        insertSubview(view, at: 0)
        return view
    }
    private func content<View: UIView>(_ view: View) -> View {
        contentView.addSubview(view)
        return view
    }

    open func prepareForReuse() {}
    open func setNeedsUpdateConfiguration() {
        configurationUpdateHandler?(self, configurationState)
        updateConfiguration(using: configurationState)
    }
    open func updateConfiguration(using state: UICellConfigurationState) {}
    open func defaultBackgroundConfiguration() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }
    open func setHighlighted(_ highlighted: Bool, animated: Bool) { isHighlighted = highlighted }
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }

    override func node(_ drawing: Drawing) -> Node? {
        var nodes = [drawing.container(self)].compactMap { $0 }
        if accessoryType == .checkmark { nodes.append(Node("text", [("text", "✓")])) }
        return drawing.list(nodes, isRow: accessoryType == .checkmark)
    }
}

/// The header or the footer of a section.
@preconcurrency @MainActor
open class UITableViewHeaderFooterView: UIView {
    open private(set) var reuseIdentifier: String?
    open private(set) lazy var contentView: UIView = {
        let view = UIView()
        addSubview(view)
        return view
    }()
    open private(set) lazy var textLabel: UILabel? = {
        let label = UILabel()
        contentView.addSubview(label)
        return label
    }()
    open private(set) lazy var detailTextLabel: UILabel? = {
        let label = UILabel()
        contentView.addSubview(label)
        return label
    }()
    open var contentConfiguration: (any UIContentConfiguration)? {
        didSet { configured.show(contentConfiguration, in: contentView) }
    }
    private var configured = ConfiguredContent()
    open var backgroundConfiguration: UIBackgroundConfiguration?
    open func defaultContentConfiguration() -> UIListContentConfiguration { .plainHeader() }
    open var backgroundView: UIView?

    public init(reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open func prepareForReuse() {}
}
