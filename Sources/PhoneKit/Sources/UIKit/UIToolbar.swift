// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// A bar of buttons, such as the one above a keyboard.
@preconcurrency @MainActor
open class UIToolbar: UIView {
    open var items: [UIBarButtonItem]? { didSet { changed() } }
    open var barStyle = UIBarStyle.default
    open var isTranslucent = true
    open var barTintColor: UIColor?
    open func setItems(_ items: [UIBarButtonItem]?, animated: Bool) { self.items = items }

    override func node(_ drawing: Drawing) -> Node? {
        let nodes = (items ?? []).compactMap { item -> Node? in
            if let view = item.customView { return drawing.node(of: view) }
            guard let title = item.shownTitle else { return nil }
            let id = drawing.unused(item.accessibilityIdentifier ?? "bar-" + title)
            drawing.react(id, self) { _ in item.press() }
            return drawing.button(title, id: id, isEnabled: item.isEnabled)
        }
        return drawing.list(nodes, isRow: true)
    }
}

public enum UIBarStyle: Int, Sendable {
    case `default`, black
}

/// A button of a bar.
@preconcurrency @MainActor
open class UIBarButtonItem: NSObject {
    public enum Style: Int, Sendable {
        case plain
        case done = 2
    }

    public enum SystemItem: Int, Sendable {
        case done, cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks
        case search, refresh, stop, camera, trash, play, pause, rewind, fastForward, undo, redo, close
    }

    open var title: String?
    open var image: UIImage?
    open var style = Style.plain
    open var width: CGFloat = 0
    open var isEnabled = true { didSet { ViewChanges.note() } }
    open var tintColor: UIColor?
    open var tag = 0
    open var customView: UIView?
    open var accessibilityIdentifier: String?
    open var accessibilityLabel: String?
    open var primaryAction: UIAction?
    open var menu: UIMenu?
    open weak var target: AnyObject?
    open var action: Selector?
    private var systemItem: SystemItem?

    @MainActor public override init() { super.init() }
    public convenience init(title: String?, style: Style, target: Any?, action: Selector?) {
        self.init()
        (self.title, self.style, self.action) = (title, style, action)
        self.target = target.map { $0 as AnyObject }
    }
    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        self.init(title: nil, style: style, target: target, action: action)
        self.image = image
    }
    public convenience init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) {
        self.init(title: nil, style: .plain, target: target, action: action)
        self.systemItem = systemItem
    }
    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil) {
        self.init(barButtonSystemItem: systemItem, target: nil, action: nil)
        self.primaryAction = primaryAction
    }
    public convenience init(
        title: String? = nil,
        image: UIImage? = nil,
        primaryAction: UIAction? = nil,
        menu: UIMenu? = nil
    ) {
        self.init(title: title ?? primaryAction?.title, style: .plain, target: nil, action: nil)
        (self.image, self.primaryAction, self.menu) = (image, primaryAction, menu)
    }
    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }
    open class func flexibleSpace() -> UIBarButtonItem {
        UIBarButtonItem(barButtonSystemItem: .flexibleSpace, target: nil, action: nil)
    }
    open class func fixedSpace(_ width: CGFloat) -> UIBarButtonItem {
        UIBarButtonItem(barButtonSystemItem: .fixedSpace, target: nil, action: nil)
    }

    /// What the button shows; nil for a space.
    var shownTitle: String? {
        if let title, !title.isEmpty { return title }
        if let systemItem {
            guard systemItem != .flexibleSpace, systemItem != .fixedSpace else { return nil }
            return "\(systemItem)".capitalized
        }
        return accessibilityLabel ?? image?.symbolText ?? image?.name
    }

    func press() {
        guard isEnabled else { return }
        primaryAction?.perform(with: self)
        guard let action, let target else { return }
        PhoneObject.send(action, to: target, with: [self])
    }
}
