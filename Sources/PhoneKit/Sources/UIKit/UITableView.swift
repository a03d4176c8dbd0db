// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// A table: its rows are shown below each other, however many there are.
@preconcurrency @MainActor
open class UITableView: UIScrollView {
    public enum Style: Int, Sendable {
        case plain, grouped, insetGrouped
    }
    public enum RowAnimation: Int, Sendable {
        case fade, right, left, top, bottom, none, middle
        case automatic = 100
    }
    public enum ScrollPosition: Int, Sendable {
        case none, top, middle, bottom
    }

    public static let automaticDimension = CGFloat(-1)

    public let style: Style
    open weak var dataSource: (any UITableViewDataSource)? { didSet { reloadData() } }
    open var rowHeight = UITableView.automaticDimension
    open var estimatedRowHeight = UITableView.automaticDimension
    open var sectionHeaderHeight = UITableView.automaticDimension
    open var sectionFooterHeight = UITableView.automaticDimension
    open var estimatedSectionHeaderHeight = UITableView.automaticDimension
    open var estimatedSectionFooterHeight = UITableView.automaticDimension
    open var separatorEffect: UIVisualEffect?
    open var sectionIndexColor: UIColor?
    open var allowsSelectionDuringEditing = false
    open var allowsMultipleSelectionDuringEditing = false
    open var cellLayoutMarginsFollowReadableWidth = false
    open var insetsContentViewsToSafeArea = true
    open var isPrefetchingEnabled = true
    open var selectionFollowsFocus = false
    open var hasUncommittedUpdates: Bool { false }
    open var isSpringLoaded = false
    open var sectionHeaderTopPadding: CGFloat = 0
    open var separatorStyle = UITableViewCell.SeparatorStyle.singleLine
    open var separatorInset = UIEdgeInsets.zero
    open var separatorColor: UIColor?
    open var tableHeaderView: UIView? { didSet { changed() } }
    open var tableFooterView: UIView? { didSet { changed() } }
    open var backgroundView: UIView?
    open var allowsSelection = true { didSet { changed() } }
    open var allowsMultipleSelection = false
    open var isEditing = false
    open private(set) var indexPathsForSelectedRows: [IndexPath]?
    open var indexPathForSelectedRow: IndexPath? { indexPathsForSelectedRows?.first }

    private var reuse = Reuse<UITableViewCell>()
    private var headers = Reuse<UITableViewHeaderFooterView>()
    private var cells: [IndexPath: UITableViewCell]?
    private var tableDelegate: (any UITableViewDelegate)? { delegate as? any UITableViewDelegate }

    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
    }
    public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }
    public required init?(coder: NSCoder) {
        style = .plain
        super.init(coder: coder)
    }

    // MARK: Cells

    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        reuse.register(cellClass, identifier)
    }
    open func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) { reuse.register(nib, identifier) }
    open func register(_ aClass: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String) {
        headers.register(aClass, identifier)
    }
    open func register(_ nib: UINib?, forHeaderFooterViewReuseIdentifier identifier: String) {
        headers.register(nib, identifier)
    }
    /// A prototype of a storyboard.
    func register(prototype make: @escaping @MainActor () -> UITableViewCell?, _ identifier: String) {
        reuse.register(make, identifier)
    }

    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        let cell = reuse.make(identifier) { type in
            PhoneObject.make(type, "style", (UITableViewCell.CellStyle.default, identifier as String?))
                as? UITableViewCell
                ?? (type == UITableViewCell.self ? UITableViewCell(style: .default, reuseIdentifier: identifier) : nil)
        }
        cell?.reuseIdentifier = identifier
        return cell
    }
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        guard let cell = dequeueReusableCell(withIdentifier: identifier) else {
            fatalError("unable to dequeue a cell with identifier \(identifier) - \(reuse.advice)")
        }
        return cell
    }
    open func dequeueReusableHeaderFooterView(withIdentifier identifier: String) -> UITableViewHeaderFooterView? {
        headers.make(identifier) { type in
            PhoneObject.make(type, "reuseIdentifier", identifier) as? UITableViewHeaderFooterView
                ?? (type == UITableViewHeaderFooterView.self
                    ? UITableViewHeaderFooterView(reuseIdentifier: identifier) : nil)
        }
    }

    // MARK: Data

    open func reloadData() {
        cells = nil
        indexPathsForSelectedRows = nil
        changed()
    }
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadCells() }
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) { reloadCells() }
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadCells() }
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadCells() }
    open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) { reloadCells() }
    open func insertSections(_ sections: IndexSet, with animation: RowAnimation) { reloadCells() }
    open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) { reloadCells() }
    open func beginUpdates() {}
    open func endUpdates() { changed() }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        completion?(true)
    }
    private func reloadCells() {
        cells = nil
        changed()
    }

    open var numberOfSections: Int { dataSource?.numberOfSections(in: self) ?? 0 }
    open func numberOfRows(inSection section: Int) -> Int {
        dataSource?.tableView(self, numberOfRowsInSection: section) ?? 0
    }
    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { loadedCells()[indexPath] }
    open func indexPath(for cell: UITableViewCell) -> IndexPath? { loadedCells().first { $0.value === cell }?.key }
    open var visibleCells: [UITableViewCell] { loadedCells().sorted { $0.key < $1.key }.map(\.value) }
    open var indexPathsForVisibleRows: [IndexPath]? { loadedCells().keys.sorted() }
    open func rectForRow(at indexPath: IndexPath) -> CGRect { .zero }
    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    open func reconfigureRows(at indexPaths: [IndexPath]) { reloadCells() }
    open func moveSection(_ section: Int, toSection newSection: Int) { reloadCells() }
    open func headerView(forSection section: Int) -> UITableViewHeaderFooterView? { nil }
    open func footerView(forSection section: Int) -> UITableViewHeaderFooterView? { nil }
    open func rect(forSection section: Int) -> CGRect { .zero }
    open func rectForHeader(inSection section: Int) -> CGRect { .zero }
    open func rectForFooter(inSection section: Int) -> CGRect { .zero }
    open func indexPathForRow(at point: CGPoint) -> IndexPath? {
        loadedCells().first { $0.value.frame.contains(point) }?.key
    }
    open func indexPathsForRows(in rect: CGRect) -> [IndexPath]? {
        loadedCells().filter { $0.value.frame.intersects(rect) }.keys.sorted()
    }
    open func scrollToNearestSelectedRow(at scrollPosition: ScrollPosition, animated: Bool) {}
    open override func layoutSubviews() {
        super.layoutSubviews()
        _ = loadedCells()
    }

    private func loadedCells() -> [IndexPath: UITableViewCell] {
        if let cells { return cells }
        var loaded: [IndexPath: UITableViewCell] = [:]
        for section in 0..<numberOfSections {
            for row in 0..<numberOfRows(inSection: section) {
                let path = IndexPath(row: row, section: section)
                guard let cell = dataSource?.tableView(self, cellForRowAt: path) else { continue }
                tableDelegate?.tableView(self, willDisplay: cell, forRowAt: path)
                if cell.superview !== self { addSubview(cell) }
                loaded[path] = cell
            }
        }
        for case let cell as UITableViewCell in subviews where !loaded.values.contains(where: { $0 === cell }) {
            cell.removeFromSuperview()
        }
        cells = loaded
        arrange(loaded)
        return loaded
    }

    /// Places the rows below each other; a row has the height that is said, or a usual one.
    private func arrange(_ loaded: [IndexPath: UITableViewCell]) {
        var y = tableHeaderView?.frame.height ?? 0
        for (path, cell) in loaded.sorted(by: { $0.key < $1.key }) {
            let said = tableDelegate?.tableView(self, heightForRowAt: path) ?? rowHeight
            let height = [said, rowHeight, estimatedRowHeight].first { $0 > 0 } ?? 44
            cell.frame = CGRect(x: 0, y: y, width: bounds.width, height: height)
            y += height
        }
        contentSize = CGSize(width: bounds.width, height: y + (tableFooterView?.frame.height ?? 0))
    }

    // MARK: Static rows

    /// A section of a storyboard's static table.
    struct StaticSection {
        let header: String?
        let footer: String?
        let cells: [UITableViewCell]
    }

    /// The sections that the storyboard has; a table's controller gives them to its table.
    var staticSections: [StaticSection]?

    // MARK: Selection

    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        if !allowsMultipleSelection { indexPathsForSelectedRows = nil }
        if let indexPath { indexPathsForSelectedRows = (indexPathsForSelectedRows ?? []) + [indexPath] }
        showSelection()
    }
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {
        indexPathsForSelectedRows?.removeAll { $0 == indexPath }
        if indexPathsForSelectedRows?.isEmpty == true { indexPathsForSelectedRows = nil }
        showSelection()
    }
    private func showSelection() {
        for (path, cell) in cells ?? [:] {
            cell.setSelected(indexPathsForSelectedRows?.contains(path) ?? false, animated: false)
        }
    }

    /// What a finger on a row does.
    private func touch(_ path: IndexPath) {
        guard allowsSelection, tableDelegate?.tableView(self, shouldHighlightRowAt: path) ?? true else { return }
        highlight(path)
        if allowsMultipleSelection, indexPathsForSelectedRows?.contains(path) == true { return deselect(path) }
        if !allowsMultipleSelection, let old = indexPathForSelectedRow, old != path { deselect(old) }
        guard let tableDelegate else { return selectRow(at: path, animated: false, scrollPosition: .none) }
        guard let chosen = tableDelegate.tableView(self, willSelectRowAt: path) else { return }
        selectRow(at: chosen, animated: false, scrollPosition: .none)
        tableDelegate.tableView(self, didSelectRowAt: chosen)
    }

    /// What a finger on a row does before it is lifted.
    private func highlight(_ path: IndexPath) {
        cells?[path]?.setHighlighted(true, animated: false)
        tableDelegate?.tableView(self, didHighlightRowAt: path)
        cells?[path]?.setHighlighted(false, animated: false)
        tableDelegate?.tableView(self, didUnhighlightRowAt: path)
    }
    private func deselect(_ path: IndexPath) {
        guard let tableDelegate else { return deselectRow(at: path, animated: false) }
        guard let chosen = tableDelegate.tableView(self, willDeselectRowAt: path) else { return }
        deselectRow(at: chosen, animated: false)
        tableDelegate.tableView(self, didDeselectRowAt: chosen)
    }

    // MARK: Drawing

    override func node(_ drawing: Drawing) -> Node? {
        let loaded = loadedCells()
        let prefix = drawing.id(of: self, "table")
        var nodes = [tableHeaderView.flatMap { drawing.node(of: $0) }]
        for section in 0..<numberOfSections {
            let header = tableDelegate?.tableView(self, viewForHeaderInSection: section).flatMap {
                drawing.node(of: $0)
            }
            nodes.append(header ?? title(dataSource?.tableView(self, titleForHeaderInSection: section), "title"))
            for path in loaded.keys.filter({ $0.section == section }).sorted() {
                guard let cell = loaded[path] else { continue }
                let number = numberOfSections > 1 ? "\(section + 1)-\(path.row + 1)" : "\(path.row + 1)"
                let id =
                    allowsSelection && delegate != nil ? cell.accessibilityIdentifier ?? "\(prefix)-\(number)" : nil
                let row = drawing.cell(cell, id: id) { [unowned self] in touch(path) }
                let swipes = swipes(path, cell, "\(prefix)-\(number)", drawing)
                nodes.append(swipes.isEmpty ? row : drawing.list([row].compactMap { $0 } + swipes, isRow: true))
            }
            let footer = tableDelegate?.tableView(self, viewForFooterInSection: section).flatMap {
                drawing.node(of: $0)
            }
            nodes.append(footer ?? title(dataSource?.tableView(self, titleForFooterInSection: section), "caption"))
        }
        nodes.append(tableFooterView.flatMap { drawing.node(of: $0) })
        return drawing.list(nodes.compactMap { $0 }, isRow: false)
    }

    /// The buttons that a swipe on a row shows.
    private func swipes(_ path: IndexPath, _ cell: UITableViewCell, _ id: String, _ drawing: Drawing) -> [Node] {
        guard let tableDelegate, dataSource?.tableView(self, canEditRowAt: path) ?? true else { return [] }
        let configurations = [
            tableDelegate.tableView(self, leadingSwipeActionsConfigurationForRowAt: path),
            tableDelegate.tableView(self, trailingSwipeActionsConfigurationForRowAt: path),
        ]
        let actions = configurations.flatMap { $0?.actions ?? [] }.map { action in
            (action.title ?? action.image?.name, { action.handler(action, cell) { _ in } })
        }
        let old = (tableDelegate.tableView(self, editActionsForRowAt: path) ?? []).map { action in
            (action.title, { action.handler(action, path) })
        }
        return (actions + old).enumerated().map { index, action in
            let title = action.0 ?? "\(index + 1)"
            let own = drawing.unused("\(id)-\(title)")
            drawing.react(own, self) { _ in action.1() }
            return drawing.button(title, id: own)
        }
    }

    private func title(_ text: String?, _ style: String) -> Node? {
        guard let text, !text.isEmpty else { return nil }
        return Node("text", [("text", .string(text)), ("style", .string(style))])
    }
}

extension IndexPath {
    /// A path to a row of a table.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    /// A path to an item of a collection.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    /// The section.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }
    /// The row in the section.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
    /// The item in the section.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
