// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

@preconcurrency @MainActor
public protocol UITableViewDataSource: NSObjectProtocol {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    func numberOfSections(in tableView: UITableView) -> Int
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
    func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String?
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
}

extension UITableViewDataSource {
    public func numberOfSections(in tableView: UITableView) -> Int { 1 }
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
    public func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }
    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }
    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
}

@preconcurrency @MainActor
public protocol UITableViewDelegate: UIScrollViewDelegate {
    func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
    func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat
    func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat
    func tableView(_ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath) -> CGFloat
    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
    func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?
    func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool
    func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath?
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath?
    func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath)
}

extension UITableViewDelegate {
    public func tableView(
        _ tableView: UITableView,
        willDisplay cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {}
    public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.rowHeight
    }
    public func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
        tableView.sectionHeaderHeight
    }
    public func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
        tableView.sectionFooterHeight
    }
    public func tableView(_ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.estimatedRowHeight
    }
    public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? { nil }
    public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? { nil }
    public func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool { true }
    public func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? { indexPath }
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    public func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath? { indexPath }
    public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {}
}

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
        return loaded
    }

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
        if allowsMultipleSelection, indexPathsForSelectedRows?.contains(path) == true { return deselect(path) }
        if !allowsMultipleSelection, let old = indexPathForSelectedRow, old != path { deselect(old) }
        guard let tableDelegate else { return selectRow(at: path, animated: false, scrollPosition: .none) }
        guard let chosen = tableDelegate.tableView(self, willSelectRowAt: path) else { return }
        selectRow(at: chosen, animated: false, scrollPosition: .none)
        tableDelegate.tableView(self, didSelectRowAt: chosen)
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
                nodes.append(drawing.cell(cell, id: id) { [unowned self] in touch(path) })
            }
            let footer = tableDelegate?.tableView(self, viewForFooterInSection: section).flatMap {
                drawing.node(of: $0)
            }
            nodes.append(footer ?? title(dataSource?.tableView(self, titleForFooterInSection: section), "caption"))
        }
        nodes.append(tableFooterView.flatMap { drawing.node(of: $0) })
        return drawing.list(nodes.compactMap { $0 }, isRow: false)
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
