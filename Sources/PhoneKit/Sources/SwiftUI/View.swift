// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

@_exported public import Combine
@_exported public import Foundation
@_exported public import Observation
@_exported public import UIKit

@preconcurrency @MainActor
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

/// A view that has no body of its own.
@preconcurrency @MainActor
public protocol _PrimitiveView: View where Body == Never {
    associatedtype Body = Never
}

extension _PrimitiveView {
    public var body: Never { fatalError("\(type(of: self)) has no body") }
}

/// A view that is shown as views of UIKit.
@MainActor
package protocol Primitive: _PrimitiveView {
    func shown(in context: Context) -> [UIView]
}

extension Never: View {
    public var body: Never { fatalError("Never has no body") }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView((repeat each content))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent(.first(first))
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent(.second(second))
    }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}

public struct EmptyView {
    public nonisolated init() {}
}

extension EmptyView: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { [] }
}

public struct TupleView<T> {
    public var value: T
    private let views: [any View]

    public init<each Content: View>(_ value: (repeat each Content)) where T == (repeat each Content) {
        self.value = value
        var views: [any View] = []
        repeat views.append(each value)
        self.views = views
    }
}

extension TupleView: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        views.enumerated().flatMap { $1.views(in: context.child($0, type(of: $1))) }
    }
}

/// One of two views.
public struct _ConditionalContent<TrueContent, FalseContent> {
    enum Content {
        case first(TrueContent)
        case second(FalseContent)
    }

    let content: Content
    init(_ content: Content) { self.content = content }
}

extension _ConditionalContent: View, _PrimitiveView, Primitive where TrueContent: View, FalseContent: View {
    package func shown(in context: Context) -> [UIView] {
        switch content {
        case .first(let view): view.views(in: context.child(true, TrueContent.self))
        case .second(let view): view.views(in: context.child(false, FalseContent.self))
        }
    }
}

extension Optional: View, _PrimitiveView, Primitive where Wrapped: View {
    package func shown(in context: Context) -> [UIView] {
        map { $0.views(in: context.child(0, Wrapped.self)) } ?? []
    }
}

public struct AnyView {
    private let view: any View

    public init<V: View>(_ view: V) { self.view = view }
    public init<V: View>(erasing view: V) { self.init(view) }
}

extension AnyView: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { view.views(in: context.child(0, type(of: view))) }
}

public struct Group<Content> {
    private let content: Content
}

extension Group: View, _PrimitiveView, Primitive where Content: View {
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    package func shown(in context: Context) -> [UIView] { content.views(in: context.child(0, Content.self)) }
}

/// Views of the elements of a collection, each of which keeps its state as long as its id is there.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
    private let id: (Data.Element) -> ID

    package init(_ data: Data, id: @escaping (Data.Element) -> ID, content: @escaping (Data.Element) -> Content) {
        (self.data, self.id, self.content) = (data, id, content)
    }
}

extension ForEach: View, _PrimitiveView, Primitive where Content: View {
    public init(
        _ data: Data,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable, ID == Data.Element.ID {
        self.init(data, id: { $0.id }, content: content)
    }
    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data, id: { $0[keyPath: id] }, content: content)
    }
    public init(
        _ data: Range<Int>,
        @ViewBuilder content: @escaping (Int) -> Content
    ) where Data == Range<Int>, ID == Int {
        self.init(data, id: { $0 }, content: content)
    }
    public init<C>(
        _ data: Binding<C>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    )
    where
        Data == [Binding<C.Element>], ID == C.Element.ID, C: MutableCollection, C: RandomAccessCollection,
        C.Element: Identifiable
    {
        self.init(Array(data), id: { $0.wrappedValue.id }, content: content)
    }
    public init<C>(
        _ data: Binding<C>,
        id: KeyPath<C.Element, ID>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    ) where Data == [Binding<C.Element>], C: MutableCollection, C: RandomAccessCollection {
        self.init(Array(data), id: { $0.wrappedValue[keyPath: id] }, content: content)
    }

    package func shown(in context: Context) -> [UIView] {
        data.flatMap { element in
            let id = id(element)
            let views = content(element).views(in: context.child(id, Content.self))
            // What a picker selects, if the view has no tag of its own.
            guard context.environment.marksElements, !views.contains(where: { $0 is TaggedView }) else { return views }
            return [TaggedView(id, views)]
        }
    }

    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some View { self }
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some View { self }
}

@preconcurrency @MainActor
public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}

/// What a modifier modifies.
public struct _ViewModifier_Content<Modifier: ViewModifier> {
    fileprivate let build: @MainActor (Context) -> [UIView]
}

extension _ViewModifier_Content: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { build(context) }
}

public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier
    public init(content: Content, modifier: Modifier) { (self.content, self.modifier) = (content, modifier) }
}

extension ModifiedContent: View, _PrimitiveView, Primitive where Content: View, Modifier: ViewModifier {
    package func shown(in context: Context) -> [UIView] {
        var modifier = modifier
        DynamicProperties.link(&modifier, context)
        let inner = _ViewModifier_Content<Modifier> { content.views(in: $0.child("content", Content.self)) }
        return modifier.body(content: inner).views(in: context.child("modifier", Modifier.self))
    }
}

extension View {
    public func modifier<T: ViewModifier>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

/// A view that one of SwiftUI's own modifiers modifies.
struct Modification<Content: View>: _PrimitiveView, Primitive {
    let content: Content
    let apply: @MainActor (Context, @MainActor (Context) -> [UIView]) -> [UIView]

    func shown(in context: Context) -> [UIView] {
        apply(context) { content.views(in: $0.child("content", Content.self)) }
    }
}

extension View {
    /// The view with a modifier that is given the place and what makes the content there.
    func modified(_ apply: @escaping @MainActor (Context, @MainActor (Context) -> [UIView]) -> [UIView]) -> some View {
        Modification(content: self, apply: apply)
    }

    /// The view with a change of each view of UIKit that shows it.
    func changingViews(_ change: @escaping @MainActor (UIView) -> Void) -> some View {
        modified { context, content in
            let views = content(context)
            for view in views { change(view) }
            return views
        }
    }

    /// The view with another environment.
    func changingEnvironment(_ change: @escaping @MainActor (inout EnvironmentValues) -> Void) -> some View {
        modified { context, content in
            var context = context
            change(&context.environment)
            return content(context)
        }
    }
}

/// Views with the value that selects them.
final class TaggedView: UIStackView {
    let value: AnyHashable

    init(_ value: some Hashable, _ views: [UIView]) {
        self.value = AnyHashable(value)
        super.init(frame: .zero)
        axis = .vertical
        for view in views { addArrangedSubview(view) }
    }
    required init(coder: NSCoder) { fatalError("no storyboard has a tagged view") }
}

extension View {
    public func tag<V: Hashable>(_ tag: V) -> some View {
        modified { context, content in [TaggedView(tag, content(context))] }
    }
    public func id<ID: Hashable>(_ id: ID) -> some View {
        modified { context, content in content(context.child(id, Self.self)) }
    }
}
