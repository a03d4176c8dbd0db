// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON
import PhoneRuntime

@preconcurrency @MainActor
public protocol UIScrollViewDelegate: NSObjectProtocol {
    func scrollViewDidScroll(_ scrollView: UIScrollView)
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView,
        withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    )
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView)
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
    func viewForZooming(in scrollView: UIScrollView) -> UIView?
    func scrollViewDidZoom(_ scrollView: UIScrollView)
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?)
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat)
    func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool
    func scrollViewDidScrollToTop(_ scrollView: UIScrollView)
    func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView)
}

extension UIScrollViewDelegate {
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
    public func scrollViewWillEndDragging(
        _ scrollView: UIScrollView,
        withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {}
    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
    public func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {}
    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
    public func viewForZooming(in scrollView: UIScrollView) -> UIView? { nil }
    public func scrollViewDidZoom(_ scrollView: UIScrollView) {}
    public func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) {}
    public func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {}
    public func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool { true }
    public func scrollViewDidScrollToTop(_ scrollView: UIScrollView) {}
    public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {}
}

/// A view whose content may be larger: with paging a carousel, and otherwise the whole content.
@preconcurrency @MainActor
open class UIScrollView: UIView {
    public enum KeyboardDismissMode: Int, Sendable {
        case none, onDrag, interactive, onDragWithAccessory, interactiveWithAccessory
    }
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        case automatic, scrollableAxes, never, always
    }
    public enum IndicatorStyle: Int, Sendable {
        case `default`, black, white
    }
    public struct DecelerationRate: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let normal = DecelerationRate(rawValue: 0.998)
        public static let fast = DecelerationRate(rawValue: 0.99)
    }

    open weak var delegate: (any UIScrollViewDelegate)?
    open var contentOffset = CGPoint.zero {
        didSet {
            guard contentOffset != oldValue else { return }
            changed()
            PhoneObject.didChange(self, "contentOffset")
            delegate?.scrollViewDidScroll(self)
        }
    }
    open var contentSize = CGSize.zero {
        didSet { if contentSize != oldValue { PhoneObject.didChange(self, "contentSize") } }
    }
    open var contentInset = UIEdgeInsets.zero
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
    open var scrollIndicatorInsets = UIEdgeInsets.zero
    open var verticalScrollIndicatorInsets = UIEdgeInsets.zero
    open var isPagingEnabled = false { didSet { changed() } }
    open var isScrollEnabled = true
    open var isDirectionalLockEnabled = false
    open var bounces = true
    open var alwaysBounceVertical = false
    open var alwaysBounceHorizontal = false
    open var showsHorizontalScrollIndicator = true
    open var showsVerticalScrollIndicator = true
    open var indicatorStyle = IndicatorStyle.default
    open var decelerationRate = DecelerationRate.normal
    open var keyboardDismissMode = KeyboardDismissMode.none
    open var delaysContentTouches = true
    open var canCancelContentTouches = true
    open var scrollsToTop = true
    open var minimumZoomScale: CGFloat = 1
    open var maximumZoomScale: CGFloat = 1
    open var zoomScale: CGFloat = 1
    open var bouncesZoom = true
    open var isZooming: Bool { false }
    open var isZoomBouncing: Bool { false }
    open var isDragging: Bool { false }
    open var isTracking: Bool { false }
    open var isDecelerating: Bool { false }
    open var refreshControl: UIRefreshControl?
    open var horizontalScrollIndicatorInsets = UIEdgeInsets.zero
    open var automaticallyAdjustsScrollIndicatorInsets = true
    open private(set) lazy var pinchGestureRecognizer: UIPinchGestureRecognizer? = UIPinchGestureRecognizer()
    open private(set) lazy var panGestureRecognizer = UIPanGestureRecognizer()
    open private(set) lazy var contentLayoutGuide = UILayoutGuide(owner: self)
    open private(set) lazy var frameLayoutGuide = UILayoutGuide(owner: self)

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        guard contentOffset != self.contentOffset else { return }
        self.contentOffset = contentOffset
        if animated { delegate?.scrollViewDidEndScrollingAnimation(self) }
    }
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {
        guard isPagingEnabled else { return }
        setContentOffset(rect.origin, animated: animated)
    }
    open func setZoomScale(_ scale: CGFloat, animated: Bool) { zoomScale = scale }
    open func zoom(to rect: CGRect, animated: Bool) {}
    open func flashScrollIndicators() {}
    open func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool { true }
    open func touchesShouldCancel(in view: UIView) -> Bool { true }
    open func adjustedContentInsetDidChange() {}

    package override func codedValue(_ name: String) -> Any? {
        switch name {
        case "contentSize": contentSize
        case "contentOffset": contentOffset
        default: super.codedValue(name)
        }
    }

    // MARK: Pages

    /// The width of a page.
    var pageWidth: CGFloat { bounds.width > 0 ? bounds.width : UIScreen.main.bounds.width }

    /// The position of the page that is shown.
    var page: Int { contentOffset.x.isFinite ? Int((contentOffset.x / pageWidth).rounded()) : 0 }

    /// Turns to a page, as a swipe does.
    func swipe(to page: Int) {
        guard isScrollEnabled, isUserInteractionEnabled else { return }
        delegate?.scrollViewWillBeginDragging(self)
        var target = CGPoint(x: CGFloat(page) * pageWidth, y: contentOffset.y)
        withUnsafeMutablePointer(to: &target) {
            let velocity = CGPoint(x: page > self.page ? 1 : -1, y: 0)
            delegate?.scrollViewWillEndDragging(self, withVelocity: velocity, targetContentOffset: $0)
        }
        delegate?.scrollViewDidEndDragging(self, willDecelerate: true)
        delegate?.scrollViewWillBeginDecelerating(self)
        contentOffset = target
        delegate?.scrollViewDidEndDecelerating(self)
    }

    /// The node for pages, of which one is shown.
    func carousel(_ pages: [Node], _ drawing: Drawing) -> Node? {
        guard !pages.isEmpty else { return nil }
        let id = drawing.id(of: self, "carousel")
        drawing.react(id, self) { [unowned self] value in
            if let page = value?.asNumber.flatMap(Int.init(exactly:)), pages.indices.contains(page) { swipe(to: page) }
        }
        let shown = min(max(page, 0), pages.count - 1)
        return Node("carousel", id: id, [("page", .integer(Int64(shown)))], children: pages)
    }

    override func node(_ drawing: Drawing) -> Node? {
        guard isPagingEnabled else { return drawing.container(self) }
        // The pages are the subviews, or those of the one view that holds them.
        var pages = drawnSubviews.filter(drawing.isVisible)
        while pages.count == 1, let only = pages.first {
            let inner = (only as? UIStackView)?.arrangedSubviews ?? only.drawnSubviews
            guard inner.filter(drawing.isVisible).count > 1, !(only is UIControl) else { break }
            pages = inner.filter(drawing.isVisible)
        }
        if pages.contains(where: { !$0.frame.isEmpty }) {
            pages = pages.enumerated().sorted {
                ($0.element.frame.minX, $0.offset) < ($1.element.frame.minX, $1.offset)
            }
            .map(\.element)
        }
        return carousel(pages.compactMap { drawing.node(of: $0) }, drawing)
    }
}

/// What reloads when people pull a list down, which they cannot here.
@preconcurrency @MainActor
open class UIRefreshControl: UIControl {
    open private(set) var isRefreshing = false
    open var attributedTitle: NSAttributedString?
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open func beginRefreshing() { isRefreshing = true }
    open func endRefreshing() { isRefreshing = false }
    override func node(_ drawing: Drawing) -> Node? { nil }
}
