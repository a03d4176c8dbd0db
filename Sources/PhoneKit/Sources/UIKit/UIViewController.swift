// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
public import PhoneRuntime

/// A controller of a view.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    private var loadedView: UIView?
    /// How the storyboard that the controller comes from makes its view.
    final var storyboardView: (@MainActor (UIViewController) -> UIView)?
    /// The views that stand beside the controller in its storyboard, which keeps them alive.
    var topViews: [UIView] = []
    /// The size that the root view gets when it is loaded.
    package static var initialSize = CGSize(width: 375, height: 375)

    public let nibName: String?
    public let nibBundle: Bundle?
    open internal(set) var storyboard: UIStoryboard?
    open private(set) var restorationIdentifier: String?

    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        (nibName, nibBundle) = (nibNameOrNil, nibBundleOrNil)
        super.init()
    }
    public required init?(coder: NSCoder) {
        (nibName, nibBundle) = (nil, nil)
        super.init()
    }
    @MainActor public convenience override init() { self.init(nibName: nil, bundle: nil) }

    open func awakeFromNib() {}

    // MARK: The view

    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.controller = nil
            loadedView = newValue
            newValue?.controller = self
            ViewChanges.note()
        }
    }
    open var viewIfLoaded: UIView? { loadedView }
    open var isViewLoaded: Bool { loadedView != nil }

    /// Makes the view: of the storyboard, of the nib, or an empty one.
    open func loadView() {
        if let storyboardView {
            view = storyboardView(self)
            return
        }
        let own = String(describing: type(of: self))
        let candidates = [nibName, nibName == nil && own.hasSuffix("Controller") ? String(own.dropLast(10)) : nil, own]
        if let name = candidates.compactMap({ $0 }).first(where: { UINib.exists($0, nibBundle) }) {
            UINib(nibName: name, bundle: nibBundle).instantiate(withOwner: self, options: nil)
        }
        guard loadedView == nil else { return }
        view = UIView(frame: CGRect(origin: .zero, size: Self.initialSize))
    }
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        guard let loadedView else { fatalError("\(self) has no view after loadView()") }
        if loadedView.frame.isEmpty { loadedView.frame.size = Self.initialSize }
        viewDidLoad()
    }
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewIsAppearing(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func viewWillLayoutSubviews() {}
    open func viewDidLayoutSubviews() {}
    open func updateViewConstraints() {}
    open func viewSafeAreaInsetsDidChange() {}
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {}
    open func willTransition(
        to newCollection: UITraitCollection,
        with coordinator: any UIViewControllerTransitionCoordinator
    ) {}
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    open func didReceiveMemoryWarning() {}

    open var title: String?
    open var preferredContentSize = CGSize.zero
    open var extensionContext: NSExtensionContext? { ownContext ?? parent?.extensionContext }
    /// The interface to the host, of the controller that the host shows.
    package var ownContext: NSExtensionContext?
    open var traitCollection: UITraitCollection { .current }
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    open var edgesForExtendedLayout = UIRectEdge.all
    open var additionalSafeAreaInsets = UIEdgeInsets.zero
    open var automaticallyAdjustsScrollViewInsets = true
    open var topLayoutGuide: UILayoutGuide { view.safeAreaLayoutGuide }
    open var bottomLayoutGuide: UILayoutGuide { view.safeAreaLayoutGuide }
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    open var isModalInPresentation = false
    open var definesPresentationContext = false
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    open var prefersStatusBarHidden: Bool { false }
    open var shouldAutorotate: Bool { true }
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .all }
    open func setNeedsStatusBarAppearanceUpdate() {}
    open func setNeedsUpdateOfSupportedInterfaceOrientations() {}
    open var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .portrait }
    open var preferredStatusBarUpdateAnimation: UIStatusBarAnimation { .fade }
    open var childForStatusBarStyle: UIViewController? { nil }
    open var childForStatusBarHidden: UIViewController? { nil }
    open var prefersHomeIndicatorAutoHidden: Bool { false }
    open var extendedLayoutIncludesOpaqueBars = false
    open var providesPresentationContextTransitionStyle = false
    open var disablesAutomaticKeyboardDismissal: Bool { modalPresentationStyle == .formSheet }
    open var viewRespectsSystemMinimumLayoutMargins = true
    open var systemMinimumLayoutMargins: NSDirectionalEdgeInsets { .zero }
    open var hidesBottomBarWhenPushed = false
    open var toolbarItems: [UIBarButtonItem]?
    open private(set) lazy var navigationItem = UINavigationItem(title: title ?? "")
    open weak var transitioningDelegate: (any UIViewControllerTransitioningDelegate)?
    open private(set) lazy var presentationController: UIPresentationController? = UIPresentationController(
        presentedViewController: self,
        presenting: presentingViewController
    )
    open var popoverPresentationController: UIPopoverPresentationController? { nil }
    open var sheetPresentationController: UISheetPresentationController? { nil }
    open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { nil }
    open var isBeingPresented: Bool { false }
    open var isBeingDismissed: Bool { false }
    open var isMovingToParent: Bool { false }
    open var isMovingFromParent: Bool { false }
    open var isEditing = false
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    open func viewLayoutMarginsDidChange() {}
    open func setOverrideTraitCollection(
        _ collection: UITraitCollection?,
        forChild childViewController: UIViewController
    ) {}
    open func preferredContentSizeDidChange(forChildContentContainer container: any UIContentContainer) {}
    open func size(
        forChildContentContainer container: any UIContentContainer,
        withParentContainerSize parentSize: CGSize
    ) -> CGSize { parentSize }
    open func systemLayoutFittingSizeDidChange(forChildContentContainer container: any UIContentContainer) {}
    open func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool { true }
    open func showDetailViewController(_ vc: UIViewController, sender: Any?) { show(vc, sender: sender) }

    open override var next: UIResponder? { loadedView?.superview ?? parent }

    // MARK: Children

    open private(set) weak var parent: UIViewController?
    open private(set) var children: [UIViewController] = []

    open func addChild(_ childController: UIViewController) {
        if childController.parent !== self { childController.removeFromParent() }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }
    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}
    open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {}
    open func endAppearanceTransition() {}
    open func transition(
        from fromViewController: UIViewController,
        to toViewController: UIViewController,
        duration: TimeInterval,
        options: UIView.AnimationOptions = [],
        animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        view.addSubview(toViewController.view)
        animations?()
        fromViewController.view.removeFromSuperview()
        completion?(true)
    }

    // MARK: Presenting

    open private(set) var presentedViewController: UIViewController?
    open private(set) weak var presentingViewController: UIViewController?

    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil else {
            // As UIKit does, which warns on its log.
            FileHandle.standardError.write(
                Data(
                    "Attempt to present \(type(of: viewControllerToPresent)) on \(type(of: self)), which is already presenting\n"
                        .utf8
                )
            )
            return
        }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        viewControllerToPresent.appear()
        ViewChanges.note()
        completion?()
    }
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        // A presented controller without one of its own asks the one that presented it.
        guard let presented = presentedViewController else {
            if let presentingViewController { presentingViewController.dismiss(animated: flag, completion: completion) }
            return
        }
        presented.disappear()
        presentedViewController = nil
        presented.presentingViewController = nil
        ViewChanges.note()
        completion?()
    }
    open func show(_ vc: UIViewController, sender: Any?) { present(vc, animated: true) }
    open func performSegue(withIdentifier identifier: String, sender: Any?) {
        fatalError("\(self) has no segue with identifier '\(identifier)'")
    }
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}

    // MARK: The runtime

    private var isShown = false

    /// The view is about to be shown, with those of the children in it.
    package func appear() {
        guard !isShown else { return }
        isShown = true
        loadViewIfNeeded()
        viewWillAppear(false)
        viewIsAppearing(false)
        view.layoutIfNeeded()
        viewDidAppear(false)
        for child in children where child.viewIfLoaded?.superview != nil { child.appear() }
    }
    /// The view is put into that of a parent, which may be shown already.
    func appearInParent() {
        if parent?.isShown == true { appear() }
    }
    /// The view goes.
    package func disappear() {
        guard isShown else { return }
        isShown = false
        for child in children { child.disappear() }
        viewWillDisappear(false)
        viewDidDisappear(false)
    }
}

@preconcurrency @MainActor
public protocol UIContentContainer: NSObjectProtocol {
    var preferredContentSize: CGSize { get }
}

extension UIViewController: UIContentContainer {}

public enum UIInterfaceOrientation: Int, Sendable {
    case unknown, portrait, portraitUpsideDown, landscapeRight, landscapeLeft
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

public enum UIStatusBarAnimation: Int, Sendable {
    case none, fade, slide
}

public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen, pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
    case automatic = -2
    case none = -1
}

public enum UIModalTransitionStyle: Int, Sendable {
    case coverVertical, flipHorizontal, crossDissolve, partialCurl
}

public enum UIStatusBarStyle: Int, Sendable {
    case `default`, lightContent, darkContent
}

public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let portrait = UIInterfaceOrientationMask(rawValue: 2)
    public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 16)
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 8)
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 4)
    public static let allButUpsideDown = UIInterfaceOrientationMask(rawValue: 26)
    public static let landscape = UIInterfaceOrientationMask(rawValue: 24)
    public static let all = UIInterfaceOrientationMask(rawValue: 30)
}

@preconcurrency @MainActor
public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {
    var isAnimated: Bool { get }
    var transitionDuration: TimeInterval { get }
}

@preconcurrency @MainActor
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}

/// A step from one controller to another.
@preconcurrency @MainActor
open class UIStoryboardSegue: NSObject {
    public let identifier: String?
    public let source: UIViewController
    public let destination: UIViewController
    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        (self.identifier, self.source, self.destination) = (identifier, source, destination)
        super.init()
    }
}
