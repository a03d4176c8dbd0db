// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

/// Sections of groups of items.
@preconcurrency @MainActor
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
    private var sections: (Int) -> NSCollectionLayoutSection? = { _ in nil }
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
    public init(sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider) {
        super.init()
        sections = { [unowned self] in sectionProvider($0, LayoutEnvironment(collectionView)) }
    }
    public init(
        sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider,
        configuration: UICollectionViewCompositionalLayoutConfiguration
    ) {
        super.init()
        sections = { [unowned self] in sectionProvider($0, LayoutEnvironment(collectionView)) }
        self.configuration = configuration
    }
    open class func list(using configuration: UICollectionLayoutListConfiguration)
        -> UICollectionViewCompositionalLayout
    {
        UICollectionViewCompositionalLayout(section: .list(configuration))
    }
    override func supplementaryKinds(_ section: Int) -> Set<String> {
        Set(sections(section)?.boundarySupplementaryItems.map(\.elementKind) ?? [])
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

public typealias UICollectionViewCompositionalLayoutSectionProvider = (
    Int, any NSCollectionLayoutEnvironment
) -> NSCollectionLayoutSection?

open class UICollectionViewCompositionalLayoutConfiguration: NSObject, @unchecked Sendable {
    open var scrollDirection = UICollectionView.ScrollDirection.vertical
    open var interSectionSpacing: CGFloat = 0
    open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []
    public override init() {}
}

/// How a list looks.
public struct UICollectionLayoutListConfiguration {
    public enum Appearance: Int, Sendable {
        case plain, grouped, insetGrouped, sidebar, sidebarPlain
    }
    public enum HeaderMode: Int, Sendable {
        case none, supplementary, firstItemInSection
    }
    public enum FooterMode: Int, Sendable {
        case none, supplementary
    }
    public var appearance: Appearance
    public var showsSeparators = true
    public var headerMode = HeaderMode.none
    public var footerMode = FooterMode.none
    public var headerTopPadding: CGFloat?
    public var leadingSwipeActionsConfigurationProvider: ((IndexPath) -> UISwipeActionsConfiguration?)?
    public var trailingSwipeActionsConfigurationProvider: ((IndexPath) -> UISwipeActionsConfiguration?)?
    public var backgroundColor: UIColor?
    public init(appearance: Appearance) { self.appearance = appearance }
}

@preconcurrency @MainActor
public protocol NSCollectionLayoutEnvironment: NSObjectProtocol {
    var container: any NSCollectionLayoutContainer { get }
    var traitCollection: UITraitCollection { get }
}

@preconcurrency @MainActor
public protocol NSCollectionLayoutContainer: NSObjectProtocol {
    var contentSize: CGSize { get }
    var effectiveContentSize: CGSize { get }
    var contentInsets: NSDirectionalEdgeInsets { get }
    var effectiveContentInsets: NSDirectionalEdgeInsets { get }
}

@MainActor
private final class LayoutEnvironment: NSObject, NSCollectionLayoutEnvironment, NSCollectionLayoutContainer {
    let contentSize: CGSize
    var effectiveContentSize: CGSize { contentSize }
    var contentInsets: NSDirectionalEdgeInsets { .zero }
    var effectiveContentInsets: NSDirectionalEdgeInsets { .zero }
    var container: any NSCollectionLayoutContainer { self }
    var traitCollection: UITraitCollection { .current }

    init(_ collectionView: UICollectionView?) {
        let size = collectionView?.bounds.size ?? .zero
        contentSize = CGSize(width: collectionView?.pageWidth ?? UIScreen.main.bounds.width, height: size.height)
        super.init()
    }
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
    open var edgeSpacing: NSCollectionLayoutEdgeSpacing?
    public let supplementaryItems: [NSCollectionLayoutSupplementaryItem]
    public init(layoutSize: NSCollectionLayoutSize) { (self.layoutSize, supplementaryItems) = (layoutSize, []) }
    public init(layoutSize: NSCollectionLayoutSize, supplementaryItems: [NSCollectionLayoutSupplementaryItem]) {
        (self.layoutSize, self.supplementaryItems) = (layoutSize, supplementaryItems)
    }

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

    open class func vertical(
        layoutSize: NSCollectionLayoutSize,
        repeatingSubitem subitem: NSCollectionLayoutItem,
        count: Int
    ) -> NSCollectionLayoutGroup { vertical(layoutSize: layoutSize, subitem: subitem, count: count) }

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
    open var decorationItems: [NSCollectionLayoutDecorationItem] = []
    open var supplementariesFollowContentInsets = true
    open var contentInsetsReference = UIContentInsetsReference.automatic
    open var visibleItemsInvalidationHandler: NSCollectionLayoutSectionVisibleItemsInvalidationHandler?
    public init(group: NSCollectionLayoutGroup) { self.group = group }

    open class func list(
        using configuration: UICollectionLayoutListConfiguration,
        layoutEnvironment: any NSCollectionLayoutEnvironment
    ) -> NSCollectionLayoutSection { list(configuration) }

    fileprivate class func list(_ configuration: UICollectionLayoutListConfiguration) -> NSCollectionLayoutSection {
        let size = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(44))
        let item = NSCollectionLayoutItem(layoutSize: size)
        let section = NSCollectionLayoutSection(group: .vertical(layoutSize: size, subitems: [item]))
        let kinds = [
            (UICollectionView.elementKindSectionHeader, configuration.headerMode == .supplementary),
            (UICollectionView.elementKindSectionFooter, configuration.footerMode == .supplementary),
        ]
        section.boundarySupplementaryItems = kinds.filter(\.1).map {
            NSCollectionLayoutBoundarySupplementaryItem(layoutSize: size, elementKind: $0.0, alignment: .top)
        }
        return section
    }
}

public typealias NSCollectionLayoutSectionVisibleItemsInvalidationHandler = (
    [any NSCollectionLayoutVisibleItem], CGPoint, any NSCollectionLayoutEnvironment
) -> Void

@preconcurrency @MainActor
public protocol NSCollectionLayoutVisibleItem: NSObjectProtocol {
    var alpha: CGFloat { get set }
    var zIndex: Int { get set }
    var isHidden: Bool { get set }
    var center: CGPoint { get set }
    var transform: CGAffineTransform { get set }
    var frame: CGRect { get }
    var bounds: CGRect { get }
    var indexPath: IndexPath { get }
}

public enum UIContentInsetsReference: Int, Sendable {
    case automatic, none, safeArea, layoutMargins, readableContent
}

open class NSCollectionLayoutEdgeSpacing: NSObject, @unchecked Sendable {
    public init(
        leading: NSCollectionLayoutSpacing?,
        top: NSCollectionLayoutSpacing?,
        trailing: NSCollectionLayoutSpacing?,
        bottom: NSCollectionLayoutSpacing?
    ) {}
}

open class NSCollectionLayoutAnchor: NSObject, @unchecked Sendable {
    public init(edges: NSDirectionalRectEdge) {}
    public init(edges: NSDirectionalRectEdge, absoluteOffset: CGPoint) {}
    public init(edges: NSDirectionalRectEdge, fractionalOffset: CGPoint) {}
}

open class NSCollectionLayoutDecorationItem: NSCollectionLayoutItem, @unchecked Sendable {
    open var zIndex = 0
    public let elementKind: String
    private init(_ elementKind: String) {
        self.elementKind = elementKind
        super.init(
            layoutSize: NSCollectionLayoutSize(
                widthDimension: .fractionalWidth(1),
                heightDimension: .fractionalHeight(1)
            )
        )
    }
    open class func background(elementKind: String) -> NSCollectionLayoutDecorationItem {
        NSCollectionLayoutDecorationItem(elementKind)
    }
}

open class NSCollectionLayoutSupplementaryItem: NSCollectionLayoutItem, @unchecked Sendable {
    open var zIndex = 0
    public let elementKind: String
    public init(
        layoutSize: NSCollectionLayoutSize,
        elementKind: String,
        containerAnchor: NSCollectionLayoutAnchor? = nil
    ) {
        self.elementKind = elementKind
        super.init(layoutSize: layoutSize, supplementaryItems: [])
    }
}

public enum NSRectAlignment: Int, Sendable {
    case none, top, topLeading, leading, bottomLeading, bottom, bottomTrailing, trailing, topTrailing
}

open class NSCollectionLayoutBoundarySupplementaryItem: NSCollectionLayoutSupplementaryItem, @unchecked Sendable {
    open var pinToVisibleBounds = false
    open var extendsBoundary = true
    public let alignment: NSRectAlignment
    public init(
        layoutSize: NSCollectionLayoutSize,
        elementKind: String,
        alignment: NSRectAlignment,
        absoluteOffset: CGPoint = .zero
    ) {
        self.alignment = alignment
        super.init(layoutSize: layoutSize, elementKind: elementKind)
    }
}
