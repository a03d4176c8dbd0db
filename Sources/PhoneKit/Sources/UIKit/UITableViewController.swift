// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// A controller whose view is a table.
@preconcurrency @MainActor
open class UITableViewController: UIViewController, UITableViewDataSource, UITableViewDelegate {
    private var style = UITableView.Style.plain
    open var clearsSelectionOnViewWillAppear = true
    open var refreshControl: UIRefreshControl?

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
        if isViewLoaded {
            // Xcode connects both; a static table has no other source.
            if tableView?.staticSections != nil { (tableView.dataSource, tableView.delegate) = (self, self) }
            return
        }
        let table = UITableView(frame: CGRect(origin: .zero, size: Self.initialSize), style: style)
        (table.dataSource, table.delegate) = (self, self)
        view = table
    }

    // The rows of the storyboard, if the table is a static one.

    private func section(_ number: Int) -> UITableView.StaticSection? {
        let sections = tableView.staticSections ?? []
        return sections.indices.contains(number) ? sections[number] : nil
    }
    open func numberOfSections(in tableView: UITableView) -> Int { tableView.staticSections?.count ?? 1 }
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        self.section(section)?.cells.count ?? 0
    }
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        guard let cells = section(indexPath.section)?.cells, cells.indices.contains(indexPath.row) else {
            return UITableViewCell(style: .default, reuseIdentifier: nil)
        }
        return cells[indexPath.row]
    }
    open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        self.section(section)?.header
    }
    open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
        self.section(section)?.footer
    }
    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }
    open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
    open func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}
    open func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? { nil }
    open func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? { nil }
    open func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
        tableView.sectionHeaderHeight
    }
    open func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
        tableView.sectionFooterHeight
    }
    open func tableView(
        _ tableView: UITableView,
        willDisplay cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {}
    open func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {}
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
