// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
public import UIKit

/// An image.
public struct Image: @unchecked Sendable {
    public enum Interpolation: Hashable, Sendable {
        case none, low, medium, high
    }

    public enum ResizingMode: Hashable, Sendable {
        case tile, stretch
    }

    public enum TemplateRenderingMode: Hashable, Sendable {
        case template, original
    }

    public enum Scale: Hashable, Sendable {
        case small, medium, large
    }

    private let uiImage: UIImage?
    private let label: Text?

    private init(_ uiImage: UIImage?, label: Text? = nil) { (self.uiImage, self.label) = (uiImage, label) }

    public init(systemName: String) { self.init(UIImage(systemName: systemName)) }
    public init(systemName: String, variableValue: Double?) { self.init(systemName: systemName) }
    public init(uiImage: UIImage) { self.init(uiImage, label: nil) }
    public init(_ name: String, bundle: Bundle? = nil) {
        self.init(UIImage(named: name, in: bundle, compatibleWith: nil))
    }
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        self.init(UIImage(named: name, in: bundle, compatibleWith: nil), label: label)
    }
    public init(decorative name: String, bundle: Bundle? = nil) { self.init(name, bundle: bundle) }
    /// An image whose URL the view names, without its data.
    init(remote url: URL) { self.init(UIImage(remote: url)) }

    var symbolText: String? { uiImage?.symbolText }

    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image { self }
    public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image { self }
    public func interpolation(_ interpolation: Interpolation) -> Image { self }
    public func antialiased(_ isAntialiased: Bool) -> Image { self }
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
}

extension Image: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        guard let uiImage else { return [] }
        let view = UIImageView(image: uiImage)
        view.accessibilityLabel = label?.text(context.environment)
        return [view]
    }
}

public struct SymbolRenderingMode: Sendable {
    public static let monochrome = SymbolRenderingMode()
    public static let multicolor = SymbolRenderingMode()
    public static let hierarchical = SymbolRenderingMode()
    public static let palette = SymbolRenderingMode()
}

public enum AsyncImagePhase: Sendable {
    case empty
    case success(Image)
    case failure(any Error)

    public var image: Image? { if case .success(let image) = self { image } else { nil } }
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

/// An image that a client loads from its URL.
public struct AsyncImage<Content: View> {
    private let url: URL?
    private let content: (AsyncImagePhase) -> Content

    public init(
        url: URL?,
        scale: CGFloat = 1,
        transaction: Transaction = Transaction(),
        @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
    ) {
        (self.url, self.content) = (url, content)
    }
    public init(url: URL?, scale: CGFloat = 1) where Content == Image? { self.init(url: url) { $0.image } }
    public init<I: View, P: View>(
        url: URL?,
        scale: CGFloat = 1,
        @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    ) where Content == _ConditionalContent<I, P> {
        self.init(url: url) { phase in
            if let image = phase.image { content(image) } else { placeholder() }
        }
    }
}

extension AsyncImage: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        content(url.map { .success(Image(remote: $0)) } ?? .empty).views(in: context.child(0, Content.self))
    }
}

public struct Label<Title: View, Icon: View> {
    let title: Title
    let icon: Icon

    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        (self.title, self.icon) = (title(), icon())
    }
}

extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        (title, icon) = (Text(titleKey), Image(systemName: name))
    }
    public init(_ titleKey: LocalizedStringKey, image name: String) { (title, icon) = (Text(titleKey), Image(name)) }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        (self.title, icon) = (Text(title), Image(systemName: name))
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image name: String) {
        (self.title, icon) = (Text(title), Image(name))
    }
}

extension Label where Title == LabelStyleConfiguration.Title, Icon == LabelStyleConfiguration.Icon {
    public init(_ configuration: LabelStyleConfiguration) {
        (title, icon) = (configuration.title, configuration.icon)
    }
}

extension Label: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        guard let style = context.environment.labelStyle else {
            let icons = icon.views(in: context.child("icon", Icon.self))
            return [UIView.stack(icons + title.views(in: context.child("title", Title.self)), axis: .horizontal)]
        }
        let configuration = LabelStyleConfiguration(
            title: .init(view: AnyView(title)),
            icon: .init(view: AnyView(icon))
        )
        // What the style shows of the label has the standard style.
        var context = context
        context.environment.labelStyle = nil
        return [AnyView(style.makeBody(configuration: configuration)).view(in: context)]
    }
}

/// What is shown in place of content that is not there.
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    private let label: Label
    private let description: Description
    private let actions: Actions

    public init(
        @ViewBuilder label: () -> Label,
        @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) { (self.label, self.description, self.actions) = (label(), description(), actions()) }

    public var body: some View {
        VStack {
            label.font(.title2)
            description
            actions
        }
    }
}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init(
            label: { SwiftUI.Label(title, systemImage: name) },
            description: { description },
            actions: { EmptyView() }
        )
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {
        self.init(
            label: { SwiftUI.Label(title, systemImage: name) },
            description: { description },
            actions: { EmptyView() }
        )
    }
}

@preconcurrency @MainActor
public protocol LabelStyle {
    associatedtype Body: View
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
    typealias Configuration = LabelStyleConfiguration
}

public struct LabelStyleConfiguration {
    public struct Title: View {
        let view: AnyView
        public var body: some View { view }
    }
    public struct Icon: View {
        let view: AnyView
        public var body: some View { view }
    }
    public let title: Title
    public let icon: Icon
}

public struct TitleOnlyLabelStyle: LabelStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

public struct IconOnlyLabelStyle: LabelStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { configuration.icon }
}

public struct TitleAndIconLabelStyle: LabelStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { Label(configuration) }
}

public struct DefaultLabelStyle: LabelStyle {
    public nonisolated init() {}
    public func makeBody(configuration: Configuration) -> some View { Label(configuration) }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    public static var titleOnly: TitleOnlyLabelStyle { .init() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    public static var iconOnly: IconOnlyLabelStyle { .init() }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    public static var titleAndIcon: TitleAndIconLabelStyle { .init() }
}

extension LabelStyle where Self == DefaultLabelStyle {
    public static var automatic: DefaultLabelStyle { .init() }
}

extension View {
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View {
        changingEnvironment { $0.labelStyle = style }
    }
}
