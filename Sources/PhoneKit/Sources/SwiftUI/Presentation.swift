// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import UIKit

// MARK: Sheets and alerts

extension View {
    /// The view, with a controller that is presented as long as something is to be shown.
    private func presenting<Item>(
        _ item: Item?,
        end: @escaping @MainActor () -> Void,
        _ controller: @escaping @MainActor (Item, Context, UIViewController?) -> UIViewController
    ) -> some View {
        modified { context, content in
            let presented = context.slot.value("presented") { Presented() }
            presented.end = end
            context.graph.afterUpdate {
                guard let top = context.graph.controller?.outermost else { return }
                guard let item else { return presented.leave() }
                let shown = controller(item, context, presented.controller)
                if shown !== presented.controller {
                    presented.controller = shown
                    top.present(shown, animated: true)
                }
            }
            return content(context)
        }
    }

    public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        let end: @MainActor () -> Void = {
            isPresented.wrappedValue = false
            onDismiss?()
        }
        return presenting(isPresented.wrappedValue ? true : nil, end: end) { _, context, shown in
            SheetController.showing(AnyView(content()), context, end, in: shown)
        }
    }
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        let end: @MainActor () -> Void = {
            item.wrappedValue = nil
            onDismiss?()
        }
        return presenting(item.wrappedValue, end: end) { value, context, shown in
            SheetController.showing(AnyView(content(value)), context, end, in: shown)
        }
    }
    public func fullScreenCover<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { sheet(isPresented: isPresented, onDismiss: onDismiss, content: content) }
    public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { sheet(item: item, onDismiss: onDismiss, content: content) }
    public func popover<Content: View>(
        isPresented: Binding<Bool>,
        attachmentAnchor: UnitPoint = .center,
        arrowEdge: Edge = .top,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { sheet(isPresented: isPresented, content: content) }
    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View { self }
    public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }

    private func alert(
        _ title: Text,
        _ isPresented: Binding<Bool>,
        _ style: UIAlertController.Style,
        actions: AnyView,
        message: AnyView?
    ) -> some View {
        let end: @MainActor () -> Void = { isPresented.wrappedValue = false }
        return presenting(isPresented.wrappedValue ? true : nil, end: end) { _, context, shown in
            if let shown { return shown }
            let alert = UIAlertController(
                title: title.text(context.environment),
                message: message?.title(in: context),
                preferredStyle: style
            )
            alert.add(actions.views(in: context.child("actions", AnyView.self)), end)
            return alert
        }
    }
    public func alert<A: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A
    ) -> some View {
        alert(Text(titleKey), isPresented, .alert, actions: AnyView(actions()), message: nil)
    }
    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View {
        alert(Text(titleKey), isPresented, .alert, actions: AnyView(actions()), message: AnyView(message()))
    }
    public func alert<T, A: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A
    ) -> some View {
        alert(
            Text(titleKey),
            isPresented,
            .alert,
            actions: data.map { AnyView(actions($0)) } ?? AnyView(EmptyView()),
            message: nil
        )
    }
    public func alert<T, A: View, M: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A,
        @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        alert(
            Text(titleKey),
            isPresented,
            .alert,
            actions: data.map { AnyView(actions($0)) } ?? AnyView(EmptyView()),
            message: data.map { AnyView(message($0)) }
        )
    }
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A
    ) -> some View {
        alert(Text(title), isPresented, .alert, actions: AnyView(actions()), message: nil)
    }
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View {
        alert(Text(title), isPresented, .alert, actions: AnyView(actions()), message: AnyView(message()))
    }
    @_disfavoredOverload
    public func alert<S: StringProtocol, T, A: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A
    ) -> some View {
        alert(
            Text(title),
            isPresented,
            .alert,
            actions: data.map { AnyView(actions($0)) } ?? AnyView(EmptyView()),
            message: nil
        )
    }
    @_disfavoredOverload
    public func alert<S: StringProtocol, T, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A,
        @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        alert(
            Text(title),
            isPresented,
            .alert,
            actions: data.map { AnyView(actions($0)) } ?? AnyView(EmptyView()),
            message: data.map { AnyView(message($0)) }
        )
    }
    public func alert(isPresented: Binding<Bool>, content: () -> Alert) -> some View {
        let shown = content()
        let message = shown.message.map { AnyView($0) }
        return alert(shown.title, isPresented, .alert, actions: AnyView(shown.buttons), message: message)
    }
    public func confirmationDialog<A: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View {
        alert(Text(titleKey), isPresented, .actionSheet, actions: AnyView(actions()), message: nil)
    }
    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View {
        alert(Text(titleKey), isPresented, .actionSheet, actions: AnyView(actions()), message: AnyView(message()))
    }
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View {
        alert(Text(title), isPresented, .actionSheet, actions: AnyView(actions()), message: nil)
    }
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View {
        alert(Text(title), isPresented, .actionSheet, actions: AnyView(actions()), message: AnyView(message()))
    }
}

/// What a view presents at the moment.
@MainActor
private final class Presented {
    weak var controller: UIViewController?
    var end: @MainActor () -> Void = {}

    func leave() {
        controller?.presentingViewController?.dismiss(animated: true)
        controller = nil
    }
}

extension UIViewController {
    /// The controller that presents for this one: the outermost of those that it is a child of.
    fileprivate var outermost: UIViewController { parent?.outermost ?? self }
}

extension UIAlertController {
    /// Adds the buttons that views have, or one that ends the alert.
    fileprivate func add(_ views: [UIView], _ end: @escaping @MainActor () -> Void) {
        func buttons(in view: UIView) -> [UIButton] {
            (view as? UIButton).map { [$0] } ?? view.subviews.flatMap(buttons)
        }
        for button in views.flatMap(buttons) {
            addAction(
                UIAlertAction(title: button.currentTitle, style: .default) { _ in
                    end()
                    button.sendActions(for: .primaryActionTriggered)
                }
            )
        }
        if actions.isEmpty { addAction(UIAlertAction(title: "OK", style: .default) { _ in end() }) }
    }
}

/// The controller of a sheet, whose views know how to end it.
private final class SheetController: UIHostingController<AnyView> {
    static func showing(
        _ content: AnyView,
        _ context: Context,
        _ end: @escaping @MainActor () -> Void,
        in known: UIViewController?
    ) -> UIViewController {
        let outer = context.environment
        let view = AnyView(
            content.changingEnvironment { values in
                let dismiss = DismissAction(end)
                values = outer
                (values.dismiss, values.isPresented) = (dismiss, true)
            }
        )
        guard let known = known as? SheetController else { return SheetController(rootView: view) }
        known.rootView = view
        return known
    }
}

public struct PresentationDetent: Hashable, Sendable {
    public static let medium = PresentationDetent()
    public static let large = PresentationDetent()
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent { .init() }
    public static func height(_ height: CGFloat) -> PresentationDetent { .init() }
}

/// An alert with its texts and buttons.
public struct Alert {
    public struct Button {
        let label: Text
        let action: (() -> Void)?
        public static func `default`(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, action: action)
        }
        public static func cancel(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, action: action)
        }
        public static func cancel(_ action: (() -> Void)? = {}) -> Button {
            Button(label: Text("Cancel"), action: action)
        }
        public static func destructive(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, action: action)
        }
    }

    let title: Text
    let message: Text?
    private let entries: [Button]

    public init(title: Text, message: Text? = nil, dismissButton: Button? = nil) {
        (self.title, self.message, entries) = (title, message, dismissButton.map { [$0] } ?? [])
    }
    public init(title: Text, message: Text? = nil, primaryButton: Button, secondaryButton: Button) {
        (self.title, self.message, entries) = (title, message, [primaryButton, secondaryButton])
    }

    @MainActor var buttons: some View {
        ForEach(Array(entries.indices), id: \.self) { index in
            SwiftUI.Button(action: { entries[index].action?() }, label: { entries[index].label })
        }
    }
}

// MARK: Navigation

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

public struct ToolbarItem<Content: View>: View {
    private let content: Content
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public var body: some View { content }
}

public struct ToolbarItemGroup<Content: View>: View {
    private let content: Content
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public var body: some View { content }
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
