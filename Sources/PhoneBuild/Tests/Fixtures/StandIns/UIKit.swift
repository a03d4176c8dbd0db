// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Has of a module of PhoneKit just what the tests need.

@_exported import Foundation
@_exported import PhoneRuntime

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
    public init(frame: CGRect) { super.init() }
    public convenience override init() { self.init(frame: .zero) }
    public required init?(coder: NSCoder) { super.init() }
    public var backgroundColor: UIColor?
    public var isHidden = false
    open func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {}
    @discardableResult public func endEditing(_ force: Bool) -> Bool { force }
}

open class UILabel: UIView {
    public var text: String?
}

open class UIImageView: UIView {
    public var image: UIImage?
}

open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let touchUpInside = Event(rawValue: 64)
    }
    open func addTarget(_ target: Any?, action: Selector, for events: Event) {}
}

open class UIButton: UIControl {}
open class UITextField: UIControl {
    public weak var delegate: (any UITextFieldDelegate)?
}

@MainActor public protocol UITextFieldDelegate: AnyObject {
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}

open class UICollectionReusableView: UIView {}
open class UICollectionViewCell: UICollectionReusableView {}

open class UITableViewCell: UIView {
    public enum CellStyle { case `default`, subtitle }
    public init(style: CellStyle, reuseIdentifier: String?) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}

open class UIViewController: UIResponder {
    public required init?(coder: NSCoder) { super.init() }
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }
    public var view: UIView! = UIView()
    open func viewDidLoad() {}
    open func loadView() {}
}

@MainActor open class UIGestureRecognizer: NSObject {
    public init(target: Any?, action: Selector?) {}
}

open class UITapGestureRecognizer: UIGestureRecognizer {}

public final class UIColor: NSObject, @unchecked Sendable {
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
}

public final class UIImage: NSObject, @unchecked Sendable {
    public init?(named name: String) {}
}

public final class UIEvent: NSObject {}

extension PhoneObject {
    public static func make<View: UIView>(_ type: View.Type) -> View { make(type, frame: .zero) }
    public static func make<View: UIView>(_ type: View.Type, frame: CGRect) -> View {
        unsafeDowncast(UIView(frame: frame), to: type)
    }
    public static func make<Controller: UIViewController>(_ type: Controller.Type) -> Controller {
        unsafeDowncast(UIViewController(), to: type)
    }
}
