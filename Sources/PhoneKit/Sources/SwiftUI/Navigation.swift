// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import UIKit

/// A stack of views of which the top is shown.
public struct NavigationStack<Root: View> {
    private let root: Root
    public init(@ViewBuilder root: () -> Root) { self.root = root() }
}

public struct NavigationView<Content: View> {
    private let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

extension NavigationStack: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let path = context.slot.value("path") { Location([] as [AnyView], context.graph) }
        var inner = context.child("root", Root.self)
        inner.environment.navigate = { path.value.append($0) }
        guard let top = path.value.last else { return root.views(in: inner) }
        let back: @MainActor () -> Void = { if !path.value.isEmpty { path.value.removeLast() } }
        var place = context.child("page \(path.value.count)", AnyView.self)
        place.environment.navigate = inner.environment.navigate
        place.environment.dismiss = DismissAction(back)
        // The root keeps its state below the page.
        _ = root.views(in: inner)
        return Button("Back", action: back).views(in: context.child("back", Text.self)) + top.views(in: place)
    }
}

extension NavigationView: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { NavigationStack { content }.shown(in: context) }
}

public struct NavigationLink<Label: View, Destination: View> {
    private let label: Label
    private let destination: () -> Destination

    public init(@ViewBuilder destination: @escaping () -> Destination, @ViewBuilder label: () -> Label) {
        (self.destination, self.label) = (destination, label())
    }
    public init(destination: Destination, @ViewBuilder label: () -> Label) {
        self.init(destination: { destination }, label: label)
    }
}

extension NavigationLink where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: @escaping () -> Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }
    public init(_ titleKey: LocalizedStringKey, destination: Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: @escaping () -> Destination) {
        self.init(destination: destination) { Text(title) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination) {
        self.init(destination: destination) { Text(title) }
    }
}

extension NavigationLink: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let navigate = context.environment.navigate
        return Button(action: { navigate?(AnyView(destination())) }, label: { label })
            .disabled(navigate == nil)
            .views(in: context.child(0, Label.self))
    }
}

public enum NavigationBarItem {
    public enum TitleDisplayMode: Sendable {
        case automatic, inline, large
    }
}

extension View {
    private func titled(_ title: Text) -> some View {
        modified { context, content in
            title.font(.headline).views(in: context.child("title", Text.self)) + content(context)
        }
        .asOne()
    }
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { titled(Text(titleKey)) }
    public func navigationTitle(_ title: Text) -> some View { titled(title) }
    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { titled(Text(title)) }
    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View { titled(Text(titleKey)) }
    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarItem.TitleDisplayMode) -> some View { self }
    public func navigationBarHidden(_ hidden: Bool) -> some View { self }
    public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View { self }
    public func navigationViewStyle(_ style: StackNavigationViewStyle) -> some View { self }
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        let items = content()
        return modified { context, views in
            items.views(in: context.child("toolbar", Content.self)) + views(context)
        }
        .asOne()
    }
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        let items = content().items
        return toolbar { ForEach(items.indices, id: \.self) { items[$0] } }
    }
}

public struct ToolbarItemPlacement: Sendable {
    public static let automatic = ToolbarItemPlacement()
    public static let principal = ToolbarItemPlacement()
    public static let navigation = ToolbarItemPlacement()
    public static let primaryAction = ToolbarItemPlacement()
    public static let confirmationAction = ToolbarItemPlacement()
    public static let cancellationAction = ToolbarItemPlacement()
    public static let destructiveAction = ToolbarItemPlacement()
    public static let bottomBar = ToolbarItemPlacement()
    public static let keyboard = ToolbarItemPlacement()
    public static let topBarLeading = ToolbarItemPlacement()
    public static let topBarTrailing = ToolbarItemPlacement()
    public static let navigationBarLeading = ToolbarItemPlacement()
    public static let navigationBarTrailing = ToolbarItemPlacement()
}

/// What stands in a bar, above the view.
@preconcurrency @MainActor
public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
    @ToolbarContentBuilder var body: Body { get }
}

extension Never: ToolbarContent {}

extension ToolbarContent {
    fileprivate var items: [AnyView] { (self as? ToolbarItems)?.all ?? body.items }
}

/// The views of a bar, as the builder collects them.
private struct ToolbarItems: ToolbarContent {
    let all: [AnyView]
    var body: Never { fatalError("ToolbarItems has no body") }
}

@MainActor @resultBuilder
public enum ToolbarContentBuilder {
    public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { content }
    public static func buildPartialBlock<Content: ToolbarContent>(first content: Content) -> Content { content }
    public static func buildPartialBlock<First: ToolbarContent, Second: ToolbarContent>(
        accumulated: First,
        next: Second
    ) -> some ToolbarContent { ToolbarItems(all: accumulated.items + next.items) }
    public static func buildIf<Content: ToolbarContent>(_ content: Content?) -> some ToolbarContent {
        ToolbarItems(all: content?.items ?? [])
    }
}

public struct ToolbarItem<Content: View>: ToolbarContent {
    private let content: Content
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public var body: some ToolbarContent { ToolbarItems(all: [AnyView(content)]) }
}

public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    private let content: Content
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public var body: some ToolbarContent { ToolbarItems(all: [AnyView(content)]) }
}

public struct StackNavigationViewStyle: Sendable {
    public init() {}
    public static var stack: StackNavigationViewStyle { .init() }
}

// MARK: Previews

@preconcurrency @MainActor
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder static var previews: Previews { get }
}

public enum PreviewLayout: Sendable {
    case device, sizeThatFits
    case fixed(width: CGFloat, height: CGFloat)
}

public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}

extension View {
    public func previewLayout(_ value: PreviewLayout) -> some View { self }
    public func previewDevice(_ value: PreviewDevice?) -> some View { self }
    public func previewDisplayName(_ value: String?) -> some View { self }
}
