// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// The sections and items that a data source shows.
public struct NSDiffableDataSourceSnapshot<Section: Hashable, Item: Hashable> {
    private var sections: [(section: Section, items: [Item])] = []

    public init() {}

    public var sectionIdentifiers: [Section] { sections.map(\.section) }
    public var itemIdentifiers: [Item] { sections.flatMap(\.items) }
    public var numberOfSections: Int { sections.count }
    public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }
    public func numberOfItems(inSection identifier: Section) -> Int { itemIdentifiers(inSection: identifier).count }
    public func itemIdentifiers(inSection identifier: Section) -> [Item] {
        sections.first { $0.section == identifier }?.items ?? []
    }
    public func sectionIdentifier(containingItem identifier: Item) -> Section? {
        sections.first { $0.items.contains(identifier) }?.section
    }
    public func indexOfItem(_ identifier: Item) -> Int? { itemIdentifiers.firstIndex(of: identifier) }
    public func indexOfSection(_ identifier: Section) -> Int? { sectionIdentifiers.firstIndex(of: identifier) }

    public mutating func appendSections(_ identifiers: [Section]) { sections += identifiers.map { ($0, []) } }
    public mutating func insertSections(_ identifiers: [Section], afterSection toIdentifier: Section) {
        let index = indexOfSection(toIdentifier).map { $0 + 1 } ?? sections.count
        sections.insert(contentsOf: identifiers.map { ($0, []) }, at: index)
    }
    public mutating func insertSections(_ identifiers: [Section], beforeSection toIdentifier: Section) {
        sections.insert(contentsOf: identifiers.map { ($0, []) }, at: indexOfSection(toIdentifier) ?? 0)
    }
    public mutating func deleteSections(_ identifiers: [Section]) {
        sections.removeAll { identifiers.contains($0.section) }
    }
    public mutating func appendItems(_ identifiers: [Item], toSection sectionIdentifier: Section? = nil) {
        let index = sectionIdentifier.map { indexOfSection($0) } ?? sections.indices.last
        guard let index else { fatalError("There are currently no sections in the data source.") }
        sections[index].items += identifiers
    }
    public mutating func insertItems(_ identifiers: [Item], beforeItem beforeIdentifier: Item) {
        insert(identifiers, at: beforeIdentifier, offset: 0)
    }
    public mutating func insertItems(_ identifiers: [Item], afterItem afterIdentifier: Item) {
        insert(identifiers, at: afterIdentifier, offset: 1)
    }
    private mutating func insert(_ identifiers: [Item], at item: Item, offset: Int) {
        for index in sections.indices {
            guard let position = sections[index].items.firstIndex(of: item) else { continue }
            return sections[index].items.insert(contentsOf: identifiers, at: position + offset)
        }
    }
    public mutating func deleteItems(_ identifiers: [Item]) {
        for index in sections.indices { sections[index].items.removeAll { identifiers.contains($0) } }
    }
    public mutating func deleteAllItems() { sections = [] }
    public mutating func moveItem(_ identifier: Item, beforeItem toIdentifier: Item) {
        deleteItems([identifier])
        insertItems([identifier], beforeItem: toIdentifier)
    }
    public mutating func moveItem(_ identifier: Item, afterItem toIdentifier: Item) {
        deleteItems([identifier])
        insertItems([identifier], afterItem: toIdentifier)
    }
    public mutating func reloadItems(_ identifiers: [Item]) {}
    public mutating func reconfigureItems(_ identifiers: [Item]) {}
    public mutating func reloadSections(_ identifiers: [Section]) {}

    func item(at path: IndexPath) -> Item? {
        guard sections.indices.contains(path.section), sections[path.section].items.indices.contains(path.item) else {
            return nil
        }
        return sections[path.section].items[path.item]
    }
    func count(in section: Int) -> Int { sections.indices.contains(section) ? sections[section].items.count : 0 }
    func path(of item: Item) -> IndexPath? {
        for (section, entry) in sections.enumerated() {
            if let index = entry.items.firstIndex(of: item) { return IndexPath(item: index, section: section) }
        }
        return nil
    }
}

/// Shows a snapshot in a collection.
@preconcurrency @MainActor
open class UICollectionViewDiffableDataSource<Section: Hashable, Item: Hashable>: NSObject, UICollectionViewDataSource {
    public typealias CellProvider = (
        _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: Item
    ) -> UICollectionViewCell?
    public typealias SupplementaryViewProvider = (
        _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> UICollectionReusableView?

    open var supplementaryViewProvider: SupplementaryViewProvider?
    private weak var collectionView: UICollectionView?
    private let provider: CellProvider
    private var shown = NSDiffableDataSourceSnapshot<Section, Item>()

    public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
        provider = cellProvider
        self.collectionView = collectionView
        super.init()
        collectionView.dataSource = self
    }

    open func snapshot() -> NSDiffableDataSourceSnapshot<Section, Item> { shown }
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>,
        animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {
        shown = snapshot
        collectionView?.reloadData()
        completion?()
    }
    open func applySnapshotUsingReloadData(
        _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>,
        completion: (() -> Void)? = nil
    ) { apply(snapshot, completion: completion) }
    open func itemIdentifier(for indexPath: IndexPath) -> Item? { shown.item(at: indexPath) }
    open func indexPath(for itemIdentifier: Item) -> IndexPath? { shown.path(of: itemIdentifier) }
    open func sectionIdentifier(for index: Int) -> Section? {
        shown.sectionIdentifiers.indices.contains(index) ? shown.sectionIdentifiers[index] : nil
    }

    open func numberOfSections(in collectionView: UICollectionView) -> Int { shown.numberOfSections }
    open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        shown.count(in: section)
    }
    open func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        guard let item = shown.item(at: indexPath), let cell = provider(collectionView, indexPath, item) else {
            fatalError("UICollectionViewDiffableDataSource cell provider returned nil for index path \(indexPath)")
        }
        return cell
    }
    open func collectionView(
        _ collectionView: UICollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) -> UICollectionReusableView {
        supplementaryViewProvider?(collectionView, kind, indexPath) ?? UICollectionReusableView()
    }
}

/// Shows a snapshot in a table.
@preconcurrency @MainActor
open class UITableViewDiffableDataSource<Section: Hashable, Item: Hashable>: NSObject, UITableViewDataSource {
    public typealias CellProvider = (
        _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: Item
    ) -> UITableViewCell?

    open var defaultRowAnimation = UITableView.RowAnimation.automatic
    private weak var tableView: UITableView?
    private let provider: CellProvider
    private var shown = NSDiffableDataSourceSnapshot<Section, Item>()

    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
        provider = cellProvider
        self.tableView = tableView
        super.init()
        tableView.dataSource = self
    }

    open func snapshot() -> NSDiffableDataSourceSnapshot<Section, Item> { shown }
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>,
        animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {
        shown = snapshot
        tableView?.reloadData()
        completion?()
    }
    open func itemIdentifier(for indexPath: IndexPath) -> Item? { shown.item(at: indexPath) }
    open func indexPath(for itemIdentifier: Item) -> IndexPath? { shown.path(of: itemIdentifier) }
    open func sectionIdentifier(for index: Int) -> Section? {
        shown.sectionIdentifiers.indices.contains(index) ? shown.sectionIdentifiers[index] : nil
    }
    open func index(for sectionIdentifier: Section) -> Int? { shown.indexOfSection(sectionIdentifier) }
    open func applySnapshotUsingReloadData(
        _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>,
        completion: (() -> Void)? = nil
    ) { apply(snapshot, completion: completion) }
    open func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}
    open func tableView(
        _ tableView: UITableView,
        moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}

    open func numberOfSections(in tableView: UITableView) -> Int { shown.numberOfSections }
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        shown.count(in: section)
    }
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        guard let item = shown.item(at: indexPath), let cell = provider(tableView, indexPath, item) else {
            fatalError("UITableViewDiffableDataSource cell provider returned nil for index path \(indexPath)")
        }
        return cell
    }
    open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
    open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }
    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }
    open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
}
