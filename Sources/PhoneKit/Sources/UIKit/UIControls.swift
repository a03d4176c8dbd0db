// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON

/// A switch: a button that shows whether it is on.
@preconcurrency @MainActor
open class UISwitch: UIControl {
    open var isOn = false { didSet { changed() } }
    open var onTintColor: UIColor?
    open var thumbTintColor: UIColor?
    open var onImage: UIImage?
    open var offImage: UIImage?
    open var title: String?
    public enum Style: Int, Sendable {
        case automatic, checkbox, sliding
    }
    open var preferredStyle = Style.automatic
    open var style: Style { .sliding }

    open func setOn(_ on: Bool, animated: Bool) { isOn = on }

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "switch")
        drawing.react(id, self) { [unowned self] value in
            guard takesTouches else { return }
            isOn = value?.bool ?? !isOn
            sendActions(for: [.valueChanged, .primaryActionTriggered])
        }
        // As VoiceOver reads it.
        let state = isOn ? "On" : "Off"
        let title = (accessibilityLabel ?? title).map { "\($0): \(state)" } ?? state
        return drawing.button(title, id: id, isEnabled: takesTouches, isSelected: isOn)
    }
}

/// A slider: a field for a number.
@preconcurrency @MainActor
open class UISlider: UIControl {
    private var stored: Float = 0 { didSet { changed() } }
    open var value: Float {
        get { stored }
        set { stored = min(max(newValue, minimumValue), maximumValue) }
    }
    open var minimumValue: Float = 0 { didSet { value = stored } }
    open var maximumValue: Float = 1 { didSet { value = stored } }
    open var isContinuous = true
    open var minimumValueImage: UIImage?
    open var maximumValueImage: UIImage?
    open var minimumTrackTintColor: UIColor?
    open var maximumTrackTintColor: UIColor?
    open var thumbTintColor: UIColor?

    open func setValue(_ value: Float, animated: Bool) { self.value = value }
    open func setThumbImage(_ image: UIImage?, for state: State) {}
    open func setMinimumTrackImage(_ image: UIImage?, for state: State) {}
    open func setMaximumTrackImage(_ image: UIImage?, for state: State) {}

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "slider")
        drawing.react(id, self) { [unowned self] value in
            guard takesTouches, let new = value?.asNumber else { return }
            sendActions(for: .touchDown)
            self.value = Float(new)
            sendActions(for: [.valueChanged, .primaryActionTriggered])
            sendActions(for: .touchUpInside)
        }
        let range = "\(Node.number(Double(minimumValue))) – \(Node.number(Double(maximumValue)))"
        return drawing.field(
            id: id,
            value: Node.number(Double(value)),
            placeholder: range,
            isEnabled: takesTouches
        )
    }
}

/// Two buttons for less and more.
@preconcurrency @MainActor
open class UIStepper: UIControl {
    private var stored: Double = 0 { didSet { changed() } }
    open var value: Double {
        get { stored }
        set { stored = min(max(newValue, minimumValue), maximumValue) }
    }
    open var minimumValue: Double = 0 { didSet { value = stored } }
    open var maximumValue: Double = 100 { didSet { value = stored } }
    open var stepValue: Double = 1
    open var isContinuous = true
    open var autorepeat = true
    open var wraps = false

    private func step(_ difference: Double) {
        guard takesTouches else { return }
        let new = stored + difference
        value = wraps && new > maximumValue ? minimumValue : wraps && new < minimumValue ? maximumValue : new
        sendActions(for: [.valueChanged, .primaryActionTriggered])
    }

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "stepper")
        let buttons = [("−", "decrement", -1.0), ("+", "increment", 1.0)].map { title, name, sign in
            let button = "\(id)-\(name)"
            drawing.react(button, self) { [unowned self] _ in step(sign * stepValue) }
            return drawing.button(title, id: button, isEnabled: takesTouches)
        }
        return drawing.list(buttons, isRow: true)
    }
}

/// Buttons of which one is selected.
@preconcurrency @MainActor
open class UISegmentedControl: UIControl {
    public static let noSegment = -1

    private struct Segment {
        var title: String?
        var image: UIImage?
        var isEnabled = true
        var action: UIAction?
    }

    private var segments: [Segment] = [] { didSet { changed() } }
    open var selectedSegmentIndex = UISegmentedControl.noSegment { didSet { changed() } }
    open var isMomentary = false
    open var apportionsSegmentWidthsByContent = false
    open var selectedSegmentTintColor: UIColor?
    open var numberOfSegments: Int { segments.count }

    public init(items: [Any]?) {
        super.init(frame: .zero)
        segments = items?.map { Segment(title: $0 as? String, image: $0 as? UIImage) } ?? []
    }
    public init(frame: CGRect, actions: [UIAction]) {
        super.init(frame: frame)
        segments = actions.map { Segment(title: $0.title, image: $0.image, action: $0) }
    }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
        segments.insert(Segment(title: title), at: min(segment, segments.count))
    }
    open func removeSegment(at segment: Int, animated: Bool) { segments.remove(at: segment) }
    open func removeAllSegments() { segments = [] }
    open func setTitle(_ title: String?, forSegmentAt segment: Int) { segments[segment].title = title }
    open func titleForSegment(at segment: Int) -> String? { segments[segment].title }
    open func setImage(_ image: UIImage?, forSegmentAt segment: Int) { segments[segment].image = image }
    open func setEnabled(_ enabled: Bool, forSegmentAt segment: Int) { segments[segment].isEnabled = enabled }
    open func isEnabledForSegment(at segment: Int) -> Bool { segments[segment].isEnabled }
    open func setWidth(_ width: CGFloat, forSegmentAt segment: Int) {}
    open func setTitleTextAttributes(_ attributes: [NSAttributedString.Key: Any]?, for state: State) {}

    private func select(_ index: Int) {
        guard takesTouches, segments[index].isEnabled, index != selectedSegmentIndex else { return }
        selectedSegmentIndex = index
        if let action = segments[index].action { sendAction(action) }
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        if isMomentary { selectedSegmentIndex = UISegmentedControl.noSegment }
    }

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "segments")
        let buttons = segments.enumerated().map { index, segment in
            let button = "\(id)-\(index + 1)"
            drawing.react(button, self) { [unowned self] _ in select(index) }
            let isSelected = index == selectedSegmentIndex
            let title = segment.title ?? segment.image?.symbolText ?? segment.image?.name ?? "\(index + 1)"
            return drawing.button(
                (isSelected ? "✓ " : "") + title,
                id: button,
                isEnabled: takesTouches && segment.isEnabled,
                isSelected: isSelected
            )
        }
        return drawing.list(buttons, isRow: true)
    }
}

/// The dots of pages, which are left out beside a view with pages, since that shows its page itself.
@preconcurrency @MainActor
open class UIPageControl: UIControl {
    open var numberOfPages = 0 { didSet { changed() } }
    open var currentPage = 0 { didSet { changed() } }
    open var hidesForSinglePage = false { didSet { changed() } }
    open var pageIndicatorTintColor: UIColor?
    open var currentPageIndicatorTintColor: UIColor?
    open var defersCurrentPageDisplay = false
    public enum BackgroundStyle: Int, Sendable {
        case automatic, prominent, minimal
    }
    public enum InteractionState: Int, Sendable {
        case none, discrete, continuous
    }
    public enum Direction: Int, Sendable {
        case natural, leftToRight, rightToLeft, topToBottom, bottomToTop
    }
    open var backgroundStyle = BackgroundStyle.automatic
    open var interactionState: InteractionState { .none }
    open var direction = Direction.natural
    open var allowsContinuousInteraction = true
    open var preferredIndicatorImage: UIImage?
    open var preferredCurrentPageIndicatorImage: UIImage?
    open func indicatorImage(forPage page: Int) -> UIImage? { preferredIndicatorImage }
    open func setIndicatorImage(_ image: UIImage?, forPage page: Int) {}
    open func currentPageIndicatorImage(forPage page: Int) -> UIImage? { preferredCurrentPageIndicatorImage }
    open func setCurrentPageIndicatorImage(_ image: UIImage?, forPage page: Int) {}
    open func size(forNumberOfPages pageCount: Int) -> CGSize { CGSize(width: 16 * pageCount, height: 26) }
    open func updateCurrentPageDisplay() {}

    /// Turns to a page, as a touch beside the dots does.
    func turn(to page: Int) {
        guard takesTouches, (0..<numberOfPages).contains(page) else { return }
        currentPage = page
        sendActions(for: [.valueChanged, .primaryActionTriggered])
    }

    override func node(_ drawing: Drawing) -> Node? {
        guard numberOfPages > 1 || numberOfPages == 1 && !hidesForSinglePage, !drawing.showsPages else { return nil }
        let id = drawing.id(of: self, "pages")
        let dots = (0..<numberOfPages).map { $0 == currentPage ? "●" : "○" }.joined(separator: " ")
        let buttons = [("‹", "previous", -1), ("›", "next", 1)].map { title, name, step in
            drawing.react("\(id)-\(name)", self) { [unowned self] _ in turn(to: currentPage + step) }
            return drawing.button(title, id: "\(id)-\(name)", isEnabled: takesTouches)
        }
        let text = Node("text", id: id, [("text", .string(dots)), ("alignment", "center")])
        return takesTouches ? drawing.list([buttons[0], text, buttons[1]], isRow: true) : text
    }
}

/// A bar of progress.
@preconcurrency @MainActor
open class UIProgressView: UIView {
    public enum Style: Int, Sendable {
        case `default`, bar
    }

    private var stored: Float = 0 { didSet { changed() } }
    open var progress: Float {
        get { stored }
        set { stored = newValue.isNaN ? 0 : min(max(newValue, 0), 1) }
    }
    open var progressViewStyle = Style.default
    open var progressTintColor: UIColor? { didSet { changed() } }
    open var trackTintColor: UIColor?
    open var progressImage: UIImage?
    open var trackImage: UIImage?
    open var observedProgress: Progress? { didSet { progress = Float(observedProgress?.fractionCompleted ?? 0) } }

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    public convenience init(progressViewStyle style: Style) { self.init(frame: .zero) }

    open func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }

    /// The smallest whole numbers that stand for the progress, such as 3 of 8.
    private var fraction: (value: Int64, total: Int64) {
        for total in 1...100 {
            let value = (progress * Float(total)).rounded()
            if abs(value / Float(total) - progress) < 0.000_05 { return (Int64(value), Int64(total)) }
        }
        return (Int64((progress * 1_000).rounded()), 1_000)
    }

    override func node(_ drawing: Drawing) -> Node? {
        let (value, total) = fraction
        let members: [(String, JSON)] = [("value", .integer(value)), ("total", .integer(total))]
        return Node("progress", id: drawing.name(of: self), members + Node.look(color: progressTintColor ?? ownTint))
    }
}

/// A wheel that turns while something is going on.
@preconcurrency @MainActor
open class UIActivityIndicatorView: UIView {
    public enum Style: Int, Sendable {
        case medium = 100
        case large = 101
        case whiteLarge = 0
        case white = 1
        case gray = 2
    }

    open var style = Style.medium
    open var hidesWhenStopped = true { didSet { changed() } }
    open var color: UIColor! = .gray
    open private(set) var isAnimating = false

    public init(style: Style) {
        self.style = style
        super.init(frame: .zero)
    }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open func startAnimating() {
        isAnimating = true
        changed()
    }
    open func stopAnimating() {
        isAnimating = false
        changed()
    }

    override func node(_ drawing: Drawing) -> Node? {
        // As VoiceOver reads it.
        isAnimating
            ? Node("text", id: drawing.name(of: self), [("text", .string(accessibilityLabel ?? "In progress"))]) : nil
    }
}

/// A date: a field in ISO 8601.
@preconcurrency @MainActor
open class UIDatePicker: UIControl {
    public enum Mode: Int, Sendable {
        case time, date, dateAndTime, countDownTimer
    }

    open var date = Date() { didSet { changed() } }
    open var datePickerMode = Mode.dateAndTime { didSet { changed() } }
    open var preferredDatePickerStyle = UIDatePickerStyle.automatic
    open var minimumDate: Date?
    open var maximumDate: Date?
    open var minuteInterval = 1
    open var countDownDuration: TimeInterval = 0
    open var locale: Locale?
    open var timeZone: TimeZone?
    open var calendar: Calendar! = .current

    open func setDate(_ date: Date, animated: Bool) { self.date = date }

    private var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = timeZone ?? .current
        formatter.dateFormat =
            switch datePickerMode {
            case .date: "yyyy-MM-dd"
            case .time, .countDownTimer: "HH:mm"
            case .dateAndTime: "yyyy-MM-dd'T'HH:mm"
            }
        return formatter
    }

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "date")
        drawing.react(id, self) { [unowned self] value in
            guard takesTouches, let new = value?.string.flatMap({ formatter.date(from: $0) }) else { return }
            date = min(max(new, minimumDate ?? new), maximumDate ?? new)
            sendActions(for: [.valueChanged, .primaryActionTriggered])
        }
        return drawing.field(
            id: id,
            value: formatter.string(from: date),
            placeholder: formatter.dateFormat ?? "",
            isEnabled: takesTouches
        )
    }
}

public enum UIDatePickerStyle: Int, Sendable {
    case automatic, wheels, compact, inline
}
