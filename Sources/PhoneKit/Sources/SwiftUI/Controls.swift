// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import UIKit

extension View {
    /// The texts of this view, for a control that has no place for another view.
    func title(in context: Context) -> String {
        func texts(of view: UIView) -> [String] {
            if let label = view as? UILabel { return [label.text ?? ""] }
            if let image = view as? UIImageView {
                return [image.accessibilityLabel, image.image?.symbolText].compactMap { $0 }
            }
            return view.subviews.flatMap(texts)
        }
        return views(in: context.child("title", Self.self)).flatMap(texts).joined(separator: " ")
    }
}

extension UIControl {
    /// The control, with what happens when its value changes.
    func changed(_ context: Context, _ events: Event = .valueChanged, _ action: @escaping @MainActor () -> Void)
        -> [UIView]
    {
        isEnabled = context.environment.isEnabled
        addAction(UIAction { _ in action() }, for: events)
        return [self]
    }
}

public struct Toggle<Label: View> {
    private let isOn: Binding<Bool>
    private let label: Label
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { (self.isOn, self.label) = (isOn, label()) }
}

extension Toggle where Label == Text {
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(titleKey) } }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
}

extension Toggle where Label == SwiftUI.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
}

extension Toggle: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        if let style = context.environment.toggleStyle {
            var inner = context
            inner.environment.toggleStyle = nil
            let configuration = ToggleStyleConfiguration(label: .init(view: AnyView(label)), isOn: isOn)
            return [AnyView(style.makeBody(configuration: configuration)).view(in: inner)]
        }
        let control = UISwitch()
        let title = label.title(in: context)
        control.title = title.isEmpty ? nil : title
        control.isOn = isOn.wrappedValue
        return control.changed(context) { [unowned control] in isOn.wrappedValue = control.isOn }
    }
}

@preconcurrency @MainActor
public protocol ToggleStyle {
    associatedtype Body: View
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
    typealias Configuration = ToggleStyleConfiguration
}

public struct ToggleStyleConfiguration {
    public struct Label: View {
        let view: AnyView
        public var body: some View { view }
    }
    public let label: Label
    @Binding public var isOn: Bool

    init(label: Label, isOn: Binding<Bool>) { (self.label, _isOn) = (label, isOn) }
}

public struct TextField<Label: View> {
    private let label: Label
    private let text: Binding<String>
    private let prompt: Text?
    private let isSecure: Bool

    private init(_ label: Label, _ text: Binding<String>, _ prompt: Text?, isSecure: Bool = false) {
        (self.label, self.text, self.prompt, self.isSecure) = (label, text, prompt, isSecure)
    }
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(label(), text, prompt)
    }
    static func secure(_ label: Label, _ text: Binding<String>, _ prompt: Text?) -> TextField {
        TextField(label, text, prompt, isSecure: true)
    }
}

extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { self.init(Text(titleKey), text, nil) }
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(Text(titleKey), text, prompt)
    }
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {
        self.init(Text(titleKey), text, nil)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) { self.init(Text(title), text, nil) }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) { self.init(Text(title), text, nil) }
    public init<F: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey,
        value: Binding<F.FormatInput>,
        format: F,
        prompt: Text? = nil
    ) where F.FormatOutput == String {
        let text = Binding(
            get: { format.format(value.wrappedValue) },
            set: { if let new = try? format.parseStrategy.parse($0) { value.wrappedValue = new } }
        )
        self.init(Text(titleKey), text, prompt)
    }
}

extension TextField: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let field = UITextField()
        field.text = text.wrappedValue
        field.placeholder = prompt?.text(context.environment) ?? label.title(in: context)
        field.isSecureTextEntry = isSecure
        let submit = context.environment.submit
        field.addAction(UIAction { _ in submit?() }, for: .editingDidEndOnExit)
        return field.changed(context, .editingChanged) { [unowned field] in text.wrappedValue = field.text ?? "" }
    }
}

public struct SecureField<Label: View> {
    private let field: TextField<Label>
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        field = .secure(label(), text, prompt)
    }
}

extension SecureField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { field = .secure(Text(titleKey), text, nil) }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) { field = .secure(Text(title), text, nil) }
}

extension SecureField: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] { field.shown(in: context) }
}

public struct TextEditor {
    private let text: Binding<String>
    public init(text: Binding<String>) { self.text = text }
}

extension TextEditor: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        TextField("", text: text).shown(in: context)
    }
}

public struct Slider<Label: View, ValueLabel: View> {
    private let value: Binding<Double>
    private let bounds: ClosedRange<Double>
    private let step: Double?
    private let label: Label
    private let ends: [ValueLabel]
    private let onEditingChanged: (Bool) -> Void

    private init<V: BinaryFloatingPoint>(
        _ value: Binding<V>,
        _ bounds: ClosedRange<V>,
        _ step: V?,
        _ label: Label,
        _ ends: [ValueLabel],
        _ onEditingChanged: @escaping (Bool) -> Void
    ) {
        self.value = Binding(get: { Double(value.wrappedValue) }, set: { value.wrappedValue = V($0) })
        self.bounds = Double(bounds.lowerBound)...Double(bounds.upperBound)
        self.step = step.map { Double($0) }
        (self.label, self.ends, self.onEditingChanged) = (label, ends, onEditingChanged)
    }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel,
        @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value, bounds, nil, label(), [minimumValueLabel(), maximumValueLabel()], onEditingChanged) }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel,
        @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, V(step), label(), [minimumValueLabel(), maximumValueLabel()], onEditingChanged)
    }
}

extension Slider where ValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value, bounds, nil, label(), [], onEditingChanged) }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value, bounds, V(step), label(), [], onEditingChanged) }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value, bounds, nil, EmptyView(), [], onEditingChanged) }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { self.init(value, bounds, V(step), EmptyView(), [], onEditingChanged) }
}

extension Slider: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let slider = UISlider()
        (slider.minimumValue, slider.maximumValue) = (Float(bounds.lowerBound), Float(bounds.upperBound))
        slider.value = Float(value.wrappedValue)
        _ = slider.changed(context) { [unowned slider] in
            var new = Double(slider.value)
            if let step { new = bounds.lowerBound + ((new - bounds.lowerBound) / step).rounded() * step }
            onEditingChanged(true)
            value.wrappedValue = min(max(new, bounds.lowerBound), bounds.upperBound)
            onEditingChanged(false)
        }
        let labels = ends.enumerated().map { $1.view(in: context.child($0, ValueLabel.self)) }
        guard labels.count == 2 else { return [slider] }
        return [UIView.stack([labels[0], slider, labels[1]], axis: .horizontal)]
    }
}

public struct Stepper<Label: View> {
    private let label: Label
    private let step: (Int) -> Void

    public init(
        @ViewBuilder label: () -> Label,
        onIncrement: (() -> Void)?,
        onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.label = label()
        step = { $0 > 0 ? onIncrement?() : onDecrement?() }
    }
    public init<V: Strideable>(
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.label = label()
        self.step = { sign in
            let new = value.wrappedValue.advanced(by: sign > 0 ? step : 0 - step)
            value.wrappedValue = min(max(new, bounds.lowerBound), bounds.upperBound)
        }
    }
    public init<V: Strideable>(
        value: Binding<V>,
        step: V.Stride = 1,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.label = label()
        self.step = { value.wrappedValue = value.wrappedValue.advanced(by: $0 > 0 ? step : 0 - step) }
    }
}

extension Stepper where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey,
        onIncrement: (() -> Void)?,
        onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(label: { Text(titleKey) }, onIncrement: onIncrement, onDecrement: onDecrement) }
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey,
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value: value, in: bounds, step: step) { Text(titleKey) } }
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey,
        value: Binding<V>,
        step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value: value, step: step) { Text(titleKey) } }
    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S,
        value: Binding<V>,
        in bounds: ClosedRange<V>,
        step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value: value, in: bounds, step: step) { Text(title) } }
}

extension Stepper: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        // The stepper's own value is in the middle again after each press.
        let control = UIStepper()
        (control.minimumValue, control.maximumValue, control.value) = (-1, 1, 0)
        _ = control.changed(context) { [unowned control] in
            step(control.value > 0 ? 1 : -1)
            control.value = 0
        }
        return [UIView.stack(label.views(in: context.child("label", Label.self)) + [control], axis: .horizontal)]
    }
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View> {
    private let selection: Binding<SelectionValue>
    private let label: Label
    private let content: Content
    public init(
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) { (self.selection, self.content, self.label) = (selection, content(), label()) }
}

extension Picker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(titleKey) } }
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(title) } }
}

extension Picker: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        var inner = context.child("content", Content.self)
        inner.environment.marksElements = true
        let options = content.views(in: inner).compactMap { $0 as? TaggedView }
        let values = options.map { $0.value.base as? SelectionValue }
        let control = UISegmentedControl(
            items: options.map { option in
                Shown(view: option).title(in: context)
            }
        )
        control.selectedSegmentIndex =
            values.firstIndex { $0 == selection.wrappedValue } ?? UISegmentedControl.noSegment
        _ = control.changed(context) { [unowned control] in
            let index = control.selectedSegmentIndex
            if values.indices.contains(index), let value = values[index] { selection.wrappedValue = value }
        }
        return label.views(in: context.child("label", Label.self)) + [control]
    }
}

/// A view that was made already.
private struct Shown: _PrimitiveView, Primitive {
    let view: UIView
    func shown(in context: Context) -> [UIView] { [view] }
}

public struct DatePickerComponents: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    public static let date = DatePickerComponents(rawValue: 2)
}

public struct DatePicker<Label: View> {
    public typealias Components = DatePickerComponents
    private let selection: Binding<Date>
    private let range: (Date?, Date?)
    private let components: Components
    private let label: Label

    private init(_ selection: Binding<Date>, _ range: (Date?, Date?), _ components: Components, _ label: Label) {
        (self.selection, self.range, self.components, self.label) = (selection, range, components, label)
    }
    public init(
        selection: Binding<Date>,
        displayedComponents: Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> Label
    ) { self.init(selection, (nil, nil), displayedComponents, label()) }
}

extension DatePicker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) { self.init(selection, (nil, nil), displayedComponents, Text(titleKey)) }
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Date>,
        in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) { self.init(selection, (range.lowerBound, range.upperBound), displayedComponents, Text(titleKey)) }
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Date>,
        in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) { self.init(selection, (range.lowerBound, nil), displayedComponents, Text(titleKey)) }
}

extension DatePicker: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let picker = UIDatePicker()
        picker.datePickerMode =
            components == .date ? .date : components == .hourAndMinute ? .time : .dateAndTime
        (picker.minimumDate, picker.maximumDate) = range
        picker.date = selection.wrappedValue
        _ = picker.changed(context) { [unowned picker] in selection.wrappedValue = picker.date }
        return [UIView.stack(label.views(in: context.child("label", Label.self)) + [picker], axis: .horizontal)]
    }
}

// MARK: Progress

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
