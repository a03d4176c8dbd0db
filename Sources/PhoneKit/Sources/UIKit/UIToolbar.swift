// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON
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
    public convenience init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction?) {
        self.init(title: title ?? primaryAction?.title, style: .plain, target: nil, action: nil)
        (self.image, self.primaryAction) = (image, primaryAction)
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

// MARK: Pickers

@preconcurrency @MainActor
public protocol UIPickerViewDataSource: NSObjectProtocol {
    func numberOfComponents(in pickerView: UIPickerView) -> Int
    func pickerView(_ pickerView: UIPickerView, numberOfRowsInComponent component: Int) -> Int
}

@preconcurrency @MainActor
public protocol UIPickerViewDelegate: NSObjectProtocol {
    func pickerView(_ pickerView: UIPickerView, titleForRow row: Int, forComponent component: Int) -> String?
    func pickerView(
        _ pickerView: UIPickerView,
        attributedTitleForRow row: Int,
        forComponent component: Int
    ) -> NSAttributedString?
    func pickerView(_ pickerView: UIPickerView, didSelectRow row: Int, inComponent component: Int)
    func pickerView(_ pickerView: UIPickerView, rowHeightForComponent component: Int) -> CGFloat
}

extension UIPickerViewDelegate {
    public func pickerView(_ pickerView: UIPickerView, titleForRow row: Int, forComponent component: Int) -> String? {
        nil
    }
    public func pickerView(
        _ pickerView: UIPickerView,
        attributedTitleForRow row: Int,
        forComponent component: Int
    ) -> NSAttributedString? { nil }
    public func pickerView(_ pickerView: UIPickerView, didSelectRow row: Int, inComponent component: Int) {}
    public func pickerView(_ pickerView: UIPickerView, rowHeightForComponent component: Int) -> CGFloat { 32 }
}

/// Wheels of choices: for each a row of buttons, of which one is selected.
@preconcurrency @MainActor
open class UIPickerView: UIView {
    open weak var dataSource: (any UIPickerViewDataSource)? { didSet { reloadAllComponents() } }
    open weak var delegate: (any UIPickerViewDelegate)? { didSet { changed() } }
    private var selected: [Int: Int] = [:] { didSet { changed() } }

    open var numberOfComponents: Int { dataSource?.numberOfComponents(in: self) ?? 0 }
    open func numberOfRows(inComponent component: Int) -> Int {
        dataSource?.pickerView(self, numberOfRowsInComponent: component) ?? 0
    }
    open func reloadAllComponents() { changed() }
    open func reloadComponent(_ component: Int) { changed() }
    open func selectRow(_ row: Int, inComponent component: Int, animated: Bool) { selected[component] = row }
    open func selectedRow(inComponent component: Int) -> Int {
        numberOfRows(inComponent: component) > 0 ? selected[component] ?? 0 : -1
    }

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "picker")
        let rows = (0..<numberOfComponents).compactMap { component -> Node? in
            let buttons = (0..<numberOfRows(inComponent: component)).map { row in
                let button = numberOfComponents > 1 ? "\(id)-\(component + 1)-\(row + 1)" : "\(id)-\(row + 1)"
                drawing.react(button, self) { [unowned self] _ in
                    selected[component] = row
                    delegate?.pickerView(self, didSelectRow: row, inComponent: component)
                }
                let isSelected = row == selectedRow(inComponent: component)
                let title =
                    delegate?.pickerView(self, titleForRow: row, forComponent: component)
                    ?? delegate?.pickerView(self, attributedTitleForRow: row, forComponent: component)?.string
                return drawing.button(
                    (isSelected ? "✓ " : "") + (title ?? "\(row + 1)"),
                    id: button,
                    isSelected: isSelected
                )
            }
            return drawing.list(buttons, isRow: true)
        }
        return drawing.list(rows, isRow: false)
    }
}

// MARK: Controllers of one view

/// A controller whose view is a table.
@preconcurrency @MainActor
open class UITableViewController: UIViewController, UITableViewDataSource, UITableViewDelegate {
    private var style = UITableView.Style.plain
    open var clearsSelectionOnViewWillAppear = true
    open var refreshControl: UIView?

    public init(style: UITableView.Style) {
        super.init(nibName: nil, bundle: nil)
        self.style = style
    }
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open var tableView: UITableView! {
        get { view as? UITableView }
        set { view = newValue }
    }
    open override func loadView() {
        if storyboardView != nil { super.loadView() }
        guard !isViewLoaded else { return }
        let table = UITableView(frame: CGRect(origin: .zero, size: Self.initialSize), style: style)
        (table.dataSource, table.delegate) = (self, self)
        view = table
    }

    open func numberOfSections(in tableView: UITableView) -> Int { 1 }
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        UITableViewCell(style: .default, reuseIdentifier: nil)
    }
    open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
    open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }
    open func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.rowHeight
    }
    open func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? { indexPath }
    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}

/// A controller whose view is a collection.
@preconcurrency @MainActor
open class UICollectionViewController: UIViewController, UICollectionViewDataSource, UICollectionViewDelegate {
    private var layout: UICollectionViewLayout?

    public init(collectionViewLayout layout: UICollectionViewLayout) {
        super.init(nibName: nil, bundle: nil)
        self.layout = layout
    }
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open var collectionView: UICollectionView! {
        get { view as? UICollectionView }
        set { view = newValue }
    }
    open override func loadView() {
        if storyboardView != nil { super.loadView() }
        guard !isViewLoaded else { return }
        let frame = CGRect(origin: .zero, size: Self.initialSize)
        let view = UICollectionView(frame: frame, collectionViewLayout: layout ?? UICollectionViewFlowLayout())
        (view.dataSource, view.delegate) = (self, self)
        self.view = view
    }

    open func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
    open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 0 }
    open func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell { UICollectionViewCell(frame: .zero) }
    open func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {}
}

// MARK: The app

/// The app, which an extension cannot reach.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public static let openSettingsURLString = "app-settings:"
    public static let didBecomeActiveNotification = NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    public static let willResignActiveNotification = NSNotification.Name("UIApplicationWillResignActiveNotification")
    public static let didEnterBackgroundNotification = NSNotification.Name(
        "UIApplicationDidEnterBackgroundNotification"
    )
    public static let willEnterForegroundNotification = NSNotification.Name(
        "UIApplicationWillEnterForegroundNotification"
    )

    @available(*, unavailable, message: "Use view controller based solutions where appropriate instead.")
    public class var shared: UIApplication { fatalError("an extension has no application") }
    open func canOpenURL(_ url: URL) -> Bool { false }
    open func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) { completion?(false) }
}

extension UIResponder {
    public static let keyboardWillShowNotification = NSNotification.Name("UIKeyboardWillShowNotification")
    public static let keyboardDidShowNotification = NSNotification.Name("UIKeyboardDidShowNotification")
    public static let keyboardWillHideNotification = NSNotification.Name("UIKeyboardWillHideNotification")
    public static let keyboardDidHideNotification = NSNotification.Name("UIKeyboardDidHideNotification")
    public static let keyboardWillChangeFrameNotification = NSNotification.Name("UIKeyboardWillChangeFrameNotification")
    public static let keyboardFrameEndUserInfoKey = "UIKeyboardFrameEndUserInfoKey"
    public static let keyboardAnimationDurationUserInfoKey = "UIKeyboardAnimationDurationUserInfoKey"
}
