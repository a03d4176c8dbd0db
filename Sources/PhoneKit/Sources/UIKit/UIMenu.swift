// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A closure that a control or an alert calls.
@preconcurrency @MainActor
open class UIAction: UIMenuElement {
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    public let identifier: Identifier
    open var attributes: UIMenuElement.Attributes = []
    open var state = UIMenuElement.State.off
    open var discoverabilityTitle: String?
    open private(set) weak var sender: AnyObject?
    private let handler: UIActionHandler

    public init(
        title: String = "",
        subtitle: String? = nil,
        image: UIImage? = nil,
        identifier: Identifier? = nil,
        discoverabilityTitle: String? = nil,
        attributes: UIMenuElement.Attributes = [],
        state: UIMenuElement.State = .off,
        handler: @escaping UIActionHandler
    ) {
        self.identifier = identifier ?? Identifier(UUID().uuidString)
        self.handler = handler
        super.init(title: title, image: image)
        (self.attributes, self.state, self.discoverabilityTitle) = (attributes, state, discoverabilityTitle)
        self.subtitle = subtitle
    }

    func perform(with sender: AnyObject?) {
        self.sender = sender
        handler(self)
    }
}

public typealias UIActionHandler = @MainActor (UIAction) -> Void

/// An entry of a menu.
@preconcurrency @MainActor
open class UIMenuElement: NSObject {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let disabled = Attributes(rawValue: 1)
        public static let destructive = Attributes(rawValue: 2)
        public static let hidden = Attributes(rawValue: 4)
        public static let keepsMenuPresented = Attributes(rawValue: 8)
    }

    public enum State: Int, Sendable {
        case off, on, mixed
    }

    open var title: String
    open var subtitle: String?
    open var image: UIImage?

    init(title: String, image: UIImage?) {
        (self.title, self.image) = (title, image)
        super.init()
    }
}

/// A menu of actions.
@preconcurrency @MainActor
open class UIMenu: UIMenuElement {
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let displayInline = Options(rawValue: 1)
        public static let destructive = Options(rawValue: 2)
        public static let singleSelection = Options(rawValue: 32)
        public static let displayAsPalette = Options(rawValue: 128)
    }

    public enum ElementSize: Int, Sendable {
        case small, medium, large
        case automatic = -1
    }

    public let identifier: Identifier
    public let options: Options
    public let children: [UIMenuElement]
    open var preferredElementSize = ElementSize.automatic
    open var selectedElements: [UIMenuElement] { children.filter { ($0 as? UIAction)?.state == .on } }

    public init(
        title: String = "",
        subtitle: String? = nil,
        image: UIImage? = nil,
        identifier: Identifier? = nil,
        options: Options = [],
        preferredElementSize: ElementSize = .automatic,
        children: [UIMenuElement] = []
    ) {
        self.identifier = identifier ?? Identifier(UUID().uuidString)
        (self.options, self.children) = (options, children)
        super.init(title: title, image: image)
        (self.subtitle, self.preferredElementSize) = (subtitle, preferredElementSize)
    }

    open func replacingChildren(_ newChildren: [UIMenuElement]) -> UIMenu {
        UIMenu(
            title: title,
            subtitle: subtitle,
            image: image,
            identifier: identifier,
            options: options,
            preferredElementSize: preferredElementSize,
            children: newChildren
        )
    }
}

/// Entries of a menu that are made when they are needed.
@preconcurrency @MainActor
open class UIDeferredMenuElement: UIMenuElement {
    private let provider: (@escaping ([UIMenuElement]) -> Void) -> Void
    private var elements: [UIMenuElement]?

    public init(_ elementProvider: @escaping (@escaping ([UIMenuElement]) -> Void) -> Void) {
        provider = elementProvider
        super.init(title: "", image: nil)
    }
    open class func uncached(
        _ elementProvider: @escaping (@escaping ([UIMenuElement]) -> Void) -> Void
    ) -> UIDeferredMenuElement { UIDeferredMenuElement(elementProvider) }

    /// The entries; none until the provider has given them.
    var children: [UIMenuElement] {
        if let elements { return elements }
        elements = []
        provider { [weak self] in
            self?.elements = $0
            ViewChanges.note()
        }
        return elements ?? []
    }
}

extension UIMenuElement {
    /// The actions in the element, with those of inner menus.
    var actions: [UIAction] {
        switch self {
        case let action as UIAction: action.attributes.contains(.hidden) ? [] : [action]
        case let menu as UIMenu: menu.children.flatMap(\.actions)
        case let deferred as UIDeferredMenuElement: deferred.children.flatMap(\.actions)
        default: []
        }
    }
}

// MARK: - Context menus, which nothing opens here

public typealias UIContextMenuContentPreviewProvider = () -> UIViewController?
public typealias UIContextMenuActionProvider = ([UIMenuElement]) -> UIMenu?

@preconcurrency @MainActor
open class UIContextMenuConfiguration: NSObject {
    public let identifier: any NSCopying
    public init(
        identifier: (any NSCopying)? = nil,
        previewProvider: UIContextMenuContentPreviewProvider? = nil,
        actionProvider: UIContextMenuActionProvider? = nil
    ) {
        self.identifier = identifier ?? NSUUID()
        super.init()
    }
}

@preconcurrency @MainActor
public protocol UIInteraction: NSObjectProtocol {
    var view: UIView? { get }
    func willMove(to view: UIView?)
    func didMove(to view: UIView?)
}

@preconcurrency @MainActor
open class UIContextMenuInteraction: NSObject, UIInteraction {
    open private(set) weak var delegate: (any UIContextMenuInteractionDelegate)?
    open private(set) weak var view: UIView?
    public init(delegate: any UIContextMenuInteractionDelegate) {
        self.delegate = delegate
        super.init()
    }
    open func willMove(to view: UIView?) {}
    open func didMove(to view: UIView?) { self.view = view }
    open func dismissMenu() {}
}

@preconcurrency @MainActor
public protocol UIContextMenuInteractionDelegate: NSObjectProtocol {
    func contextMenuInteraction(
        _ interaction: UIContextMenuInteraction,
        configurationForMenuAtLocation location: CGPoint
    ) -> UIContextMenuConfiguration?
}

// MARK: - Swipes on rows

/// What a swipe on a row offers: shown beside the row, as if it was swiped.
@preconcurrency @MainActor
open class UIContextualAction: NSObject {
    public enum Style: Int, Sendable {
        case normal, destructive
    }
    public typealias Handler = (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void

    public let style: Style
    public let handler: Handler
    open var title: String?
    open var backgroundColor: UIColor! = .systemGray
    open var image: UIImage?

    public init(style: Style, title: String?, handler: @escaping Handler) {
        (self.style, self.title, self.handler) = (style, title, handler)
        super.init()
    }
}

@preconcurrency @MainActor
open class UISwipeActionsConfiguration: NSObject {
    public let actions: [UIContextualAction]
    open var performsFirstActionWithFullSwipe = true
    public init(actions: [UIContextualAction]) {
        self.actions = actions
        super.init()
    }
}

@preconcurrency @MainActor
open class UITableViewRowAction: NSObject {
    public enum Style: Int, Sendable {
        case `default`, normal
        public static let destructive = Style.default
    }

    public let style: Style
    open var title: String?
    open var backgroundColor: UIColor?
    open var backgroundEffect: UIVisualEffect?
    let handler: (UITableViewRowAction, IndexPath) -> Void

    public init(
        style: Style,
        title: String?,
        handler: @escaping (UITableViewRowAction, IndexPath) -> Void
    ) {
        (self.style, self.title, self.handler) = (style, title, handler)
        super.init()
    }
}
