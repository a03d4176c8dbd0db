// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON
import PhoneRuntime

/// A collection: a grid, a row, or a carousel if it turns by pages.
@preconcurrency @MainActor
open class UICollectionView: UIScrollView {
    public struct ScrollPosition: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let top = ScrollPosition(rawValue: 1)
        public static let centeredVertically = ScrollPosition(rawValue: 2)
        public static let bottom = ScrollPosition(rawValue: 4)
        public static let left = ScrollPosition(rawValue: 8)
        public static let centeredHorizontally = ScrollPosition(rawValue: 16)
        public static let right = ScrollPosition(rawValue: 32)
    }

    nonisolated public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
    nonisolated public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

    open var collectionViewLayout: UICollectionViewLayout {
        didSet {
            collectionViewLayout.collectionView = self
            reloadCells()
        }
    }
    open weak var dataSource: (any UICollectionViewDataSource)? { didSet { reloadData() } }
    open var allowsSelection = true { didSet { changed() } }
    open var allowsMultipleSelection = false
    open var backgroundView: UIView?
    open var isPrefetchingEnabled = true
    open var allowsFocus = false
    open var remembersLastFocusedIndexPath = false
    open private(set) var indexPathsForSelectedItems: [IndexPath]? = []

    private var reuse = Reuse<UICollectionViewCell>()
    private var supplementary: [String: Reuse<UICollectionReusableView>] = [:]
    private var cells: [IndexPath: UICollectionViewCell]?
    private var collectionDelegate: (any UICollectionViewDelegate)? { delegate as? any UICollectionViewDelegate }

    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
        collectionViewLayout = layout
        super.init(frame: frame)
        layout.collectionView = self
    }
    public required init?(coder: NSCoder) {
        collectionViewLayout = UICollectionViewFlowLayout()
        super.init(coder: coder)
        collectionViewLayout.collectionView = self
    }

    // MARK: Cells

    open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
        reuse.register(cellClass, identifier)
    }
    open func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {
        reuse.register(nib, identifier)
    }
    /// A prototype of a storyboard.
    func register(prototype make: @escaping @MainActor () -> UICollectionViewCell?, _ identifier: String) {
        reuse.register(make, identifier)
    }
    open func register(
        _ viewClass: AnyClass?,
        forSupplementaryViewOfKind elementKind: String,
        withReuseIdentifier identifier: String
    ) {
        supplementary[elementKind, default: Reuse()].register(viewClass, identifier)
    }
    open func register(_ nib: UINib?, forSupplementaryViewOfKind kind: String, withReuseIdentifier identifier: String) {
        supplementary[kind, default: Reuse()].register(nib, identifier)
    }

    open func dequeueReusableCell(
        withReuseIdentifier identifier: String,
        for indexPath: IndexPath
    ) -> UICollectionViewCell {
        guard let cell = reuse.make(identifier, Self.makeView) else {
            fatalError("could not dequeue a cell with identifier \(identifier) - \(reuse.advice)")
        }
        cell.reuseIdentifier = identifier
        return cell
    }
    open func dequeueReusableSupplementaryView(
        ofKind elementKind: String,
        withReuseIdentifier identifier: String,
        for indexPath: IndexPath
    ) -> UICollectionReusableView {
        guard let view = supplementary[elementKind]?.make(identifier, Self.makeView) else {
            fatalError("could not dequeue a view of kind \(elementKind) with identifier \(identifier)")
        }
        view.reuseIdentifier = identifier
        return view
    }
    private static func makeView<View: UICollectionReusableView>(_ type: AnyClass) -> View? {
        if let made = PhoneObject.make(type, "frame", CGRect.zero) as? View { return made }
        if type == UICollectionViewCell.self { return UICollectionViewCell(frame: .zero) as? View }
        if type == UICollectionViewListCell.self { return UICollectionViewListCell(frame: .zero) as? View }
        return type == UICollectionReusableView.self ? UICollectionReusableView(frame: .zero) as? View : nil
    }

    /// A cell of a registration, which makes and configures it.
    open func dequeueConfiguredReusableCell<Cell, Item>(
        using registration: CellRegistration<Cell, Item>,
        for indexPath: IndexPath,
        item: Item?
    ) -> Cell {
        guard let cell = registration.make() ?? Self.makeView(Cell.self) as UICollectionViewCell? as? Cell else {
            fatalError("could not make a \(Cell.self) - \(reuse.advice)")
        }
        if let item { registration.handler(cell, indexPath, item) }
        return cell
    }

    /// A header or footer of a registration, which makes and configures it.
    open func dequeueConfiguredReusableSupplementary<Supplementary>(
        using registration: SupplementaryRegistration<Supplementary>,
        for indexPath: IndexPath
    ) -> Supplementary {
        guard let view = Self.makeView(Supplementary.self) as UICollectionReusableView? as? Supplementary else {
            fatalError("could not make a \(Supplementary.self) - \(reuse.advice)")
        }
        registration.handler(view, registration.elementKind, indexPath)
        return view
    }

    /// How the headers or footers of a class show their sections.
    public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
        public typealias Handler =
            @MainActor (
                _ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath
            ) -> Void
        let elementKind: String
        let handler: Handler

        public init(elementKind: String, handler: @escaping Handler) {
            (self.elementKind, self.handler) = (elementKind, handler)
        }
    }

    /// How the cells of a class show their items.
    public struct CellRegistration<Cell: UICollectionViewCell, Item> {
        public typealias Handler = @MainActor (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void
        let handler: Handler
        private let nib: UINib?

        public init(handler: @escaping Handler) { (self.handler, nib) = (handler, nil) }
        public init(cellNib: UINib, handler: @escaping Handler) { (self.handler, nib) = (handler, cellNib) }

        @MainActor
        func make() -> Cell? { nib?.instantiate(withOwner: nil, options: nil).lazy.compactMap { $0 as? Cell }.first }
    }

    // MARK: Data

    open func reloadData() {
        indexPathsForSelectedItems = []
        reloadCells()
    }
    open func reloadItems(at indexPaths: [IndexPath]) { reloadCells() }
    open func reconfigureItems(at indexPaths: [IndexPath]) { reloadCells() }
    open func reloadSections(_ sections: IndexSet) { reloadCells() }
    open func insertItems(at indexPaths: [IndexPath]) { reloadCells() }
    open func deleteItems(at indexPaths: [IndexPath]) { reloadCells() }
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) { reloadCells() }
    open func insertSections(_ sections: IndexSet) { reloadCells() }
    open func deleteSections(_ sections: IndexSet) { reloadCells() }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        completion?(true)
    }
    open func setCollectionViewLayout(_ layout: UICollectionViewLayout, animated: Bool) {
        collectionViewLayout = layout
    }
    private func reloadCells() {
        cells = nil
        changed()
    }

    open var numberOfSections: Int { dataSource?.numberOfSections(in: self) ?? 0 }
    open func numberOfItems(inSection section: Int) -> Int {
        dataSource?.collectionView(self, numberOfItemsInSection: section) ?? 0
    }
    open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { loadedCells()[indexPath] }
    open func indexPath(for cell: UICollectionViewCell) -> IndexPath? {
        loadedCells().first { $0.value === cell }?.key
    }
    open var visibleCells: [UICollectionViewCell] { loadedCells().sorted { $0.key < $1.key }.map(\.value) }
    open var indexPathsForVisibleItems: [IndexPath] { loadedCells().keys.sorted() }
    open func indexPathForItem(at point: CGPoint) -> IndexPath? {
        let count = numberOfSections > 0 ? numberOfItems(inSection: 0) : 0
        let page = Int((point.x / pageWidth).rounded(.down))
        return isPagingEnabled && (0..<count).contains(page) ? IndexPath(item: page, section: 0) : nil
    }
    open func scrollToItem(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        guard isCarousel else { return }
        setContentOffset(CGPoint(x: CGFloat(indexPath.item) * pageWidth, y: 0), animated: animated)
    }
    open func supplementaryView(forElementKind elementKind: String, at indexPath: IndexPath)
        -> UICollectionReusableView?
    { nil }
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }

    private func loadedCells() -> [IndexPath: UICollectionViewCell] {
        if let cells { return cells }
        var loaded: [IndexPath: UICollectionViewCell] = [:]
        for section in 0..<numberOfSections {
            for item in 0..<numberOfItems(inSection: section) {
                let path = IndexPath(item: item, section: section)
                guard let cell = dataSource?.collectionView(self, cellForItemAt: path) else { continue }
                collectionDelegate?.collectionView(self, willDisplay: cell, forItemAt: path)
                if cell.superview !== self { addSubview(cell) }
                loaded[path] = cell
            }
        }
        for case let cell as UICollectionViewCell in subviews where !loaded.values.contains(where: { $0 === cell }) {
            cell.removeFromSuperview()
        }
        cells = loaded
        return loaded
    }

    // MARK: Selection

    open func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        if !allowsMultipleSelection { indexPathsForSelectedItems = [] }
        if let indexPath { indexPathsForSelectedItems = (indexPathsForSelectedItems ?? []) + [indexPath] }
        showSelection()
    }
    open func deselectItem(at indexPath: IndexPath, animated: Bool) {
        indexPathsForSelectedItems?.removeAll { $0 == indexPath }
        showSelection()
    }
    private func showSelection() {
        for (path, cell) in cells ?? [:] { cell.isSelected = indexPathsForSelectedItems?.contains(path) ?? false }
    }

    /// What a finger on an item does.
    private func touch(_ path: IndexPath) {
        let delegate = collectionDelegate
        guard allowsSelection, delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true else { return }
        if let cell = cells?[path] {
            cell.isHighlighted = true
            delegate?.collectionView(self, didHighlightItemAt: path)
            cell.isHighlighted = false
            delegate?.collectionView(self, didUnhighlightItemAt: path)
        }
        let selected = indexPathsForSelectedItems ?? []
        if allowsMultipleSelection, selected.contains(path) {
            guard delegate?.collectionView(self, shouldDeselectItemAt: path) ?? true else { return }
            deselectItem(at: path, animated: false)
            delegate?.collectionView(self, didDeselectItemAt: path)
            return
        }
        guard delegate?.collectionView(self, shouldSelectItemAt: path) ?? true else { return }
        if !allowsMultipleSelection, let old = selected.first, old != path {
            deselectItem(at: old, animated: false)
            delegate?.collectionView(self, didDeselectItemAt: old)
        }
        selectItem(at: path, animated: false, scrollPosition: [])
        delegate?.collectionView(self, didSelectItemAt: path)
    }

    // MARK: Drawing

    private var isCarousel: Bool {
        isPagingEnabled && collectionViewLayout.isHorizontal || collectionViewLayout.turnsByPages
    }

    override func node(_ drawing: Drawing) -> Node? {
        let loaded = loadedCells()
        let prefix = drawing.id(of: self, "collection")
        var sections: [Node?] = []
        for section in 0..<numberOfSections {
            let nodes = loaded.keys.filter { $0.section == section }.sorted().compactMap { path -> Node? in
                guard let cell = loaded[path] else { return nil }
                let number = numberOfSections > 1 ? "\(section + 1)-\(path.item + 1)" : "\(path.item + 1)"
                let id =
                    allowsSelection && delegate != nil ? cell.accessibilityIdentifier ?? "\(prefix)-\(number)" : nil
                return drawing.cell(cell, id: id) { [unowned self] in touch(path) }
            }
            sections.append(supplement(UICollectionView.elementKindSectionHeader, section, drawing))
            sections.append(arrange(nodes, section, drawing))
            sections.append(supplement(UICollectionView.elementKindSectionFooter, section, drawing))
        }
        return drawing.list(sections.compactMap { $0 }, isRow: false)
    }

    private func supplement(_ kind: String, _ section: Int, _ drawing: Drawing) -> Node? {
        guard showsSupplement(kind, section), let dataSource else { return nil }
        let path = IndexPath(item: 0, section: section)
        return drawing.node(of: dataSource.collectionView(self, viewForSupplementaryElementOfKind: kind, at: path))
    }

    /// Whether a section has a header or footer: a class is registered for it, or the layout wants one.
    private func showsSupplement(_ kind: String, _ section: Int) -> Bool {
        supplementary[kind] != nil || collectionViewLayout.supplementaryKinds(section).contains(kind)
    }

    private func arrange(_ nodes: [Node], _ section: Int, _ drawing: Drawing) -> Node? {
        guard !nodes.isEmpty else { return nil }
        if isCarousel { return carousel(nodes, drawing) }
        if collectionViewLayout.isHorizontal { return drawing.list(nodes, isRow: true) }
        let columns = collectionViewLayout.columns(in: self, section)
        guard columns > 1 else { return drawing.list(nodes, isRow: false) }
        return Node("grid", [("columns", .integer(Int64(columns)))], children: nodes)
    }
}
