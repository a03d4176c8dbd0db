// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import UIKit

public struct ButtonRole: Hashable, Sendable {
    private let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

/// A button.
public struct Button<Label: View> {
    let label: Label
    let role: ButtonRole?
    let action: @MainActor () -> Void

    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        (self.role, self.action, self.label) = (role, action, label())
    }
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(titleKey) }
    }
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
    public init(
        _ titleKey: LocalizedStringKey,
        systemImage: String,
        role: ButtonRole?,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { SwiftUI.Label(title, systemImage: systemImage) }
    }
}

extension Button where Label == PrimitiveButtonStyleConfiguration.Label {
    public init(_ configuration: PrimitiveButtonStyleConfiguration) {
        self.init(role: configuration.role, action: configuration.action) { configuration.label }
    }
}

extension Button: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        var inner = context
        inner.environment.primitiveButtonStyle = nil
        if let style = context.environment.primitiveButtonStyle {
            let configuration = PrimitiveButtonStyleConfiguration(
                label: .init(view: AnyView(label)),
                role: role,
                action: action
            )
            return [AnyView(style.makeBody(configuration: configuration)).view(in: inner)]
        }
        inner.environment.buttonStyle = nil
        let content: AnyView =
            if let style = context.environment.buttonStyle {
                AnyView(
                    style.makeBody(
                        configuration: ButtonStyleConfiguration(
                            role: role,
                            label: .init(view: AnyView(label)),
                            isPressed: false
                        )
                    )
                )
            } else {
                AnyView(label)
            }
        let label = content.view(in: inner.child("label", Label.self))
        let title = label.title
        // A picture is seen, and a touch of it does the same.
        guard !title.isEmpty else { return [UIControl.touched([label], context, action)] }
        let button = UIButton(frame: .zero, primaryAction: UIAction { _ in action() })
        if let symbol = label as? UIImageView {
            button.setImage(symbol.image, for: .normal)
            button.accessibilityLabel = symbol.accessibilityLabel
        } else {
            button.setTitle(title, for: .normal)
        }
        button.accessibilityIdentifier = label.accessibilityIdentifier
        button.isEnabled = context.environment.isEnabled
        return [button]
    }
}

/// A button that opens a URL.
public struct Link<Label: View> {
    private let destination: URL
    private let label: Label
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        (self.destination, self.label) = (destination, label())
    }
}

extension Link where Label == Text {
    public init(_ titleKey: LocalizedStringKey, destination: URL) {
        self.init(destination: destination) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: URL) { self.init(destination: destination) { Text(title) } }
}

extension Link: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let open = context.environment.openURL
        return Button(action: { open(destination) }, label: { label }).views(in: context.child(0, Label.self))
    }
}

/// A button with its entries, which stand below it as if it was open.
public struct Menu<Label: View, Content: View> {
    private let label: Label
    private let content: Content
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.label, self.content) = (label(), content())
    }
}

extension Menu where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}

extension Menu: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        label.views(in: context.child("label", Label.self)) + content.views(in: context.child("content", Content.self))
    }
}

// MARK: Styles

@preconcurrency @MainActor
public protocol ButtonStyle {
    associatedtype Body: View
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
    typealias Configuration = ButtonStyleConfiguration
}

public struct ButtonStyleConfiguration {
    public struct Label: View {
        let view: AnyView
        public var body: some View { view }
    }
    public let role: ButtonRole?
    public let label: Label
    public let isPressed: Bool
}

@preconcurrency @MainActor
public protocol PrimitiveButtonStyle {
    associatedtype Body: View
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
    typealias Configuration = PrimitiveButtonStyleConfiguration
}

@preconcurrency @MainActor
public struct PrimitiveButtonStyleConfiguration {
    public struct Label: View {
        let view: AnyView
        public var body: some View { view }
    }
    public let label: Label
    public let role: ButtonRole?
    let action: @MainActor () -> Void
    public func trigger() { action() }
}

public struct DefaultButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { Button(configuration) }
}

public struct PlainButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { Button(configuration) }
}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { Button(configuration) }
}

public struct BorderedButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { Button(configuration) }
}

public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { Button(configuration) }
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    public static var automatic: DefaultButtonStyle { .init() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { .init() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { .init() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { .init() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { .init() }
}

public struct ButtonBorderShape: Hashable, Sendable {
    public static let automatic = ButtonBorderShape()
    public static let capsule = ButtonBorderShape()
    public static let circle = ButtonBorderShape()
    public static let roundedRectangle = ButtonBorderShape()
    public static func roundedRectangle(radius: CGFloat) -> ButtonBorderShape { ButtonBorderShape() }
}

public enum ControlSize: CaseIterable, Hashable, Sendable {
    case mini, small, regular, large, extraLarge
}

extension View {
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        changingEnvironment { ($0.buttonStyle, $0.primitiveButtonStyle) = (style, nil) }
    }
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        changingEnvironment { ($0.buttonStyle, $0.primitiveButtonStyle) = (nil, style) }
    }
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { self }
    public func controlSize(_ controlSize: ControlSize) -> some View { self }
}
