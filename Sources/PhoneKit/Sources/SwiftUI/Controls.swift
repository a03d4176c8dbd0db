// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import UIKit

extension View {
    /// The texts of this view, for a control that has no place for another view.
    func title(in context: Context) -> String { view(in: context.child("title", Self.self)).title }
}

extension UIView {
    /// The texts in the view, as the title of a control: a symbol stands before the text that follows it.
    var title: String {
        if let label = accessibilityLabel { return label }
        if let label = self as? UILabel { return label.text ?? "" }
        if let image = self as? UIImageView { return image.image?.symbolText ?? "" }
        var (text, separator) = ("", "")
        for view in subviews where !view.title.isEmpty {
            text += separator + view.title
            separator = view is UIImageView ? " " : ", "
        }
        return text
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
        let control = UISegmentedControl(items: options.map(\.title))
        control.selectedSegmentIndex =
            values.firstIndex { $0 == selection.wrappedValue } ?? UISegmentedControl.noSegment
        _ = control.changed(context) { [unowned control] in
            let index = control.selectedSegmentIndex
            if values.indices.contains(index), let value = values[index] { selection.wrappedValue = value }
        }
        // As on a phone, where only VoiceOver reads the label outside of a form.
        control.accessibilityLabel = label.title(in: context)
        return [control]
    }
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
