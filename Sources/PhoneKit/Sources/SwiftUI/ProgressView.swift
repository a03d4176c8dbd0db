// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import UIKit

public struct ProgressView<Label: View, CurrentValueLabel: View> {
    private let fraction: Double?
    private let label: Label
    private let current: CurrentValueLabel

    private init(_ fraction: Double?, _ label: Label, _ current: CurrentValueLabel) {
        (self.fraction, self.label, self.current) = (fraction, label, current)
    }

    private static func fraction<V: BinaryFloatingPoint>(_ value: V?, _ total: V) -> Double? {
        value.map { total > 0 ? Double($0 / total) : 0 }
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView { self.init(nil, EmptyView(), EmptyView()) }
    public init(@ViewBuilder label: () -> Label) { self.init(nil, label(), EmptyView()) }
    public init(_ titleKey: LocalizedStringKey) where Label == Text { self.init(nil, Text(titleKey), EmptyView()) }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S) where Label == Text { self.init(nil, Text(title), EmptyView()) }
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) where Label == EmptyView {
        self.init(Self.fraction(value, total), EmptyView(), EmptyView())
    }
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) {
        self.init(Self.fraction(value, total), label(), EmptyView())
    }
    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0) where Label == Text {
        self.init(Self.fraction(value, total), Text(titleKey), EmptyView())
    }
    @_disfavoredOverload
    public init<S: StringProtocol, V: BinaryFloatingPoint>(_ title: S, value: V?, total: V = 1.0) where Label == Text {
        self.init(Self.fraction(value, total), Text(title), EmptyView())
    }
}

extension ProgressView {
    public init<V: BinaryFloatingPoint>(
        value: V?,
        total: V = 1.0,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) { self.init(Self.fraction(value, total), label(), currentValueLabel()) }
}

extension ProgressView: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let labels = label.views(in: context.child("label", Label.self))
        guard let fraction else {
            let wheel = UIActivityIndicatorView(style: .medium)
            wheel.startAnimating()
            return [UIView.stack([wheel] + labels, axis: .vertical)]
        }
        let bar = UIProgressView()
        bar.progress = Float(fraction)
        let currents = current.views(in: context.child("current", CurrentValueLabel.self))
        return [UIView.stack(labels + [bar] + currents, axis: .vertical)]
    }
}

public struct Gauge<Label: View, CurrentValueLabel: View> {
    private let progress: ProgressView<Label, CurrentValueLabel>

    public init<V: BinaryFloatingPoint>(
        value: V,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) {
        let length = bounds.upperBound - bounds.lowerBound
        progress = ProgressView(
            value: value - bounds.lowerBound,
            total: length,
            label: label,
            currentValueLabel: currentValueLabel
        )
    }
}

extension Gauge where CurrentValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: V,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label
    ) { self.init(value: value, in: bounds, label: label) { EmptyView() } }
}

extension Gauge: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { progress.shown(in: context) }
}

public struct LabeledContent<Label: View, Content: View> {
    private let label: Label
    private let content: Content
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.label, self.content) = (label(), content())
    }
}

extension LabeledContent where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) where Content == Text {
        self.init(content: { Text(value) }, label: { Text(titleKey) })
    }
    @_disfavoredOverload
    public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) where Content == Text {
        self.init(content: { Text(value) }, label: { Text(title) })
    }
    public init<F: FormatStyle>(_ titleKey: LocalizedStringKey, value: F.FormatInput, format: F)
    where Content == Text, F.FormatOutput == String {
        self.init(content: { Text(value, format: format) }, label: { Text(titleKey) })
    }
}

extension LabeledContent: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let views = label.views(in: context.child("label", Label.self))
        return [UIView.stack(views + content.views(in: context.child("content", Content.self)), axis: .horizontal)]
    }
}

public struct DisclosureGroup<Label: View, Content: View> {
    private let isExpanded: Binding<Bool>?
    private let label: Label
    private let content: () -> Content

    public init(
        isExpanded: Binding<Bool>,
        @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder label: () -> Label
    ) { (self.isExpanded, self.content, self.label) = (isExpanded, content, label()) }
    public init(@ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
        (isExpanded, self.content, self.label) = (nil, content, label())
    }
}

extension DisclosureGroup where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    public init(
        _ titleKey: LocalizedStringKey,
        isExpanded: Binding<Bool>,
        @ViewBuilder content: @escaping () -> Content
    ) { self.init(isExpanded: isExpanded, content: content) { Text(titleKey) } }
}

extension DisclosureGroup: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let own = context.slot.value("expanded") { Location(false, context.graph) }
        let state = isExpanded ?? Binding(get: { own.value }, set: { own.value = $0 })
        let button = Button(action: { state.wrappedValue.toggle() }, label: { label })
            .views(in: context.child("label", Label.self))
        return button + (state.wrappedValue ? content().views(in: context.child("content", Content.self)) : [])
    }
}
