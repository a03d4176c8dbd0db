// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON
import PhoneRuntime

@preconcurrency @MainActor
public protocol UISearchBarDelegate: NSObjectProtocol {
    func searchBarShouldBeginEditing(_ searchBar: UISearchBar) -> Bool
    func searchBarTextDidBeginEditing(_ searchBar: UISearchBar)
    func searchBarShouldEndEditing(_ searchBar: UISearchBar) -> Bool
    func searchBarTextDidEndEditing(_ searchBar: UISearchBar)
    func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String)
    func searchBar(
        _ searchBar: UISearchBar,
        shouldChangeTextIn range: NSRange,
        replacementText text: String
    ) -> Bool
    func searchBarSearchButtonClicked(_ searchBar: UISearchBar)
    func searchBarBookmarkButtonClicked(_ searchBar: UISearchBar)
    func searchBarCancelButtonClicked(_ searchBar: UISearchBar)
    func searchBarResultsListButtonClicked(_ searchBar: UISearchBar)
    func searchBar(_ searchBar: UISearchBar, selectedScopeButtonIndexDidChange selectedScope: Int)
}

extension UISearchBarDelegate {
    public func searchBarShouldBeginEditing(_ searchBar: UISearchBar) -> Bool { true }
    public func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) {}
    public func searchBarShouldEndEditing(_ searchBar: UISearchBar) -> Bool { true }
    public func searchBarTextDidEndEditing(_ searchBar: UISearchBar) {}
    public func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {}
    public func searchBar(
        _ searchBar: UISearchBar,
        shouldChangeTextIn range: NSRange,
        replacementText text: String
    ) -> Bool { true }
    public func searchBarSearchButtonClicked(_ searchBar: UISearchBar) {}
    public func searchBarBookmarkButtonClicked(_ searchBar: UISearchBar) {}
    public func searchBarCancelButtonClicked(_ searchBar: UISearchBar) {}
    public func searchBarResultsListButtonClicked(_ searchBar: UISearchBar) {}
    public func searchBar(_ searchBar: UISearchBar, selectedScopeButtonIndexDidChange selectedScope: Int) {}
}

/// The field of a search bar.
@preconcurrency @MainActor
open class UISearchTextField: UITextField {}

/// A field for a search, with its buttons.
@preconcurrency @MainActor
open class UISearchBar: UIView, UITextInputTraits {
    public enum Style: UInt, Sendable {
        case `default`, prominent, minimal
    }
    public enum Icon: Int, Sendable {
        case search, clear, bookmark, resultsList
    }

    open weak var delegate: (any UISearchBarDelegate)?
    open private(set) lazy var searchTextField: UISearchTextField = makeField()
    open var text: String? {
        get { searchTextField.text }
        set { searchTextField.text = newValue }
    }
    open var placeholder: String? {
        get { searchTextField.placeholder }
        set { searchTextField.placeholder = newValue }
    }
    open var prompt: String? { didSet { changed() } }
    open var searchBarStyle = Style.default
    open var barStyle = UIBarStyle.default
    open var barTintColor: UIColor?
    open var isTranslucent = true
    open var backgroundImage: UIImage?
    open var showsCancelButton = false { didSet { changed() } }
    open var showsBookmarkButton = false { didSet { changed() } }
    open var showsSearchResultsButton = false
    open var isSearchResultsButtonSelected = false
    open var showsScopeBar = false { didSet { changed() } }
    open var scopeButtonTitles: [String]? { didSet { changed() } }
    open var selectedScopeButtonIndex = 0 { didSet { changed() } }
    open var searchTextPositionAdjustment = UIOffset.zero
    open var isEnabled: Bool {
        get { searchTextField.isEnabled }
        set { searchTextField.isEnabled = newValue }
    }

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open func setShowsCancelButton(_ showsCancelButton: Bool, animated: Bool) {
        self.showsCancelButton = showsCancelButton
    }
    open func setShowsScope(_ show: Bool, animated: Bool) { showsScopeBar = show }
    open func setImage(_ iconImage: UIImage?, for icon: Icon, state: UIControl.State) {}
    open func setBackgroundImage(_ backgroundImage: UIImage?, for barPosition: UIBarPosition, barMetrics: UIBarMetrics)
    {}
    open func setSearchFieldBackgroundImage(_ backgroundImage: UIImage?, for state: UIControl.State) {}
    open func setPositionAdjustment(_ adjustment: UIOffset, for icon: Icon) {}
    open override var canBecomeFirstResponder: Bool { searchTextField.canBecomeFirstResponder }
    open override var isFirstResponder: Bool { searchTextField.isFirstResponder }
    @discardableResult
    open override func becomeFirstResponder() -> Bool { searchTextField.becomeFirstResponder() }
    @discardableResult
    open override func resignFirstResponder() -> Bool { searchTextField.resignFirstResponder() }

    private func makeField() -> UISearchTextField {
        let field = UISearchTextField()
        field.delegate = self
        field.addAction(
            UIAction { [unowned self] _ in delegate?.searchBar(self, textDidChange: field.text ?? "") },
            for: .editingChanged
        )
        addSubview(field)
        return field
    }

    package override func codedValue(_ name: String) -> Any? {
        // What code asked for before there was a property.
        ["searchField", "_searchField"].contains(name) ? searchTextField : super.codedValue(name)
    }

    override func node(_ drawing: Drawing) -> Node? {
        let prefix = drawing.id(of: self, "search")
        let field = searchTextField
        field.accessibilityIdentifier = field.accessibilityIdentifier ?? "\(prefix)-field"
        var nodes = [drawing.node(of: searchTextField)]
        if showsScopeBar {
            for (index, title) in (scopeButtonTitles ?? []).enumerated() {
                nodes.append(
                    button(title, "\(prefix)-\(title)", drawing, isSelected: index == selectedScopeButtonIndex) {
                        $0.selectedScopeButtonIndex = index
                        $0.delegate?.searchBar($0, selectedScopeButtonIndexDidChange: index)
                    }
                )
            }
        }
        if showsBookmarkButton {
            nodes.append(
                button("Bookmarks", "\(prefix)-bookmarks", drawing) { $0.delegate?.searchBarBookmarkButtonClicked($0) }
            )
        }
        if showsCancelButton {
            nodes.append(
                button("Cancel", "\(prefix)-cancel", drawing) { $0.delegate?.searchBarCancelButtonClicked($0) }
            )
        }
        return drawing.list(nodes.compactMap { $0 }, isRow: true)
    }

    private func button(
        _ title: String,
        _ id: String,
        _ drawing: Drawing,
        isSelected: Bool = false,
        _ action: @escaping @MainActor (UISearchBar) -> Void
    ) -> Node {
        let own = drawing.unused(id)
        drawing.react(own, self) { [unowned self] _ in action(self) }
        return drawing.button(title, id: own, isSelected: isSelected)
    }
}

extension UISearchBar: UITextFieldDelegate {
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool {
        delegate?.searchBarShouldBeginEditing(self) ?? true
    }
    public func textFieldDidBeginEditing(_ textField: UITextField) { delegate?.searchBarTextDidBeginEditing(self) }
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool {
        delegate?.searchBarShouldEndEditing(self) ?? true
    }
    public func textFieldDidEndEditing(_ textField: UITextField) { delegate?.searchBarTextDidEndEditing(self) }
    public func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool { delegate?.searchBar(self, shouldChangeTextIn: range, replacementText: string) ?? true }
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        delegate?.searchBarSearchButtonClicked(self)
        return true
    }
}

public enum UIBarPosition: Int, Sendable {
    case any, bottom, top, topAttached
}

public enum UIBarMetrics: Int, Sendable {
    case `default`, compact
    case defaultPrompt = 101
    case compactPrompt
}
