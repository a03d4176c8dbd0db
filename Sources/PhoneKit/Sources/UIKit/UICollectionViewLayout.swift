// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// How the items of a collection are arranged: read for the number of columns and the direction.
@preconcurrency @MainActor
open class UICollectionViewLayout: NSObject {
    open internal(set) weak var collectionView: UICollectionView?
    open var collectionViewContentSize: CGSize { collectionView?.bounds.size ?? .zero }
    @MainActor public override init() { super.init() }
    open func prepare() {}
    open func invalidateLayout() { collectionView?.changed() }
    open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? { nil }
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }
    open func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { false }

    /// Whether it scrolls to the side.
    var isHorizontal: Bool { false }
    /// Whether it turns to the side by pages, although the collection does not say so.
    var turnsByPages: Bool { false }
    func columns(in collectionView: UICollectionView, _ section: Int) -> Int { 1 }
}

/// The place of an item.
@preconcurrency @MainActor
open class UICollectionViewLayoutAttributes: NSObject {
    open var frame = CGRect.zero
    open var alpha: CGFloat = 1
    open var transform = CGAffineTransform.identity
    open var zIndex = 0
    open var indexPath = IndexPath()
    public convenience init(forCellWith indexPath: IndexPath) {
        self.init()
        self.indexPath = indexPath
    }
}

/// Items from left to right, line by line.
@preconcurrency @MainActor
open class UICollectionViewFlowLayout: UICollectionViewLayout {
    public static let automaticSize = CGSize(width: 10_000, height: 10_000)
    open var scrollDirection = UICollectionView.ScrollDirection.vertical { didSet { invalidateLayout() } }
    open var itemSize = CGSize(width: 50, height: 50) { didSet { invalidateLayout() } }
    open var estimatedItemSize = CGSize.zero
    open var minimumLineSpacing: CGFloat = 10
    open var minimumInteritemSpacing: CGFloat = 10
    open var sectionInset = UIEdgeInsets.zero
    open var headerReferenceSize = CGSize.zero
    open var footerReferenceSize = CGSize.zero
    open var sectionHeadersPinToVisibleBounds = false

    override var isHorizontal: Bool { scrollDirection == .horizontal }

    override func columns(in collectionView: UICollectionView, _ section: Int) -> Int {
        let delegate = collectionView.delegate as? any UICollectionViewDelegateFlowLayout
        let path = IndexPath(item: 0, section: section)
        let size = delegate?.collectionView(collectionView, layout: self, sizeForItemAt: path) ?? itemSize
        let spacing =
            delegate?.collectionView(collectionView, layout: self, minimumInteritemSpacingForSectionAt: section)
            ?? minimumInteritemSpacing
        let inset = delegate?.collectionView(collectionView, layout: self, insetForSectionAt: section) ?? sectionInset
        guard size.width > 0, size != Self.automaticSize else { return 1 }
        let width = collectionView.pageWidth - inset.left - inset.right
        return max(1, Int(((width + spacing) / (size.width + spacing) + 0.001).rounded(.down)))
    }
}

extension UICollectionView {
    public enum ScrollDirection: Int, Sendable {
        case vertical, horizontal
    }
}

@preconcurrency @MainActor
public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {
    func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize
    func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        insetForSectionAt section: Int
    ) -> UIEdgeInsets
    func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        minimumLineSpacingForSectionAt section: Int
    ) -> CGFloat
    func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        minimumInteritemSpacingForSectionAt section: Int
    ) -> CGFloat
}

extension UICollectionViewDelegateFlowLayout {
    private func flow(_ layout: UICollectionViewLayout) -> UICollectionViewFlowLayout? {
        layout as? UICollectionViewFlowLayout
    }
    public func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize { flow(collectionViewLayout)?.itemSize ?? .zero }
    public func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        insetForSectionAt section: Int
    ) -> UIEdgeInsets { flow(collectionViewLayout)?.sectionInset ?? .zero }
    public func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        minimumLineSpacingForSectionAt section: Int
    ) -> CGFloat { flow(collectionViewLayout)?.minimumLineSpacing ?? 0 }
    public func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        minimumInteritemSpacingForSectionAt section: Int
    ) -> CGFloat { flow(collectionViewLayout)?.minimumInteritemSpacing ?? 0 }
}

// MARK: Compositional layouts

/// Sections of groups of items.
@preconcurrency @MainActor
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
    private let sections: (Int) -> NSCollectionLayoutSection?
    open var configuration = UICollectionViewCompositionalLayoutConfiguration()

    public init(section: NSCollectionLayoutSection) {
        sections = { _ in section }
        super.init()
    }
    public init(section: NSCollectionLayoutSection, configuration: UICollectionViewCompositionalLayoutConfiguration) {
        sections = { _ in section }
        super.init()
        self.configuration = configuration
    }
    public init(sectionProvider: @escaping (Int, any NSCollectionLayoutEnvironment) -> NSCollectionLayoutSection?) {
        sections = { sectionProvider($0, LayoutEnvironment()) }
        super.init()
    }
    open class func list(using configuration: UICollectionLayoutListConfiguration)
        -> UICollectionViewCompositionalLayout
    {
        let size = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(44))
        let item = NSCollectionLayoutItem(layoutSize: size)
        return UICollectionViewCompositionalLayout(
            section: NSCollectionLayoutSection(group: .vertical(layoutSize: size, subitems: [item]))
        )
    }

    override var isHorizontal: Bool {
        configuration.scrollDirection == .horizontal || (sections(0)?.orthogonalScrollingBehavior ?? .none) != .none
    }
    override var turnsByPages: Bool {
        [.paging, .groupPaging, .groupPagingCentered].contains(sections(0)?.orthogonalScrollingBehavior ?? .none)
    }
    override func columns(in collectionView: UICollectionView, _ section: Int) -> Int {
        sections(section)?.group.columns(collectionView.pageWidth) ?? 1
    }
}

open class UICollectionViewCompositionalLayoutConfiguration: NSObject, @unchecked Sendable {
    open var scrollDirection = UICollectionView.ScrollDirection.vertical
    open var interSectionSpacing: CGFloat = 0
    public override init() {}
}

/// How a list looks.
public struct UICollectionLayoutListConfiguration: Sendable {
    public enum Appearance: Int, Sendable {
        case plain, grouped, insetGrouped, sidebar, sidebarPlain
    }
    public enum HeaderMode: Int, Sendable {
        case none, supplementary, firstItemInSection
    }
    public var appearance: Appearance
    public var showsSeparators = true
    public var headerMode = HeaderMode.none
    public var backgroundColor: UIColor?
    public init(appearance: Appearance) { self.appearance = appearance }
}

@preconcurrency @MainActor
public protocol NSCollectionLayoutEnvironment: NSObjectProtocol {
    var traitCollection: UITraitCollection { get }
}

private final class LayoutEnvironment: NSObject, NSCollectionLayoutEnvironment {
    var traitCollection: UITraitCollection { .current }
}

open class NSCollectionLayoutDimension: NSObject, @unchecked Sendable {
    let fraction: CGFloat?
    public let dimension: CGFloat
    private init(_ dimension: CGFloat, fraction: CGFloat? = nil) {
        (self.dimension, self.fraction) = (dimension, fraction)
    }
    open class func fractionalWidth(_ fractionalWidth: CGFloat) -> Self { make(fractionalWidth, fractionalWidth) }
    open class func fractionalHeight(_ fractionalHeight: CGFloat) -> Self { make(fractionalHeight, nil) }
    open class func absolute(_ absoluteDimension: CGFloat) -> Self { make(absoluteDimension, nil) }
    open class func estimated(_ estimatedDimension: CGFloat) -> Self { make(estimatedDimension, nil) }
    private class func make(_ dimension: CGFloat, _ fraction: CGFloat?) -> Self {
        unsafeDowncast(NSCollectionLayoutDimension(dimension, fraction: fraction), to: Self.self)
    }
}

open class NSCollectionLayoutSize: NSObject, @unchecked Sendable {
    public let widthDimension: NSCollectionLayoutDimension
    public let heightDimension: NSCollectionLayoutDimension
    public init(widthDimension: NSCollectionLayoutDimension, heightDimension: NSCollectionLayoutDimension) {
        (self.widthDimension, self.heightDimension) = (widthDimension, heightDimension)
    }
}

open class NSCollectionLayoutSpacing: NSObject, @unchecked Sendable {
    public let spacing: CGFloat
    init(_ spacing: CGFloat) { self.spacing = spacing }
    open class func fixed(_ fixedSpacing: CGFloat) -> NSCollectionLayoutSpacing {
        NSCollectionLayoutSpacing(fixedSpacing)
    }
    open class func flexible(_ flexibleSpacing: CGFloat) -> NSCollectionLayoutSpacing {
        NSCollectionLayoutSpacing(flexibleSpacing)
    }
}

open class NSCollectionLayoutItem: NSObject, @unchecked Sendable {
    public let layoutSize: NSCollectionLayoutSize
    open var contentInsets = NSDirectionalEdgeInsets.zero
    public init(layoutSize: NSCollectionLayoutSize) { self.layoutSize = layoutSize }

    /// How many stand beside each other in that width.
    func columns(_ width: CGFloat) -> Int {
        let dimension = layoutSize.widthDimension
        let share = dimension.fraction ?? (width > 0 ? dimension.dimension / width : 1)
        return share > 0 ? max(1, Int((1 / share + 0.001).rounded(.down))) : 1
    }
}

open class NSCollectionLayoutGroup: NSCollectionLayoutItem, @unchecked Sendable {
    private var isHorizontal = false
    private var count: Int?
    public private(set) var subitems: [NSCollectionLayoutItem] = []
    open var interItemSpacing: NSCollectionLayoutSpacing?

    private convenience init(
        _ layoutSize: NSCollectionLayoutSize,
        _ subitems: [NSCollectionLayoutItem],
        isHorizontal: Bool,
        count: Int?
    ) {
        self.init(layoutSize: layoutSize)
        (self.subitems, self.isHorizontal, self.count) = (subitems, isHorizontal, count)
    }
    open class func horizontal(
        layoutSize: NSCollectionLayoutSize,
        subitems: [NSCollectionLayoutItem]
    ) -> NSCollectionLayoutGroup { NSCollectionLayoutGroup(layoutSize, subitems, isHorizontal: true, count: nil) }
    open class func horizontal(
        layoutSize: NSCollectionLayoutSize,
        subitem: NSCollectionLayoutItem,
        count: Int
    ) -> NSCollectionLayoutGroup { NSCollectionLayoutGroup(layoutSize, [subitem], isHorizontal: true, count: count) }
    open class func horizontal(
        layoutSize: NSCollectionLayoutSize,
        repeatingSubitem subitem: NSCollectionLayoutItem,
        count: Int
    ) -> NSCollectionLayoutGroup { NSCollectionLayoutGroup(layoutSize, [subitem], isHorizontal: true, count: count) }
    open class func vertical(
        layoutSize: NSCollectionLayoutSize,
        subitems: [NSCollectionLayoutItem]
    ) -> NSCollectionLayoutGroup { NSCollectionLayoutGroup(layoutSize, subitems, isHorizontal: false, count: nil) }
    open class func vertical(
        layoutSize: NSCollectionLayoutSize,
        subitem: NSCollectionLayoutItem,
        count: Int
    ) -> NSCollectionLayoutGroup { NSCollectionLayoutGroup(layoutSize, [subitem], isHorizontal: false, count: count) }

    override func columns(_ width: CGFloat) -> Int {
        if isHorizontal, let count { return max(1, count) }
        let inner = (isHorizontal || subitems.count == 1 ? subitems.first?.columns(width) : nil) ?? 1
        return max(isHorizontal ? max(inner, subitems.count) : inner, 1) * super.columns(width)
    }
}

public enum UICollectionLayoutSectionOrthogonalScrollingBehavior: Int, Sendable {
    case none, continuous, continuousGroupLeadingBoundary, paging, groupPaging, groupPagingCentered
}

open class NSCollectionLayoutSection: NSObject, @unchecked Sendable {
    let group: NSCollectionLayoutGroup
    open var contentInsets = NSDirectionalEdgeInsets.zero
    open var interGroupSpacing: CGFloat = 0
    open var orthogonalScrollingBehavior = UICollectionLayoutSectionOrthogonalScrollingBehavior.none
    open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []
    public init(group: NSCollectionLayoutGroup) { self.group = group }
}

public enum NSRectAlignment: Int, Sendable {
    case none, top, topLeading, leading, bottomLeading, bottom, bottomTrailing, trailing, topTrailing
}

open class NSCollectionLayoutBoundarySupplementaryItem: NSCollectionLayoutItem, @unchecked Sendable {
    public init(layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: NSRectAlignment) {
        super.init(layoutSize: layoutSize)
    }
}
