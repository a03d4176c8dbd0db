// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
package import UIKit

/// A container that shows its views below or beside each other.
@MainActor
package protocol Stack: Primitive {
    associatedtype Content: View
    var content: Content { get }
    var axis: NSLayoutConstraint.Axis { get }
}

extension Stack {
    package var axis: NSLayoutConstraint.Axis { .vertical }
    package func shown(in context: Context) -> [UIView] {
        [UIView.stack(content.views(in: context.child(0, Content.self)), axis: axis)]
    }
}

public struct VStack<Content: View> {
    package let content: Content
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

public struct HStack<Content: View> {
    package let content: Content
    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

public struct ZStack<Content: View> {
    package let content: Content
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) { self.content = content() }
}

public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}

public struct LazyVStack<Content: View> {
    package let content: Content
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

public struct LazyHStack<Content: View> {
    package let content: Content
    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

public struct ScrollView<Content: View> {
    package let content: Content
    private let axes: Axis.Set
    public init(
        _ axes: Axis.Set = .vertical,
        showsIndicators: Bool = true,
        @ViewBuilder content: () -> Content
    ) { (self.axes, self.content) = (axes, content()) }
}

public struct List<SelectionValue: Hashable, Content: View> {
    package let content: Content
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) { self.content = content() }
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public init<Data, RowContent>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable, RowContent: View {
        content = ForEach(data, content: rowContent)
    }
    public init<Data, ID, RowContent>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent>, RowContent: View {
        content = ForEach(data, id: id, content: rowContent)
    }
}

public struct Form<Content: View> {
    package let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

public struct ControlGroup<Content: View> {
    package let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

public struct GroupBox<Label: View, Inner: View> {
    package let content: TupleView<(Label, Inner)>
    public init(@ViewBuilder content: () -> Inner, @ViewBuilder label: () -> Label) {
        self.content = TupleView((label(), content()))
    }
}

extension GroupBox where Label == EmptyView {
    public init(@ViewBuilder content: () -> Inner) { self.init(content: content) { EmptyView() } }
}

extension GroupBox where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Inner) {
        self.init(content: content) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Inner) {
        self.init(content: content) { Text(title) }
    }
}

public struct GridRow<Content: View> {
    package let content: Content
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
}

public struct Grid<Content: View> {
    package let content: Content
    public init(
        alignment: Alignment = .center,
        horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

extension VStack: Stack {}
extension ZStack: Stack {}
extension LazyVStack: Stack {}
extension List: Stack {}
extension Form: Stack {}
extension GroupBox: Stack {}
extension Grid: Stack {}

extension HStack: Stack {
    package var axis: NSLayoutConstraint.Axis { .horizontal }
}

extension LazyHStack: Stack {
    package var axis: NSLayoutConstraint.Axis { .horizontal }
}

extension ControlGroup: Stack {
    package var axis: NSLayoutConstraint.Axis { .horizontal }
}

extension GridRow: Stack {
    package var axis: NSLayoutConstraint.Axis { .horizontal }
}

extension ScrollView: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let views = content.views(in: context.child(0, Content.self))
        guard context.environment.turnsByPages, axes.contains(.horizontal) else {
            return [UIView.stack(views, axis: axes == .horizontal ? .horizontal : .vertical)]
        }
        let pages = views.count == 1 ? (views[0] as? UIStackView)?.arrangedSubviews ?? views : views
        return [PagesView(pages, page: context.slot.value("page") { PageState() })]
    }
}

public struct Section<Parent: View, Content: View, Footer: View> {
    private let header: Parent
    private let content: Content
    private let footer: Footer

    public init(
        @ViewBuilder content: () -> Content,
        @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) { (self.header, self.content, self.footer) = (header(), content(), footer()) }
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        (self.header, self.content, self.footer) = (header, content(), footer)
    }
}

extension Section where Parent == EmptyView, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), footer: EmptyView(), content: content)
    }
}

extension Section where Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), footer: EmptyView(), content: content)
    }
    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, footer: EmptyView(), content: content)
    }
}

extension Section where Parent == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), footer: footer(), content: content)
    }
    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), footer: footer, content: content)
    }
}

extension Section where Parent == Text, Footer == EmptyView {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), footer: EmptyView(), content: content)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), footer: EmptyView(), content: content)
    }
}

extension Section: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        header.font(.headline).views(in: context.child("header", Parent.self))
            + content.views(in: context.child("content", Content.self))
            + footer.font(.footnote).views(in: context.child("footer", Footer.self))
    }
}

// MARK: Grids

public struct GridItem: Sendable {
    public enum Size: Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    public var size: Size
    public var spacing: CGFloat?
    public var alignment: Alignment?
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        (self.size, self.spacing, self.alignment) = (size, spacing, alignment)
    }

    /// How many columns or rows the items make in that width.
    static func count(of items: [GridItem], in width: CGFloat) -> Int {
        items.reduce(0) { count, item in
            guard case .adaptive(let minimum, _) = item.size else { return count + 1 }
            return count + max(1, Int((width + 8) / (minimum + (item.spacing ?? 8))))
        }
    }
}

public struct LazyVGrid<Content: View> {
    private let columns: [GridItem]
    private let content: Content
    public init(
        columns: [GridItem],
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) { (self.columns, self.content) = (columns, content()) }
}

extension LazyVGrid: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let columns = GridItem.count(of: columns, in: UIViewController.initialSize.width)
        return [ColumnsView(content.views(in: context.child(0, Content.self)), columns: columns)]
    }
}

public struct LazyHGrid<Content: View> {
    private let rows: [GridItem]
    private let content: Content
    public init(
        rows: [GridItem],
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) { (self.rows, self.content) = (rows, content()) }
}

extension LazyHGrid: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let views = content.views(in: context.child(0, Content.self))
        let rows = GridItem.count(of: rows, in: UIViewController.initialSize.height)
        // It is filled from top to bottom, and a grid of nodes from left to right.
        let columns = max(1, (views.count + rows - 1) / max(1, rows))
        let order = (0..<rows).flatMap { row in (0..<columns).map { $0 * rows + row } }
        return [ColumnsView(order.filter(views.indices.contains).map { views[$0] }, columns: columns)]
    }
}

// MARK: Space

public struct Spacer {
    public var minLength: CGFloat?
    public nonisolated init(minLength: CGFloat? = nil) { self.minLength = minLength }
}

extension Spacer: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { [] }
}

public struct Divider {
    public nonisolated init() {}
}

extension Divider: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { [] }
}

/// A place that scrolls to its views, which all are seen.
public struct ScrollViewReader<Content: View>: View {
    private let content: (ScrollViewProxy) -> Content
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }
    public var body: some View { content(ScrollViewProxy()) }
}

public struct ScrollViewProxy {
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

/// The first of the views, since nothing is measured.
public struct ViewThatFits<Content: View> {
    private let content: Content
    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension ViewThatFits: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        Array(content.views(in: context.child(0, Content.self)).prefix(1))
    }
}

// MARK: Pages

/// The page that a view shows, kept while the view is there.
@MainActor
final class PageState: NSObject, UIScrollViewDelegate {
    var page = 0
    var turned: (@MainActor (Int) -> Void)?

    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {
        page = Int((scrollView.contentOffset.x / scrollView.bounds.width).rounded())
        turned?(page)
    }
}

/// Views that are turned by pages.
@MainActor
final class PagesView: UIScrollView {
    init(_ pages: [UIView], page state: PageState) {
        super.init(frame: CGRect(origin: .zero, size: UIViewController.initialSize))
        isPagingEnabled = true
        for page in pages { addSubview(page) }
        contentOffset.x = CGFloat(state.page) * bounds.width
        delegate = state
    }
    required init?(coder: NSCoder) { fatalError("no storyboard has pages of SwiftUI") }
}

/// Views of which one is shown; they are turned by pages, whatever the style.
public struct TabView<SelectionValue: Hashable, Content: View> {
    private let selection: Binding<SelectionValue>?
    private let content: Content
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        (self.selection, self.content) = (selection, content())
    }
}

extension TabView where SelectionValue == Int {
    public init(@ViewBuilder content: () -> Content) { self.init(selection: nil, content: content) }
}

extension TabView: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let state = context.slot.value("page") { PageState() }
        var inner = context.child(0, Content.self)
        inner.environment.marksElements = true
        let pages = content.views(in: inner)
        let values = pages.enumerated().map {
            ($1 as? TaggedView)?.value.base as? SelectionValue ?? $0 as? SelectionValue
        }
        if let selection, let index = values.firstIndex(of: selection.wrappedValue) { state.page = index }
        state.turned = { page in
            if let value = values.indices.contains(page) ? values[page] : nil { selection?.wrappedValue = value }
        }
        return [PagesView(pages, page: state)]
    }
}
