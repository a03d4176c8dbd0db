// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import UIKit

/// A view of UIKit inside of SwiftUI.
@preconcurrency @MainActor
public protocol UIViewRepresentable: _PrimitiveView {
    associatedtype UIViewType: UIView
    associatedtype Coordinator = Void
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ uiView: UIViewType, context: Context)
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
    typealias Context = UIViewRepresentableContext<Self>
}

@preconcurrency @MainActor
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    public let coordinator: Representable.Coordinator
    public let environment: EnvironmentValues
    public var transaction: Transaction { Transaction() }
}

extension UIViewRepresentable {
    public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}

    func shown(in place: SwiftUI.Context) -> UIView {
        let (view, coordinator) = linked(in: place) { $0.makeCoordinator() }
        let context = Context(coordinator: coordinator, environment: place.environment)
        let shown = place.slot.value("view") {
            let made = view.makeUIView(context: context)
            place.slot.onRemoval.append { Self.dismantleUIView(made, coordinator: coordinator) }
            return made
        }
        view.updateUIView(shown, context: context)
        return shown
    }
}

extension UIViewRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

/// A controller of UIKit inside of SwiftUI.
@preconcurrency @MainActor
public protocol UIViewControllerRepresentable: _PrimitiveView {
    associatedtype UIViewControllerType: UIViewController
    associatedtype Coordinator = Void
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
    typealias Context = UIViewControllerRepresentableContext<Self>
}

@preconcurrency @MainActor
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    public let coordinator: Representable.Coordinator
    public let environment: EnvironmentValues
    public var transaction: Transaction { Transaction() }
}

extension UIViewControllerRepresentable {
    public static func dismantleUIViewController(
        _ uiViewController: UIViewControllerType,
        coordinator: Coordinator
    ) {}

    func shown(in place: SwiftUI.Context) -> UIView {
        let (view, coordinator) = linked(in: place) { $0.makeCoordinator() }
        let context = Context(coordinator: coordinator, environment: place.environment)
        let shown = place.slot.value("controller") {
            let made = view.makeUIViewController(context: context)
            place.graph.controller?.addChild(made)
            made.didMove(toParent: place.graph.controller)
            place.slot.onRemoval.append {
                made.removeFromParent()
                Self.dismantleUIViewController(made, coordinator: coordinator)
            }
            return made
        }
        view.updateUIViewController(shown, context: context)
        return shown.view
    }
}

extension UIViewControllerRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

extension _PrimitiveView {
    /// The view with its state, and the coordinator that lasts as long as its place.
    fileprivate func linked<C>(in place: SwiftUI.Context, _ make: (Self) -> C) -> (view: Self, coordinator: C) {
        var view = self
        DynamicProperties.link(&view, place)
        return (view, place.slot.value("coordinator") { make(view) })
    }
}
