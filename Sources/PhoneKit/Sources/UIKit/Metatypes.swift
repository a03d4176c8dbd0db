public import Foundation
public import PhoneRuntime

// Objects of classes that only a metatype names, as `T()` for a generic `T: UIView`. On a phone Objective-C finds the
// initializer. Here the rewriter turns `T()` into one of these calls, and registers the initializers of the extension's
// own classes.

extension PhoneObject {
    /// A view of that class, as `init()` makes it.
    public static func make<View: UIView>(_ type: View.Type) -> View {
        make(type, "plain", nil) as? View ?? make(type, frame: .zero)
    }

    /// A view of that class, as `init(frame:)` makes it.
    public static func make<View: UIView>(_ type: View.Type, frame: CGRect) -> View {
        let made =
            make(type, "frame", frame) as? View
            ?? make(type, "style", (UITableViewCell.CellStyle.default, String?.none)) as? View
            ?? (isOwn(type) ? nil : type.init(coder: NibCoder()))
        guard let made else { fatalError("Use of unimplemented initializer 'init(frame:)' for class '\(type)'") }
        made.frame = frame
        return made
    }

    /// A cell of that class, as `init(style:reuseIdentifier:)` makes it.
    public static func make<Cell: UITableViewCell>(
        _ type: Cell.Type,
        style: UITableViewCell.CellStyle,
        reuseIdentifier: String?
    ) -> Cell {
        let made =
            make(type, "style", (style, reuseIdentifier)) as? Cell
            ?? (isOwn(type) ? nil : UITableViewCell(style: style, reuseIdentifier: reuseIdentifier) as? Cell)
        guard let made else {
            fatalError("Use of unimplemented initializer 'init(style:reuseIdentifier:)' for class '\(type)'")
        }
        return made
    }

    /// A controller of that class, as `init()` makes it.
    public static func make<Controller: UIViewController>(_ type: Controller.Type) -> Controller {
        make(type, "plain", nil) as? Controller ?? make(type, nibName: nil, bundle: nil)
    }

    /// A controller of that class, as `init(nibName:bundle:)` makes it.
    public static func make<Controller: UIViewController>(
        _ type: Controller.Type,
        nibName: String?,
        bundle: Bundle?
    ) -> Controller {
        let made =
            make(type, "nib", (nibName, bundle)) as? Controller ?? (isOwn(type) ? nil : type.init(coder: NibCoder()))
        guard let made else {
            fatalError("Use of unimplemented initializer 'init(nibName:bundle:)' for class '\(type)'")
        }
        return made
    }

    /// Whether a class is the extension's own, whose `init(coder:)` may end the process.
    private static func isOwn(_ type: AnyClass) -> Bool { !String(reflecting: type).hasPrefix("UIKit.") }
}
