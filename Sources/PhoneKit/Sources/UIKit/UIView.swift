// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// A view.
@preconcurrency @MainActor
open class UIView: UIResponder {
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
        }
    }
    open var bounds = CGRect.zero {
        didSet { if frame.size != bounds.size { frame.size = bounds.size } }
    }
    open var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set { frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2) }
    }
    open var transform = CGAffineTransform.identity
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

    open var isHidden = false { didSet { if isHidden != oldValue { changed() } } }
    open var alpha: CGFloat = 1 { didSet { if alpha != oldValue { changed() } } }
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
    open func setNeedsDisplay() {}
    open func setNeedsDisplay(_ rect: CGRect) {}
    open func addInteraction(_ interaction: any NSObjectProtocol) {}

    // MARK: Accessibility

    open var isAccessibilityElement = false
    open var accessibilityIdentifier: String? { didSet { changed() } }
    open var accessibilityLabel: String? { didSet { changed() } }
    open var accessibilityHint: String?
    open var accessibilityValue: String?
    open var accessibilityTraits: UIAccessibilityTraits = []
    open var accessibilityElementsHidden = false
    open var shouldGroupAccessibilityChildren = false

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
    open func updateConstraintsIfNeeded() { updateConstraints() }
    open func updateConstraints() {}
    open func safeAreaInsetsDidChange() {}
    open func layoutMarginsDidChange() {}

    // MARK: Touches

    open var isUserInteractionEnabled = true { didSet { changed() } }
    open var isMultipleTouchEnabled = false
    open var isExclusiveTouch = false
    open private(set) var gestureRecognizers: [UIGestureRecognizer]?

    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
        gestureRecognizer.view = self
        changed()
    }
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizers?.removeAll { $0 === gestureRecognizer }
        gestureRecognizer.view = nil
        changed()
    }
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        guard let view = UIResponder.first as? UIView, view.isDescendant(of: self) else { return true }
        return view.resignFirstResponder()
    }

    // MARK: Drawing

    /// Lets what is shown be drawn again.
    func changed() { ViewChanges.note() }

    /// The views that are drawn inside this one, in no particular order.
    var drawnSubviews: [UIView] { subviews }

    /// The node that shows this view; nil if nothing of it can be seen.
    func node(_ drawing: Drawing) -> Node? { drawing.container(self) }
}
