// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON

@preconcurrency @MainActor
public protocol UIPageViewControllerDataSource: NSObjectProtocol {
    func pageViewController(
        _ pageViewController: UIPageViewController,
        viewControllerBefore viewController: UIViewController
    ) -> UIViewController?
    func pageViewController(
        _ pageViewController: UIPageViewController,
        viewControllerAfter viewController: UIViewController
    ) -> UIViewController?
    func presentationCount(for pageViewController: UIPageViewController) -> Int
    func presentationIndex(for pageViewController: UIPageViewController) -> Int
}

extension UIPageViewControllerDataSource {
    public func presentationCount(for pageViewController: UIPageViewController) -> Int { 0 }
    public func presentationIndex(for pageViewController: UIPageViewController) -> Int { 0 }
}

@preconcurrency @MainActor
public protocol UIPageViewControllerDelegate: NSObjectProtocol {
    func pageViewController(
        _ pageViewController: UIPageViewController,
        willTransitionTo pendingViewControllers: [UIViewController]
    )
    func pageViewController(
        _ pageViewController: UIPageViewController,
        didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController],
        transitionCompleted completed: Bool
    )
}

extension UIPageViewControllerDelegate {
    public func pageViewController(
        _ pageViewController: UIPageViewController,
        willTransitionTo pendingViewControllers: [UIViewController]
    ) {}
    public func pageViewController(
        _ pageViewController: UIPageViewController,
        didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController],
        transitionCompleted completed: Bool
    ) {}
}

/// A controller of pages, which are controllers themselves: a carousel of which only the shown page has content.
@preconcurrency @MainActor
open class UIPageViewController: UIViewController {
    public enum TransitionStyle: Int, Sendable {
        case pageCurl, scroll
    }
    public enum NavigationOrientation: Int, Sendable {
        case horizontal, vertical
    }
    public enum NavigationDirection: Int, Sendable {
        case forward, reverse
    }
    public enum SpineLocation: Int, Sendable {
        case none, min, mid, max
    }
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let spineLocation = OptionsKey(rawValue: "UIPageViewControllerOptionSpineLocationKey")
        public static let interPageSpacing = OptionsKey(rawValue: "UIPageViewControllerOptionInterPageSpacingKey")
    }

    open weak var dataSource: (any UIPageViewControllerDataSource)? { didSet { ViewChanges.note() } }
    open weak var delegate: (any UIPageViewControllerDelegate)?
    public let transitionStyle: TransitionStyle
    public let navigationOrientation: NavigationOrientation
    open private(set) var viewControllers: [UIViewController]? = []
    open var isDoubleSided = false
    open var spineLocation: SpineLocation { .none }
    open var gestureRecognizers: [UIGestureRecognizer] { [] }
    private var neighbours: (before: UIViewController?, after: UIViewController?)?

    public init(
        transitionStyle style: TransitionStyle,
        navigationOrientation: NavigationOrientation,
        options: [OptionsKey: Any]? = nil
    ) {
        (transitionStyle, self.navigationOrientation) = (style, navigationOrientation)
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) {
        (transitionStyle, navigationOrientation) = (.scroll, .horizontal)
        super.init(coder: coder)
    }

    open override func loadView() {
        if storyboardView != nil { super.loadView() }
        if !isViewLoaded { view = UIView(frame: CGRect(origin: .zero, size: Self.initialSize)) }
        // As on a phone, where code looks for the scroll view among the subviews.
        let scroll = PagesView(frame: view.bounds)
        scroll.pages = self
        view.addSubview(scroll)
    }

    open func setViewControllers(
        _ viewControllers: [UIViewController]?,
        direction: NavigationDirection,
        animated: Bool,
        completion: ((Bool) -> Void)? = nil
    ) {
        loadViewIfNeeded()
        for old in self.viewControllers ?? [] where viewControllers?.contains(old) != true {
            old.willMove(toParent: nil)
            old.viewIfLoaded?.removeFromSuperview()
            old.removeFromParent()
        }
        self.viewControllers = viewControllers
        neighbours = nil
        for controller in viewControllers ?? [] where controller.parent !== self {
            addChild(controller)
            scrollView?.addSubview(controller.view)
            controller.didMove(toParent: self)
        }
        ViewChanges.note()
        completion?(true)
    }

    private var scrollView: PagesView? { view.subviews.lazy.compactMap { $0 as? PagesView }.first }

    /// The pages beside the shown one; asked for once for each page, as on a phone.
    private func beside(_ shown: UIViewController) -> (before: UIViewController?, after: UIViewController?) {
        if let neighbours { return neighbours }
        let found = (
            before: dataSource?.pageViewController(self, viewControllerBefore: shown),
            after: dataSource?.pageViewController(self, viewControllerAfter: shown)
        )
        neighbours = found
        return found
    }

    /// Turns to a page beside the shown one, as a swipe does.
    private func turn(to controller: UIViewController, _ direction: NavigationDirection) {
        let previous = viewControllers ?? []
        delegate?.pageViewController(self, willTransitionTo: [controller])
        setViewControllers([controller], direction: direction, animated: true)
        delegate?.pageViewController(
            self,
            didFinishAnimating: true,
            previousViewControllers: previous,
            transitionCompleted: true
        )
    }

    fileprivate func node(of scroll: UIScrollView, _ drawing: Drawing) -> Node? {
        guard let shown = viewControllers?.first else { return nil }
        let page = drawing.node(of: shown.view) ?? Node("stack", children: [])
        let (before, after) = beside(shown)
        guard before != nil || after != nil else { return page }
        let first = before == nil ? 0 : 1
        let count = dataSource?.presentationCount(for: self) ?? 0
        let index = count > 0 ? dataSource?.presentationIndex(for: self) ?? first : first
        let total = max(count, index + (after == nil ? 1 : 2))
        let id = drawing.id(of: scroll, "pages")
        drawing.react(id, scroll) { [unowned self, weak scroll] value in
            guard scroll?.isScrollEnabled == true, let wanted = value?.asNumber else { return }
            if wanted > Double(index), let after { turn(to: after, .forward) }
            if wanted < Double(index), let before { turn(to: before, .reverse) }
        }
        let children = (0..<total).map { $0 == index ? page : Node("stack", children: []) }
        return Node("carousel", id: id, [("page", .integer(Int64(index)))], children: children)
    }
}

/// The view that scrolls from page to page.
private final class PagesView: UIScrollView {
    weak var pages: UIPageViewController?

    override init(frame: CGRect) {
        super.init(frame: frame)
        isPagingEnabled = true
        autoresizingMask = [.flexibleWidth, .flexibleHeight]
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }

    override func node(_ drawing: Drawing) -> Node? { pages?.node(of: self, drawing) }
}
