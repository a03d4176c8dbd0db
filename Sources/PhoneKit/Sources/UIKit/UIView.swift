// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
package import PhoneRuntime

/// A view.
@preconcurrency @MainActor
open class UIView: UIResponder, @preconcurrency KeyValueCoded {
    // MARK: Creating

    public init(frame: CGRect) {
        super.init()
        (self.frame, bounds) = (frame, CGRect(origin: .zero, size: frame.size))
    }

    @MainActor public convenience override init() { self.init(frame: .zero) }

    public required init?(coder: NSCoder) { super.init() }

    open func awakeFromNib() {}
    open func prepareForInterfaceBuilder() {}

    // MARK: Geometry

    open var frame = CGRect.zero {
        didSet {
            guard frame != oldValue else { return }
            if frame.size != bounds.size { bounds.size = frame.size }
            setNeedsLayout()
            PhoneObject.didChange(self, "frame")
        }
    }
    open var bounds = CGRect.zero {
        didSet {
            guard bounds != oldValue else { return }
            if frame.size != bounds.size { frame.size = bounds.size }
            PhoneObject.didChange(self, "bounds")
        }
    }
    open var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set { frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2) }
    }
    open var transform = CGAffineTransform.identity
    open var transform3D = CATransform3DIdentity
    open var anchorPoint = CGPoint(x: 0.5, y: 0.5)
    open var contentScaleFactor: CGFloat = 1
    open var autoresizingMask: AutoresizingMask = []
    open var autoresizesSubviews = true
    open var translatesAutoresizingMaskIntoConstraints = true
    open var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric) }
    public static let noIntrinsicMetric: CGFloat = -1
    public static let layoutFittingCompressedSize = CGSize.zero
    public static let layoutFittingExpandedSize = CGSize(width: 10_000, height: 10_000)
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }
    open func sizeToFit() {}
    open func systemLayoutSizeFitting(_ targetSize: CGSize) -> CGSize { bounds.size }
    open var alignmentRectInsets: UIEdgeInsets { .zero }
    open func alignmentRect(forFrame frame: CGRect) -> CGRect { frame.inset(by: alignmentRectInsets) }
    open func frame(forAlignmentRect alignmentRect: CGRect) -> CGRect { alignmentRect }
    open var forFirstBaselineLayout: UIView { self }
    open var forLastBaselineLayout: UIView { self }
    open class var requiresConstraintBasedLayout: Bool { false }
    open func systemLayoutSizeFitting(
        _ targetSize: CGSize,
        withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
        verticalFittingPriority: UILayoutPriority
    ) -> CGSize { bounds.size }
    open func invalidateIntrinsicContentSize() {}
    open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        CGPoint(x: point.x + origin(in: view).x, y: point.y + origin(in: view).y)
    }
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        CGRect(origin: convert(rect.origin, to: view), size: rect.size)
    }
    open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint { view?.convert(point, to: self) ?? point }
    open func convert(_ rect: CGRect, from view: UIView?) -> CGRect { view?.convert(rect, to: self) ?? rect }
    private func origin(in view: UIView?) -> CGPoint {
        var (origin, current) = (CGPoint.zero, self as UIView?)
        while let ancestor = current, ancestor !== view {
            origin = CGPoint(x: origin.x + ancestor.frame.minX, y: origin.y + ancestor.frame.minY)
            current = ancestor.superview
        }
        return origin
    }
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { bounds.contains(point) ? self : nil }

    // MARK: The tree

    open private(set) weak var superview: UIView?
    open private(set) var subviews: [UIView] = []
    open var window: UIWindow? { superview?.window }
    /// The controller whose root view this is.
    weak var controller: UIViewController?

    open override var next: UIResponder? { controller ?? superview }

    open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }
    open func insertSubview(_ view: UIView, at index: Int) {
        if view.superview === self { subviews.removeAll { $0 === view } } else { view.detach() }
        view.willMove(toSuperview: self)
        subviews.insert(view, at: min(max(index, 0), subviews.count))
        view.superview = self
        view.didMoveToSuperview()
        view.didMoveToWindow()
        didAddSubview(view)
        view.controller?.appearInParent()
        changed()
        setNeedsLayout()
    }
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insertSubview(view, at: subviews.filter { $0 !== view }.firstIndex { $0 === siblingSubview } ?? 0)
    }
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        let index = subviews.filter { $0 !== view }.firstIndex { $0 === siblingSubview }
        insertSubview(view, at: index.map { $0 + 1 } ?? subviews.count)
    }
    open func removeFromSuperview() {
        guard superview != nil else { return }
        if isFirstResponder { resignFirstResponder() }
        willMove(toSuperview: nil)
        detach()
        didMoveToSuperview()
        controller?.disappear()
        changed()
    }
    private func detach() {
        guard let superview else { return }
        superview.willRemoveSubview(self)
        superview.subviews.removeAll { $0 === self }
        superview.didLose(self)
        superview.changed()
        self.superview = nil
    }
    /// Told when a subview is gone, for stacks.
    func didLose(_ view: UIView) {}
    open func bringSubviewToFront(_ view: UIView) {
        guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.append(subviews.remove(at: index))
    }
    open func sendSubviewToBack(_ view: UIView) {
        guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.insert(subviews.remove(at: index), at: 0)
    }
    open func exchangeSubview(at index1: Int, withSubviewAt index2: Int) {
        subviews.swapAt(index1, index2)
        changed()
    }
    open func isDescendant(of view: UIView) -> Bool { self === view || superview?.isDescendant(of: view) == true }
    open func viewWithTag(_ tag: Int) -> UIView? {
        self.tag == tag ? self : subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
    }
    open func willMove(toSuperview newSuperview: UIView?) {}
    open func didMoveToSuperview() {}
    open func willMove(toWindow newWindow: UIWindow?) {}
    open func didMoveToWindow() {}
    open func didAddSubview(_ subview: UIView) {}
    open func willRemoveSubview(_ subview: UIView) {}
    open func snapshotView(afterScreenUpdates afterUpdates: Bool) -> UIView? { nil }

    // MARK: Appearance

    open var isHidden = false {
        didSet {
            if isHidden != oldValue { changed() }
            PhoneObject.didChange(self, "hidden")
        }
    }
    open var alpha: CGFloat = 1 {
        didSet {
            if alpha != oldValue { changed() }
            PhoneObject.didChange(self, "alpha")
        }
    }
    open var isOpaque = true
    open var backgroundColor: UIColor? {
        didSet {
            layer.backgroundColor = backgroundColor?.cgColor
            changed()
        }
    }
    open var tintColor: UIColor! = .systemBlue {
        didSet {
            tintColorDidChange()
            changed()
        }
    }
    /// The tint that the extension chose; nil if it is the system's.
    var ownTint: UIColor? { tintColor == .systemBlue ? nil : tintColor }
    open var tintAdjustmentMode = TintAdjustmentMode.automatic
    open var clipsToBounds = false { didSet { layer.masksToBounds = clipsToBounds } }
    open var clearsContextBeforeDrawing = true
    open var contentMode = ContentMode.scaleToFill
    open var mask: UIView?
    open var tag = 0
    open var semanticContentAttribute = UISemanticContentAttribute.unspecified
    open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    open var traitCollection: UITraitCollection { UITraitCollection.current }
    open class var layerClass: AnyClass { CALayer.self }
    open private(set) lazy var layer: CALayer = CALayer.make(Self.layerClass)
    open func tintColorDidChange() {}
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    open func draw(_ rect: CGRect) {}
    open func draw(_ layer: CALayer, in ctx: CGContext) {}
    @discardableResult
    open func drawHierarchy(in rect: CGRect, afterScreenUpdates afterUpdates: Bool) -> Bool { false }
    open func setNeedsDisplay() {}
    open func setNeedsDisplay(_ rect: CGRect) {}
    open private(set) var interactions: [any UIInteraction] = []
    open func addInteraction(_ interaction: any UIInteraction) {
        interaction.willMove(to: self)
        interactions.append(interaction)
        interaction.didMove(to: self)
    }
    open func removeInteraction(_ interaction: any UIInteraction) {
        interactions.removeAll { $0 === interaction }
        interaction.didMove(to: nil)
    }

    // MARK: Accessibility

    open var isAccessibilityElement = false
    open var accessibilityIdentifier: String? { didSet { changed() } }
    open var accessibilityLabel: String? { didSet { changed() } }
    open var accessibilityHint: String?
    open var accessibilityValue: String?
    open var accessibilityTraits: UIAccessibilityTraits = []
    open var accessibilityElementsHidden = false
    open var shouldGroupAccessibilityChildren = false
    open var accessibilityViewIsModal = false
    open var accessibilityLanguage: String?
    open var accessibilityFrame = CGRect.zero
    open var accessibilityPath: UIBezierPath?
    open var accessibilityElements: [Any]?
    open var accessibilityCustomActions: [UIAccessibilityCustomAction]?
    open var accessibilityRespondsToUserInteraction = true
    open var accessibilityIgnoresInvertColors = false
    open var accessibilityUserInputLabels: [String]! = []
    open var showsLargeContentViewer = false
    open var largeContentTitle: String?
    open var largeContentImage: UIImage?
    open var maximumContentSizeCategory: UIContentSizeCategory?
    open var minimumContentSizeCategory: UIContentSizeCategory?
    open func accessibilityActivate() -> Bool { false }
    open func accessibilityIncrement() {}
    open func accessibilityDecrement() {}
    open func accessibilityPerformEscape() -> Bool { false }
    open func accessibilityPerformMagicTap() -> Bool { false }
    open func accessibilityElementDidBecomeFocused() {}
    open func accessibilityElementDidLoseFocus() {}

    // MARK: Layout

    private var needsLayout = true
    open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
    open var directionalLayoutMargins = NSDirectionalEdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8)
    open var preservesSuperviewLayoutMargins = false
    open var insetsLayoutMarginsFromSafeArea = true
    open var safeAreaInsets: UIEdgeInsets { .zero }
    open private(set) lazy var safeAreaLayoutGuide = UILayoutGuide(owner: self)
    open private(set) lazy var layoutMarginsGuide = UILayoutGuide(owner: self)
    open private(set) lazy var readableContentGuide = UILayoutGuide(owner: self)
    open private(set) lazy var keyboardLayoutGuide = UILayoutGuide(owner: self)
    open private(set) var layoutGuides: [UILayoutGuide] = []
    open internal(set) var constraints: [NSLayoutConstraint] = []
    /// The active constraints that name this view.
    var relatedConstraints: [NSLayoutConstraint] = []
    private var huggingPriorities: [NSLayoutConstraint.Axis: UILayoutPriority] = [:]
    private var compressionPriorities: [NSLayoutConstraint.Axis: UILayoutPriority] = [:]

    open func addLayoutGuide(_ layoutGuide: UILayoutGuide) {
        layoutGuide.owningView = self
        layoutGuides.append(layoutGuide)
    }
    open func removeLayoutGuide(_ layoutGuide: UILayoutGuide) { layoutGuides.removeAll { $0 === layoutGuide } }
    open func addConstraint(_ constraint: NSLayoutConstraint) { constraint.isActive = true }
    open func addConstraints(_ constraints: [NSLayoutConstraint]) { NSLayoutConstraint.activate(constraints) }
    open func removeConstraint(_ constraint: NSLayoutConstraint) { constraint.isActive = false }
    open func removeConstraints(_ constraints: [NSLayoutConstraint]) { NSLayoutConstraint.deactivate(constraints) }
    open func contentHuggingPriority(for axis: NSLayoutConstraint.Axis) -> UILayoutPriority {
        huggingPriorities[axis] ?? .defaultLow
    }
    open func setContentHuggingPriority(_ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis) {
        huggingPriorities[axis] = priority
    }
    open func contentCompressionResistancePriority(for axis: NSLayoutConstraint.Axis) -> UILayoutPriority {
        compressionPriorities[axis] ?? .defaultHigh
    }
    open func setContentCompressionResistancePriority(
        _ priority: UILayoutPriority,
        for axis: NSLayoutConstraint.Axis
    ) {
        compressionPriorities[axis] = priority
    }
    open func setNeedsLayout() { needsLayout = true }
    open func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            controller?.viewWillLayoutSubviews()
            layoutSubviews()
            controller?.viewDidLayoutSubviews()
        }
        for view in subviews { view.layoutIfNeeded() }
    }
    open func layoutSubviews() {}
    open func setNeedsUpdateConstraints() {}
    open func needsUpdateConstraints() -> Bool { false }
    open var hasAmbiguousLayout: Bool { false }
    open func constraintsAffectingLayout(for axis: NSLayoutConstraint.Axis) -> [NSLayoutConstraint] { [] }
    open func updateConstraintsIfNeeded() { updateConstraints() }
    open func updateConstraints() {}
    open func safeAreaInsetsDidChange() {}
    open func layoutMarginsDidChange() {}

    // MARK: Touches

    open var isUserInteractionEnabled = true { didSet { changed() } }
    open var isMultipleTouchEnabled = false
    open var isExclusiveTouch = false
    open var gestureRecognizers: [UIGestureRecognizer]? {
        didSet {
            for gesture in oldValue ?? [] where gestureRecognizers?.contains(gesture) != true { gesture.view = nil }
            for gesture in gestureRecognizers ?? [] { gesture.view = self }
            changed()
        }
    }

    open func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
    }
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizers?.removeAll { $0 === gestureRecognizer }
    }
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        guard let view = UIResponder.first as? UIView, view.isDescendant(of: self) else { return true }
        return view.resignFirstResponder()
    }

    // MARK: Key-value coding

    package func codedValue(_ name: String) -> Any? {
        switch name {
        case "frame": frame
        case "bounds": bounds
        case "center": center
        case "hidden", "isHidden": isHidden
        case "alpha": alpha
        case "tag": tag
        case "backgroundColor": backgroundColor
        case "superview": superview
        default: nil
        }
    }

    // MARK: Drawing

    /// Lets what is shown be drawn again.
    package func changed() { ViewChanges.note() }

    /// The views that are drawn inside this one, in no particular order.
    var drawnSubviews: [UIView] { subviews }

    /// The node that shows this view; nil if nothing of it can be seen.
    func node(_ drawing: Drawing) -> Node? { drawing.container(self) }
}
