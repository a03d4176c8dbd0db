import Foundation
import PhoneRuntime

/// Gives an object the properties that a storyboard or a xib says.
@MainActor
struct NibProperties {
    private let element: NibElement
    private let file: NibFile

    init(_ element: NibElement, _ file: NibFile) { (self.element, self.file) = (element, file) }

    func apply(to view: UIView) {
        applyCommon(to: view)
        switch view {
        case let label as UILabel: apply(to: label)
        case let button as UIButton: apply(to: button)
        case let field as UITextField: apply(to: field)
        case let text as UITextView: apply(to: text)
        case let image as UIImageView: apply(to: image)
        case let stack as UIStackView: apply(to: stack)
        case let control as UIControl: apply(to: control)
        case let scroll as UIScrollView: scroll.isPagingEnabled = element.bool("pagingEnabled") ?? false
        case let bar as UISearchBar:
            bar.placeholder = text("placeholder")
            bar.text = text("text")
            bar.showsCancelButton = element.bool("showsCancelButton") ?? false
            bar.showsScopeBar = element.bool("showsScopeBar") ?? false
            bar.scopeButtonTitles = element.child("scopeButtonTitles")?.all("string").map(\.text)
        case let progress as UIProgressView: progress.progress = Float(element.number("progress") ?? 0)
        case let wheel as UIActivityIndicatorView:
            wheel.hidesWhenStopped = element.bool("hidesWhenStopped") ?? false
            if element.bool("animating") ?? false { wheel.startAnimating() }
        default: break
        }
        if let control = view as? UIControl {
            control.isEnabled = element.bool("enabled") ?? true
            control.isSelected = element.bool("selected") ?? false
        }
        for attribute in element.child("userDefinedRuntimeAttributes")?.children ?? [] { setAttribute(attribute, view) }
    }

    // MARK: Any view

    private func applyCommon(to view: UIView) {
        if let rect = element.value("frame") { view.frame = Self.rect(rect) }
        view.isHidden = element.bool("hidden") ?? false
        view.alpha = element.number("alpha") ?? 1
        view.tag = element["tag"].flatMap(Int.init) ?? 0
        view.clipsToBounds = element.bool("clipsSubviews") ?? false
        if let enabled = element.bool("userInteractionEnabled") { view.isUserInteractionEnabled = enabled }
        if let translates = element.bool("translatesAutoresizingMaskIntoConstraints") {
            view.translatesAutoresizingMaskIntoConstraints = translates
        }
        if let color = color("backgroundColor") { view.backgroundColor = color }
        if let color = color("tintColor") { view.tintColor = color }
        let modes: [String: UIView.ContentMode] = [
            "scaleAspectFit": .scaleAspectFit, "scaleAspectFill": .scaleAspectFill, "center": .center, "left": .left,
            "right": .right, "top": .top, "bottom": .bottom, "redraw": .redraw,
        ]
        view.contentMode = element["contentMode"].flatMap { modes[$0] } ?? .scaleToFill
        guard let accessibility = element.value("accessibilityConfiguration") else { return }
        view.accessibilityIdentifier = accessibility["identifier"]
        view.accessibilityLabel = accessibility["label"]
        view.accessibilityHint = accessibility["hint"]
    }

    /// A runtime attribute, which on a phone is set by key-value coding.
    private func setAttribute(_ attribute: NibElement, _ view: UIView) {
        guard let path = attribute["keyPath"] else { return }
        let number =
            attribute.value("value")?.number("value") ?? attribute["value"].flatMap(Double.init).map { CGFloat($0) }
        let bool = attribute.bool("value") ?? (number != nil && number != 0)
        switch path {
        case "layer.cornerRadius": view.layer.cornerRadius = number ?? 0
        case "layer.masksToBounds": view.layer.masksToBounds = bool
        case "clipsToBounds": view.clipsToBounds = bool
        case "layer.borderWidth": view.layer.borderWidth = number ?? 0
        case "layer.borderColor", "layer.borderUIColor":
            view.layer.borderColor = color(attribute.value("value"))?.cgColor
        case "hidden", "isHidden": view.isHidden = bool
        default:
            let value: Any? =
                switch attribute["type"] {
                case "number": number
                case "boolean": bool
                case "color": color(attribute.value("value"))
                case "image": attribute["value"].flatMap { UIImage(named: $0) }
                default: attribute["value"] ?? attribute.value("value")?.text
                }
            guard !PhoneObject.setOutlet(path, of: view, to: value) else { return }
            let text = "the runtime attribute \(path) of \(type(of: view)) is not known here and is left out"
            CurrentPresentation.addDiagnostic(reason: "unknownAttribute", text)
        }
    }

    // MARK: Kinds of views

    private func apply(to label: UILabel) {
        if let attributed = element.value("attributedText") {
            label.attributedText = NSAttributedString(
                string: attributed.all("string").isEmpty
                    ? attributed.all("fragment").compactMap { $0["content"] ?? $0.value("content")?.text }.joined()
                    : attributed.all("string").map(\.text).joined()
            )
        } else {
            label.text = text("text")
        }
        if let font = font() { label.font = font }
        if let color = color("textColor") { label.textColor = color }
        label.textAlignment = alignment
        label.numberOfLines = element["numberOfLines"].flatMap(Int.init) ?? 1
    }

    private func apply(to button: UIButton) {
        let states: [String: UIControl.State] = [
            "normal": .normal, "selected": .selected, "disabled": .disabled, "highlighted": .highlighted,
        ]
        let style = element.value("configuration")
        let isConfigured =
            style?["title"] != nil || style?.value("title") != nil || style?.value("attributedTitle") != nil
        for element in element.children where element.name == "state" {
            guard let key = element["key"], let state = states[key] else { continue }
            let given = file.strings["\(self.element["id"] ?? "").\(key)Title"]
            let title = given ?? element["title"] ?? element.value("title")?.text
            // Xcode leaves the old title beside a configuration, which stands for it; code may set another later.
            if let title, state != .normal || !isConfigured { button.setTitle(title, for: state) }
            if let name = element["image"] { button.setImage(image(name, element["catalog"]), for: state) }
            if let name = element["backgroundImage"] {
                button.setBackgroundImage(image(name, element["catalog"]), for: state)
            }
            if let color = color(element.value("titleColor")) { button.setTitleColor(color, for: state) }
        }
        if let font = font() { button.titleLabel?.font = font }
        guard let style else { return }
        let isFilled = style["style"] == "filled"
        var configuration: UIButton.Configuration = isFilled ? .filled() : .plain()
        configuration.baseForegroundColor = color(style.value("baseForegroundColor"))
        configuration.baseBackgroundColor = color(style.value("baseBackgroundColor"))
        let title = file.strings["\(element["id"] ?? "").configuration.title"]
        configuration.title = title ?? style["title"] ?? style.value("title")?.text
        configuration.subtitle = style["subtitle"]
        if let attributed = style.value("attributedTitle") {
            configuration.title = attributed.all("fragment").compactMap { $0["content"] ?? $0.value("content")?.text }
                .joined()
        }
        if let name = style["image"] { configuration.image = image(name, style["catalog"]) }
        button.configuration = configuration
    }

    private func apply(to field: UITextField) {
        field.text = text("text")
        field.placeholder = text("placeholder")
        if let font = font() { field.font = font }
        if let color = color("textColor") { field.textColor = color }
        field.textAlignment = alignment
        guard let traits = element.value("textInputTraits") else { return }
        field.isSecureTextEntry = traits.bool("secureTextEntry") ?? false
        let keyboards: [String: UIKeyboardType] = [
            "emailAddress": .emailAddress, "numberPad": .numberPad, "phonePad": .phonePad, "decimalPad": .decimalPad,
            "URL": .URL, "numbersAndPunctuation": .numbersAndPunctuation,
        ]
        field.keyboardType = traits["keyboardType"].flatMap { keyboards[$0] } ?? .default
    }

    private func apply(to view: UITextView) {
        view.text = text("text")
        view.isEditable = element.bool("editable") ?? true
        if let font = font() { view.font = font }
        view.textAlignment = alignment
    }

    private func apply(to view: UIImageView) {
        if let name = element["image"] { view.image = image(name, element["catalog"]) }
        if let name = element["highlightedImage"] { view.highlightedImage = image(name, element["catalog"]) }
        view.isUserInteractionEnabled = element.bool("userInteractionEnabled") ?? true
    }

    private func apply(to stack: UIStackView) {
        stack.axis = element["axis"] == "vertical" ? .vertical : .horizontal
        stack.spacing = element.number("spacing") ?? 0
        let distributions: [String: UIStackView.Distribution] = [
            "fillEqually": .fillEqually, "fillProportionally": .fillProportionally, "equalSpacing": .equalSpacing,
            "equalCentering": .equalCentering,
        ]
        stack.distribution = element["distribution"].flatMap { distributions[$0] } ?? .fill
        let alignments: [String: UIStackView.Alignment] = [
            "leading": .leading, "top": .leading, "center": .center, "trailing": .trailing, "bottom": .trailing,
            "firstBaseline": .firstBaseline, "lastBaseline": .lastBaseline,
        ]
        stack.alignment = element["alignment"].flatMap { alignments[$0] } ?? .fill
    }

    private func apply(to control: UIControl) {
        switch control {
        case let control as UISwitch: control.isOn = element.bool("on") ?? false
        case let control as UISlider:
            control.minimumValue = Float(element.number("minValue") ?? 0)
            control.maximumValue = Float(element.number("maxValue") ?? 1)
            control.value = Float(element.number("value") ?? 0)
        case let control as UIStepper:
            control.minimumValue = element.number("minimumValue").map { Double($0) } ?? 0
            control.maximumValue = element.number("maximumValue").map { Double($0) } ?? 100
            control.stepValue = element.number("stepValue").map { Double($0) } ?? 1
            control.value = element.number("value").map { Double($0) } ?? 0
        case let control as UISegmentedControl:
            for segment in element.child("segments")?.children ?? [] {
                control.insertSegment(withTitle: segment["title"], at: control.numberOfSegments, animated: false)
            }
            control.selectedSegmentIndex = element["selectedSegmentIndex"].flatMap(Int.init) ?? 0
        case let control as UIPageControl:
            control.numberOfPages = element["numberOfPages"].flatMap(Int.init) ?? 0
            control.currentPage = element["currentPage"].flatMap(Int.init) ?? 0
        default: break
        }
    }

    // MARK: Values

    /// A text of the object, in the language of the host.
    private func text(_ name: String) -> String? {
        file.strings["\(element["id"] ?? "").\(name)"] ?? element[name] ?? element.value(name)?.text
    }

    private func image(_ name: String, _ catalog: String?) -> UIImage? {
        catalog == "system" ? UIImage(systemName: name) : UIImage(named: name, in: file.bundle, compatibleWith: nil)
    }

    private var alignment: NSTextAlignment {
        let all: [String: NSTextAlignment] = [
            "center": .center, "right": .right, "left": .left, "justified": .justified,
        ]
        return element["textAlignment"].flatMap { all[$0] } ?? .natural
    }

    private func font() -> UIFont? {
        guard let font = element.value("fontDescription") else { return nil }
        if let style = font["style"] { return .preferredFont(forTextStyle: UIFont.TextStyle(rawValue: style)) }
        let size = font.number("pointSize") ?? 17
        if let name = font["name"] { return UIFont(name: name, size: size) }
        let weights: [String: UIFont.Weight] = [
            "medium": .medium, "semibold": .semibold, "bold": .bold, "heavy": .heavy, "black": .black, "light": .light,
            "thin": .thin, "ultraLight": .ultraLight,
        ]
        let weight = font["type"] == "boldSystem" ? .bold : font["weight"].flatMap { weights[$0] } ?? .regular
        return .systemFont(ofSize: size, weight: weight)
    }

    private func color(_ key: String) -> UIColor? { color(element.value(key)) }

    private func color(_ element: NibElement?) -> UIColor? {
        guard let element, element.name == "color" else { return nil }
        if let name = element["name"] { return UIColor(named: name, in: file.bundle, compatibleWith: nil) }
        let alpha = element.number("alpha") ?? 1
        if let white = element.number("white") { return UIColor(white: white, alpha: alpha) }
        if let red = element.number("red"), let green = element.number("green"), let blue = element.number("blue") {
            return UIColor(red: red, green: green, blue: blue, alpha: alpha)
        }
        let system: [String: UIColor] = [
            "labelColor": .label, "secondaryLabelColor": .secondaryLabel, "systemBackgroundColor": .systemBackground,
            "systemRedColor": .systemRed, "systemBlueColor": .systemBlue, "systemGreenColor": .systemGreen,
            "systemGrayColor": .systemGray, "systemOrangeColor": .systemOrange, "systemYellowColor": .systemYellow,
            "systemPinkColor": .systemPink, "systemPurpleColor": .systemPurple, "systemTealColor": .systemTeal,
            "systemIndigoColor": .systemIndigo, "systemBrownColor": .systemBrown, "systemGray6Color": .systemGray6,
            "secondarySystemBackgroundColor": .secondarySystemBackground, "tertiaryLabelColor": .tertiaryLabel,
            "linkColor": .link, "separatorColor": .separator, "tintColor": .tintColor,
        ]
        return (element["systemColor"] ?? element["cocoaTouchSystemColor"]).flatMap { system[$0] }
    }

    static func rect(_ element: NibElement) -> CGRect {
        CGRect(
            x: element.number("x") ?? 0,
            y: element.number("y") ?? 0,
            width: element.number("width") ?? 0,
            height: element.number("height") ?? 0
        )
    }

    static func layout(_ element: NibElement) -> UICollectionViewFlowLayout {
        let layout = UICollectionViewFlowLayout()
        layout.scrollDirection = element["scrollDirection"] == "horizontal" ? .horizontal : .vertical
        layout.minimumLineSpacing = element.number("minimumLineSpacing") ?? 10
        layout.minimumInteritemSpacing = element.number("minimumInteritemSpacing") ?? 10
        if let size = element.value("itemSize") {
            layout.itemSize = CGSize(width: size.number("width") ?? 50, height: size.number("height") ?? 50)
        }
        return layout
    }

    static func attribute(_ name: String?) -> NSLayoutConstraint.Attribute? {
        let all: [String: NSLayoutConstraint.Attribute] = [
            "left": .left, "right": .right, "top": .top, "bottom": .bottom, "leading": .leading, "trailing": .trailing,
            "width": .width, "height": .height, "centerX": .centerX, "centerY": .centerY, "baseline": .lastBaseline,
            "firstBaseline": .firstBaseline, "leadingMargin": .leading, "trailingMargin": .trailing,
            "topMargin": .top, "bottomMargin": .bottom,
        ]
        return name.flatMap { all[$0] }
    }

    static func relation(_ name: String?) -> NSLayoutConstraint.Relation {
        switch name {
        case "greaterThanOrEqual": .greaterThanOrEqual
        case "lessThanOrEqual": .lessThanOrEqual
        default: .equal
        }
    }

    static func event(_ name: String?) -> UIControl.Event {
        let all: [String: UIControl.Event] = [
            "touchDown": .touchDown, "touchUpInside": .touchUpInside, "touchUpOutside": .touchUpOutside,
            "valueChanged": .valueChanged, "primaryActionTriggered": .primaryActionTriggered,
            "editingDidBegin": .editingDidBegin, "editingChanged": .editingChanged, "editingDidEnd": .editingDidEnd,
            "editingDidEndOnExit": .editingDidEndOnExit,
        ]
        return name.flatMap { all[$0] } ?? .touchUpInside
    }
}
