// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A stack of controllers: its top is shown.
@preconcurrency @MainActor
open class UINavigationController: UIViewController {
    open private(set) var viewControllers: [UIViewController] = []
    open var topViewController: UIViewController? { viewControllers.last }
    open var visibleViewController: UIViewController? { topViewController }
    open var isNavigationBarHidden = false
    open private(set) lazy var navigationBar = UINavigationBar()
    open private(set) lazy var interactivePopGestureRecognizer: UIGestureRecognizer? = UIGestureRecognizer()

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        pushViewController(rootViewController, animated: false)
    }
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        for controller in self.viewControllers { leave(controller) }
        self.viewControllers = []
        for controller in viewControllers { pushViewController(controller, animated: animated) }
    }
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        addChild(viewController)
        viewControllers.append(viewController)
        showTop()
        viewController.didMove(toParent: self)
    }
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1, let last = viewControllers.popLast() else { return nil }
        leave(last)
        showTop()
        return last
    }
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        var left: [UIViewController] = []
        while let controller = popViewController(animated: animated) { left.append(controller) }
        return left
    }
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) { isNavigationBarHidden = hidden }
    private func leave(_ controller: UIViewController) {
        controller.willMove(toParent: nil)
        controller.viewIfLoaded?.removeFromSuperview()
        controller.removeFromParent()
    }
    private func showTop() {
        for view in view.subviews { view.removeFromSuperview() }
        guard let top = topViewController else { return }
        view.addSubview(top.view)
    }
}

extension UIViewController {
    public var navigationController: UINavigationController? {
        parent as? UINavigationController ?? parent?.navigationController
    }
}

/// The bar of a stack of controllers, which is not shown.
@preconcurrency @MainActor
open class UINavigationBar: UIView {
    open var prefersLargeTitles = false
    open var isTranslucent = true
    open var barStyle = UIBarStyle.default
    open var barTintColor: UIColor?
    open var titleTextAttributes: [NSAttributedString.Key: Any]?
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any]?
    open var shadowImage: UIImage?
    open var topItem: UINavigationItem?
    open func setBackgroundImage(_ backgroundImage: UIImage?, for barMetrics: UIBarMetrics) {}
}

/// What a bar shows for a controller; there is no bar.
@preconcurrency @MainActor
open class UINavigationItem: NSObject {
    open var title: String?
    open var prompt: String?
    open var titleView: UIView?
    open var hidesBackButton = false
    open var leftBarButtonItem: UIBarButtonItem?
    open var rightBarButtonItem: UIBarButtonItem?
    open var leftBarButtonItems: [UIBarButtonItem]?
    open var rightBarButtonItems: [UIBarButtonItem]?
    public init(title: String) {
        self.title = title
        super.init()
    }
}
