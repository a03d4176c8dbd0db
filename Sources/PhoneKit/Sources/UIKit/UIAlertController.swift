// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// An alert: shown below the view, with its actions as buttons.
@preconcurrency @MainActor
open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable {
        case actionSheet, alert
    }

    public private(set) var preferredStyle = Style.alert
    open var message: String?
    open private(set) var actions: [UIAlertAction] = []
    open var preferredAction: UIAlertAction?
    open private(set) var textFields: [UITextField]?

    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        (self.title, self.message, self.preferredStyle) = (title, message, preferredStyle)
    }

    open func addAction(_ action: UIAlertAction) { actions.append(action) }
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        let field = UITextField()
        configurationHandler?(field)
        textFields = (textFields ?? []) + [field]
    }

    func node(_ drawing: Drawing) -> Node? {
        let texts = [(title, "title"), (message, "body")].compactMap { text, style -> Node? in
            guard let text, !text.isEmpty else { return nil }
            return Node("text", [("text", .string(text)), ("style", .string(style))])
        }
        let fields = (textFields ?? []).compactMap { drawing.node(of: $0) }
        let buttons = actions.map { action in
            let id = drawing.unused("alert-" + (action.title ?? "button"))
            drawing.targets[id] = { [weak self] _ in
                guard let self, action.isEnabled else { return }
                // The alert is gone when the handler runs, as on a phone.
                presentingViewController?.dismiss(animated: true) { action.handler?(action) }
            }
            return drawing.button(action.title ?? id, id: id, isEnabled: action.isEnabled)
        }
        return drawing.list(texts + fields + buttons, isRow: false)
    }
}

/// A button of an alert.
@preconcurrency @MainActor
open class UIAlertAction: NSObject {
    public enum Style: Int, Sendable {
        case `default`, cancel, destructive
    }

    public let title: String?
    public let style: Style
    open var isEnabled = true { didSet { ViewChanges.note() } }
    let handler: ((UIAlertAction) -> Void)?

    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        (self.title, self.style, self.handler) = (title, style, handler)
        super.init()
    }
}
