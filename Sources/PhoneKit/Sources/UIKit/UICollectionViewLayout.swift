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
    /// The kinds of headers and footers that the layout says itself.
    func supplementaryKinds(_ section: Int) -> Set<String> { [] }
    open class var layoutAttributesClass: AnyClass { UICollectionViewLayoutAttributes.self }
    open func register(_ viewClass: AnyClass?, forDecorationViewOfKind elementKind: String) {}
    open func targetContentOffset(
        forProposedContentOffset proposedContentOffset: CGPoint,
        withScrollingVelocity velocity: CGPoint
    ) -> CGPoint { proposedContentOffset }
    open func targetContentOffset(forProposedContentOffset proposedContentOffset: CGPoint) -> CGPoint {
        proposedContentOffset
    }
    open func layoutAttributesForSupplementaryView(
        ofKind elementKind: String,
        at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? { nil }
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
