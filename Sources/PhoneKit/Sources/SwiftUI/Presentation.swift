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
        _ style: UIAlertController.Style = .alert,
        actions: some View,
        message: some View
    ) -> some View {
        let end: @MainActor () -> Void = { isPresented.wrappedValue = false }
        return presenting(isPresented.wrappedValue ? true : nil, end: end) { _, context, shown in
            if let shown { return shown }
            let text = message.title(in: context)
            let alert = UIAlertController(
                title: title.text(context.environment),
                message: text.isEmpty ? nil : text,
                preferredStyle: style
            )
            alert.add(actions.views(in: context.child("actions", AnyView.self)), end)
            return alert
        }
    }
    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M = { EmptyView() }
    ) -> some View { alert(Text(titleKey), isPresented, actions: actions(), message: message()) }
    public func alert<T, A: View, M: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View { alert(Text(titleKey), isPresented, actions: data.map(actions), message: data.map(message)) }
    public func alert<T, A: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: (T) -> A
    ) -> some View { alert(Text(titleKey), isPresented, actions: data.map(actions), message: EmptyView()) }
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M = { EmptyView() }
    ) -> some View { alert(Text(title), isPresented, actions: actions(), message: message()) }
    @_disfavoredOverload
    public func alert<S: StringProtocol, T, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View { alert(Text(title), isPresented, actions: data.map(actions), message: data.map(message)) }
    @_disfavoredOverload
    public func alert<S: StringProtocol, T, A: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: (T) -> A
    ) -> some View { alert(Text(title), isPresented, actions: data.map(actions), message: EmptyView()) }
    public func alert(isPresented: Binding<Bool>, content: () -> Alert) -> some View {
        let shown = content()
        return alert(shown.title, isPresented, actions: shown.buttons, message: shown.message)
    }
    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M = { EmptyView() }
    ) -> some View { alert(Text(titleKey), isPresented, .actionSheet, actions: actions(), message: message()) }
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M = { EmptyView() }
    ) -> some View { alert(Text(title), isPresented, .actionSheet, actions: actions(), message: message()) }
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
