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
    open var isSelected = false { didSet { changed() } }
    open var isHighlighted = false
    open var isEditing = false
    open var backgroundView: UIView?
    open var selectedBackgroundView: UIView?
    open var separatorInset = UIEdgeInsets.zero
    open var indentationLevel = 0
    open var backgroundConfiguration: UIBackgroundConfiguration?
    open var contentConfiguration: UIListContentConfiguration? { didSet { changed() } }

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
    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }
    open func setHighlighted(_ highlighted: Bool, animated: Bool) { isHighlighted = highlighted }
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }

    override func node(_ drawing: Drawing) -> Node? {
        var nodes = contentConfiguration?.nodes(drawing) ?? []
        if let content = drawing.container(self) { nodes.append(content) }
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
    open var backgroundView: UIView?

    public init(reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open func prepareForReuse() {}
}

/// What a cell of a list shows, as a value.
public struct UIListContentConfiguration: Sendable {
    /// How a text is shown.
    public struct TextProperties: Sendable {
        public var font = UIFont.systemFont(ofSize: 17)
        public var color = UIColor.label
        public var numberOfLines = 0
        public var alignment = TextAlignment.natural
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
    }

    public var text: String?
    public var secondaryText: String?
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
    public static func sidebarCell() -> UIListContentConfiguration { UIListContentConfiguration() }

    @MainActor
    func nodes(_ drawing: Drawing) -> [Node] {
        let picture = image.flatMap { drawing.image($0, of: nil) }
        let texts = [text, secondaryText].enumerated().compactMap { index, text -> Node? in
            guard let text, !text.isEmpty else { return nil }
            let properties = index == 1 ? secondaryTextProperties : textProperties
            let look = Node.look(color: properties.color, isBold: properties.font.isBold)
            return Node("text", [("text", .string(text))] + (index == 1 ? [("style", "caption")] : []) + look)
        }
        return [picture].compactMap { $0 } + texts
    }
}
