// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A text.
@preconcurrency @MainActor
open class UILabel: UIView {
    private var content: NSAttributedString? { didSet { changed() } }
    /// The attributes that differ within the text, so that the label as a whole shows none of them.
    private var mixed: Set<NSAttributedString.Key> = []

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open var text: String? {
        get { content?.string }
        set {
            content = newValue.map { NSAttributedString(string: $0) }
            mixed = []
        }
    }
    open var attributedText: NSAttributedString? {
        get { content }
        set {
            content = newValue
            // The attributes of the first character are those of the label, as on a phone.
            guard let newValue, newValue.length > 0 else { return }
            let attributes = newValue.attributes(at: 0, effectiveRange: nil)
            if let font = attributes[.font] as? UIFont { self.font = font }
            if let color = attributes[.foregroundColor] as? UIColor { textColor = color }
            if let style = attributes[.paragraphStyle] as? NSParagraphStyle { textAlignment = style.alignment }
            mixed = Set([.font, .foregroundColor].filter { !newValue.isUniform($0) })
        }
    }
    open var font: UIFont! = .systemFont(ofSize: 17) {
        didSet {
            mixed.remove(.font)
            changed()
        }
    }
    open var textColor: UIColor! = .label {
        didSet {
            mixed.remove(.foregroundColor)
            changed()
        }
    }
    open var highlightedTextColor: UIColor?
    open var isHighlighted = false
    open var isEnabled = true
    open var textAlignment = NSTextAlignment.natural { didSet { changed() } }
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail
    open var numberOfLines = 1
    open var adjustsFontSizeToFitWidth = false
    open var adjustsFontForContentSizeCategory = false
    open var allowsDefaultTighteningForTruncation = false
    open var minimumScaleFactor: CGFloat = 0
    open var showsExpansionTextWhenTruncated = false
    open var preferredMaxLayoutWidth: CGFloat = 0
    open var shadowColor: UIColor?
    open var shadowOffset = CGSize(width: 0, height: -1)
    open var baselineAdjustment = UIBaselineAdjustment.alignBaselines
    open var lineBreakStrategy: NSParagraphStyle.LineBreakStrategy = []

    open func textRect(forBounds bounds: CGRect, limitedToNumberOfLines numberOfLines: Int) -> CGRect { bounds }
    open func drawText(in rect: CGRect) {}

    open override var intrinsicContentSize: CGSize {
        TextSize.size(of: text ?? "", font, width: .greatestFiniteMagnitude)
    }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { TextSize.size(of: text ?? "", font, width: size.width) }
    open override func sizeToFit() { bounds.size = intrinsicContentSize }

    override func node(_ drawing: Drawing) -> Node? {
        guard let text, !text.allSatisfy(\.isWhitespace) else { return drawing.container(self) }
        let look = Node.look(
            color: mixed.contains(.foregroundColor) ? nil : textColor,
            isBold: font?.isBold == true && !mixed.contains(.font)
        )
        return drawing.text(text, of: self, font, textAlignment, look)
    }
}

public enum UIBaselineAdjustment: Int, Sendable {
    case alignBaselines, alignCenters, none
}

/// An estimate of the size of a text, since no font is here to measure it with.
enum TextSize {
    static func size(of text: String, _ font: UIFont?, width: CGFloat) -> CGSize {
        guard !text.isEmpty else { return .zero }
        let points = font?.pointSize ?? 17
        let length = { (line: Substring) in (CGFloat(line.count) * points * 0.52).rounded(.up) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(length)
        let longest = lines.max() ?? 0
        let count = lines.reduce(0) { $0 + max(1, width > 0 ? ($1 / width).rounded(.up) : 1) }
        return CGSize(width: min(longest, width), height: (count * points * 1.2).rounded(.up))
    }
}

/// An image.
@preconcurrency @MainActor
open class UIImageView: UIView {
    open var image: UIImage? { didSet { changed() } }
    open var highlightedImage: UIImage? { didSet { changed() } }
    open var isHighlighted = false { didSet { changed() } }
    open var animationImages: [UIImage]? { didSet { changed() } }
    open var animationDuration: TimeInterval = 0
    open var animationRepeatCount = 0
    open private(set) var isAnimating = false
    open var preferredSymbolConfiguration: UIImage.SymbolConfiguration?
    open var adjustsImageSizeForAccessibilityContentSizeCategory = false
    open var highlightedAnimationImages: [UIImage]?

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isUserInteractionEnabled = false
    }
    public init(image: UIImage?) {
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        isUserInteractionEnabled = false
        self.image = image
    }
    public init(image: UIImage?, highlightedImage: UIImage?) {
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        isUserInteractionEnabled = false
        (self.image, self.highlightedImage) = (image, highlightedImage)
    }

    open func startAnimating() {
        isAnimating = true
        changed()
    }
    open func stopAnimating() {
        isAnimating = false
        changed()
    }
    open override var intrinsicContentSize: CGSize { image?.size ?? super.intrinsicContentSize }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { image?.size ?? .zero }
    open override func sizeToFit() { bounds.size = image?.size ?? .zero }

    override func node(_ drawing: Drawing) -> Node? {
        let animated = isAnimating ? animationImages?.first : nil
        guard let image = animated ?? (isHighlighted ? highlightedImage ?? image : image),
            let node = drawing.image(image, of: self)
        else { return drawing.container(self) }
        return drawing.joined(node, drawing.nodes(of: drawnSubviews, in: self))
    }
}

/// Views below or beside each other.
@preconcurrency @MainActor
open class UIStackView: UIView {
    public enum Distribution: Int, Sendable {
        case fill, fillEqually, fillProportionally, equalSpacing, equalCentering
    }

    public enum Alignment: Int, Sendable {
        case fill, leading, firstBaseline, center, trailing, lastBaseline
        public static let top = Alignment.leading
        public static let bottom = Alignment.trailing
    }

    public static let spacingUseDefault = CGFloat.greatestFiniteMagnitude
    public static let spacingUseSystem: CGFloat = 8

    open private(set) var arrangedSubviews: [UIView] = []
    open var axis = NSLayoutConstraint.Axis.horizontal { didSet { changed() } }
    open var distribution = Distribution.fill
    open var alignment = Alignment.fill
    open var spacing: CGFloat = 0
    open var isBaselineRelativeArrangement = false
    open var isLayoutMarginsRelativeArrangement = false
    private var spacings: [ObjectIdentifier: CGFloat] = [:]

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init(coder: NSCoder) { super.init(frame: .zero) }
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    open func addArrangedSubview(_ view: UIView) { insertArrangedSubview(view, at: arrangedSubviews.count) }
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        arrangedSubviews.removeAll { $0 === view }
        if view.superview !== self { addSubview(view) }
        arrangedSubviews.insert(view, at: min(stackIndex, arrangedSubviews.count))
        view.translatesAutoresizingMaskIntoConstraints = false
        changed()
    }
    open func removeArrangedSubview(_ view: UIView) {
        arrangedSubviews.removeAll { $0 === view }
        changed()
    }
    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {
        spacings[ObjectIdentifier(arrangedSubview)] = spacing
    }
    open func customSpacing(after arrangedSubview: UIView) -> CGFloat {
        spacings[ObjectIdentifier(arrangedSubview)] ?? UIStackView.spacingUseDefault
    }

    override func didLose(_ view: UIView) { arrangedSubviews.removeAll { $0 === view } }

    override func node(_ drawing: Drawing) -> Node? {
        let nodes = arrangedSubviews.compactMap { drawing.node(of: $0) }
        let node = drawing.list(nodes, isRow: axis == .horizontal)
        let others = subviews.filter { view in !arrangedSubviews.contains { $0 === view } }
        return drawing.touchable(drawing.joined(node, drawing.nodes(of: others, in: self)), of: self)
    }
}

/// Views in columns, from left to right and from top to bottom.
package final class ColumnsView: UIView {
    private let columns: Int

    package init(_ views: [UIView], columns: Int) {
        self.columns = columns
        super.init(frame: .zero)
        for view in views { addSubview(view) }
    }
    package required init?(coder: NSCoder) { fatalError("no storyboard has columns") }

    override func node(_ drawing: Drawing) -> Node? {
        let nodes = subviews.compactMap { drawing.node(of: $0) }
        guard columns > 1, !nodes.isEmpty else { return drawing.list(nodes, isRow: false) }
        return Node("grid", [("columns", .integer(Int64(columns)))], children: nodes)
    }
}

/// A view with a blurred background.
@preconcurrency @MainActor
open class UIVisualEffectView: UIView {
    open var effect: UIVisualEffect?
    open private(set) lazy var contentView: UIView = {
        let view = UIView(frame: bounds)
        addSubview(view)
        return view
    }()
    public init(effect: UIVisualEffect?) {
        self.effect = effect
        super.init(frame: .zero)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}

@preconcurrency @MainActor
open class UIVisualEffect: NSObject {
    @MainActor public override init() { super.init() }
}

@preconcurrency @MainActor
open class UIBlurEffect: UIVisualEffect {
    public enum Style: Int, Sendable {
        case extraLight, light, dark, regular, prominent, systemUltraThinMaterial, systemThinMaterial, systemMaterial
        case systemThickMaterial, systemChromeMaterial
    }
    public init(style: Style) { super.init() }
}

@preconcurrency @MainActor
open class UIVibrancyEffect: UIVisualEffect {
    public init(blurEffect: UIBlurEffect) { super.init() }
    public init(blurEffect: UIBlurEffect, style: UIVibrancyEffectStyle) { super.init() }
}

public enum UIVibrancyEffectStyle: Int, Sendable {
    case label, secondaryLabel, tertiaryLabel, quaternaryLabel, fill, secondaryFill, tertiaryFill, separator
}
