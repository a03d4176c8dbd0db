// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

@preconcurrency @MainActor
public protocol UIViewControllerTransitioningDelegate: NSObjectProtocol {}

/// How a controller is presented, which has no meaning off a screen.
@preconcurrency @MainActor
open class UIPresentationController: NSObject {
    public let presentedViewController: UIViewController
    open private(set) weak var presentingController: UIViewController?
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    public init(
        presentedViewController: UIViewController,
        presenting presentingViewController: UIViewController?
    ) {
        self.presentedViewController = presentedViewController
        presentingController = presentingViewController
        super.init()
    }
}

@preconcurrency @MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {}

@preconcurrency @MainActor
open class UIPopoverPresentationController: UIPresentationController {
    open var sourceView: UIView?
    open var sourceRect = CGRect.null
    open var barButtonItem: UIBarButtonItem?
    open var permittedArrowDirections = UIPopoverArrowDirection.any
}

public struct UIPopoverArrowDirection: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let up = UIPopoverArrowDirection(rawValue: 1)
    public static let down = UIPopoverArrowDirection(rawValue: 2)
    public static let left = UIPopoverArrowDirection(rawValue: 4)
    public static let right = UIPopoverArrowDirection(rawValue: 8)
    public static let any: UIPopoverArrowDirection = [.up, .down, .left, .right]
}

@preconcurrency @MainActor
open class UISheetPresentationController: UIPresentationController {
    open class Detent: NSObject {
        open class func medium() -> Detent { Detent() }
        open class func large() -> Detent { Detent() }
    }
    open var detents: [Detent] = []
    open var prefersGrabberVisible = false
    open var preferredCornerRadius: CGFloat?
}
