internal import HostClient
internal import JSON
internal import Notifications

/// Presses every element and every action that an extension shows, including those that appear during the run.
///
/// If a press ends the presentation, the same notification is shown again.
final class PressRun {
    /// An element or an action.
    enum Target: Hashable {
        case element(String)
        case action(String)

        var name: String {
            switch self {
            case .element(let id): "the element \(id)"
            case .action(let identifier): "the action \(identifier)"
            }
        }

        var isElement: Bool { if case .element = self { true } else { false } }

        /// Whether it is a tap on the notification, or its dismissal.
        fileprivate var isOfSystem: Bool {
            if case .action(let identifier) = self { PressInputs.systemActions.contains(identifier) } else { false }
        }
    }

    /// The current content of the presentation.
    private struct Shown {
        let notification: JSON
        var view: JSON
        var actions: [JSON]

        init(_ result: JSON) {
            notification = result["notification"] ?? .null
            view = result["view"] ?? [:]
            actions = result["actions"]?.array.map { Array($0) } ?? []
        }
    }

    /// One press and its input.
    private typealias Press = (target: Target, input: JSON?)

    /// The maximum number of presses of a run, because an extension may show new elements without end.
    static let limit = 1_000
    /// The number of failures after which the run ends.
    private static let failureLimit = 10
    /// The number of unanswered calls after which the run ends.
    private static let hangLimit = 2

    private let host: TrialHost
    private let payload: JSON
    private let inputs: PressInputs
    /// Looks at each view; nil if the views show wrong input.
    private let views: ViewValidator?
    /// The targets in the order in which they appeared.
    private var order: [Target] = []
    /// The remaining inputs of each target.
    private var remainingInputs: [Target: [JSON?]] = [:]
    /// How often each target was pressed.
    private(set) var counts: [Target: Int] = [:]
    /// The presses since the notification was shown.
    private var history: [Press] = []
    /// The presses that led to the first appearance of each target.
    private var paths: [Target: [Press]] = [:]
    private var shown: Shown?

    /// The number of presses of each step.
    private(set) var presses: [CheckStep: Int] = [:]
    /// The last refusal of each target that never answered with a result.
    private(set) var alwaysRefused: [Target: TrialReply] = [:]
    /// The targets that answered with a result, or failed.
    private var answered: Set<Target> = []
    /// The elements that are buttons.
    private(set) var buttons: Set<Target> = []
    /// The number of presses that the extension refused.
    private(set) var refusals: [CheckStep: Int] = [:]
    /// The number of elements and actions.
    private(set) var targets: [CheckStep: Int] = [:]
    /// The replies that show a fault, with target and input.
    private(set) var failures: [(target: Target, input: JSON?, reply: TrialReply)] = []
    /// The diagnostics of all replies.
    private(set) var diagnostics: [(step: CheckStep, list: JSON?)] = []
    /// The types of nodes that people expect to touch.
    private(set) var touchableTypes: Set<String> = []
    /// Whether the run reached the maximum number of presses.
    private(set) var hasReachedLimit = false
    private var hangs = 0

    init(_ host: TrialHost, payload: JSON, _ inputs: PressInputs, _ views: ViewValidator? = nil) {
        self.host = host
        self.views = views
        self.payload = payload
        self.inputs = inputs
    }

    /// Presses until no input is left, beginning with the result of `didReceive` for the first presentation.
    func run(_ first: JSON) throws(ClientError) {
        update(Shown(first))
        while true {
            if shown == nil, let new = try present() { update(new) }
            guard shown != nil else { return }
            guard !isOver else { return try dismiss() }
            if let target = nextTarget {
                try press(target, nextInput(of: target))
            } else if let target = order.first(where: { remainingInputs[$0]?.isEmpty == false }) {
                try reach(target)
            } else {
                return try dismiss()
            }
        }
    }

    /// The shown target that is pressed next: the one that was pressed least often, so that new ones come first.
    private var nextTarget: Target? {
        order.enumerated().filter { remainingInputs[$1]?.isEmpty == false && isShown($1) }
            .min { priority($0) < priority($1) }?
            .element
    }

    /// The sort key of a target; the lowest is pressed first, and system actions last.
    private func priority(_ entry: (offset: Int, element: Target)) -> (Int, Int, Int) {
        (entry.element.isOfSystem ? 1 : 0, counts[entry.element] ?? 0, entry.offset)
    }

    private func nextInput(of target: Target) -> JSON? {
        var inputs = remainingInputs[target] ?? []
        let input = inputs.removeFirst()
        remainingInputs[target] = inputs
        return input
    }

    /// Shows the notification again, repeats the presses that led to a target, and presses it.
    private func reach(_ target: Target) throws(ClientError) {
        try dismiss()
        if let new = try present() { update(new) }
        for press in paths[target] ?? [] where !isShown(target) && isShown(press.target) && !isOver {
            try self.press(press.target, press.input)
        }
        guard isShown(target), !isOver else {
            // The extension behaves differently each time, so the target cannot be reached.
            return remainingInputs[target] = []
        }
        try press(target, nextInput(of: target))
    }

    private var isOver: Bool {
        hasReachedLimit = hasReachedLimit || presses.values.reduce(0, +) >= Self.limit
        return hasReachedLimit || failures.count >= Self.failureLimit || hangs >= Self.hangLimit
    }

    /// Shows the notification again.
    private func present() throws(ClientError) -> Shown? {
        history = []
        return try host.call("didReceive", ["payload": payload]).result.map(Shown.init)
    }

    private func dismiss() throws(ClientError) {
        if let notification = shown?.notification {
            _ = try host.call("dismiss", ["notification": notification])
        }
        shown = nil
    }

    // MARK: Targets

    /// Stores the new content, and adds the targets that are new in it.
    private func update(_ content: Shown) {
        shown = content
        views?.validate(content.view)
        for node in content.view.nodes {
            if let type = node["type"]?.string, PressInputs.touchable.contains(type) { touchableTypes.insert(type) }
            guard inputs.pressesElements, let id = node["id"]?.string else { continue }
            if node["type"] == "button" { buttons.insert(.element(id)) }
            addTarget(.element(id), .interact, inputs.forElement(node))
        }
        for action in content.actions {
            guard let identifier = action["identifier"]?.string else { continue }
            addTarget(.action(identifier), .response, inputs.forAction(action))
        }
        for identifier in PressInputs.systemActions {
            addTarget(.action(identifier), .response, inputs.forNotification)
        }
    }

    private func addTarget(_ target: Target, _ step: CheckStep, _ inputs: [JSON?]) {
        guard remainingInputs[target] == nil, !inputs.isEmpty else { return }
        remainingInputs[target] = inputs
        paths[target] = history
        targets[step, default: 0] += 1
        // System actions come last, because they end most presentations.
        let end = order.firstIndex(where: \.isOfSystem) ?? order.endIndex
        order.insert(target, at: target.isOfSystem ? order.endIndex : end)
    }

    private func isShown(_ target: Target) -> Bool {
        guard let shown else { return false }
        return switch target {
        case .element(let id): shown.view.nodes.contains { $0["id"]?.string == id }
        case .action(let identifier):
            target.isOfSystem || shown.actions.contains { $0["identifier"]?.string == identifier }
        }
    }

    // MARK: Presses

    private func press(_ target: Target, _ input: JSON?) throws(ClientError) {
        let step: CheckStep
        let params: MemberList
        switch target {
        case .element(let id): (step, params) = (.interact, ["element": .string(id), "value": input])
        case .action(let identifier):
            (step, params) = (.response, ["actionIdentifier": .string(identifier), "userText": input])
        }
        let all = JSON(present: ["notification": shown?.notification ?? .null] + params)
        let reply = try host.call(step == .interact ? "interact" : "didReceiveResponse", all)
        presses[step, default: 0] += 1
        counts[target, default: 0] += 1
        history.append((target, input))
        evaluate(reply, target, input, step)
    }

    private func evaluate(_ reply: TrialReply, _ target: Target, _ input: JSON?, _ step: CheckStep) {
        if reply.verdict == .refused {
            if !answered.contains(target) { alwaysRefused[target] = reply }
        } else if reply.verdict != .gone {
            answered.insert(target)
            alwaysRefused[target] = nil
        }
        switch reply.verdict {
        case .answered:
            diagnostics.append((step, reply.result?["diagnostics"]))
            let isEnded = reply.result?["option"].map { $0 != "doNotDismiss" } ?? false
            if isEnded { return shown = nil }
            if let view = reply.result?["view"] { shown?.view = view }
            if let actions = reply.result?["actions"]?.array { shown?.actions = Array(actions) }
            if let shown { update(shown) }
        case .refused: refusals[step, default: 0] += 1
        case .gone: shown = nil
        case .unhandled, .failed:
            failures.append((target, input, reply))
            if reply.isHang {
                hangs += 1
                remainingInputs[target] = []
            }
            // The presentations of a process end with it.
            if reply.reason != "extensionRefused" { shown = nil }
        }
    }
}

extension JSON {
    /// The nodes of a view, including itself, in the order of the tree.
    var nodes: [JSON] { [self] + (self["children"]?.array.map { $0.flatMap(\.nodes) } ?? []) }
}

/// What `extensions check` enters for each element and action; an input is a value, or nil for none.
struct PressInputs {
    /// The types of nodes that people expect to touch.
    fileprivate static let touchable: Set = ["button", "card", "carousel", "field", "media"]
    /// A tap on the notification, and its dismissal.
    static let systemActions = [OfferedAction.defaultIdentifier, OfferedAction.dismissIdentifier]
    /// A text that a person may enter: letters beyond ASCII, a line separator and a character outside the Basic Multilingual Plane.
    private static let text: JSON = "Grüße \u{2028} 👋"
    /// Answers to usual questions of forms; the correct one leads to the next page.
    private static let plausible: [JSON?] = ["Ada", "ada@example.com", "+12125550100", "1990-01-31", "US"]
    /// Longer than any text that Braze accepts.
    private static let longText = JSON.string(String(repeating: "x", count: 100_000))

    /// Whether elements are touched, which the bundle must enable.
    fileprivate let pressesElements: Bool
    private let kind: Kind

    private enum Kind {
        case all
        case once
        case wrong
    }

    /// Every input twice; where a value is possible, with and without it.
    static func all(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .all)
    }

    /// One plausible input for each element and action.
    static func once(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .once)
    }

    /// Wrong inputs: values of other types, a text that is too long, and no value.
    static func wrong(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .wrong)
    }

    private init(pressesElements: Bool, kind: Kind) {
        self.pressesElements = pressesElements
        self.kind = kind
    }

    /// The inputs for a tap on the notification, and for its dismissal.
    fileprivate var forNotification: [JSON?] {
        switch kind {
        case .all: [nil, nil]
        case .once: [nil]
        case .wrong: []
        }
    }

    /// The inputs for an element.
    fileprivate func forElement(_ node: JSON) -> [JSON?] {
        let pages = node["children"]?.array?.count ?? 0
        let usual: JSON? =
            switch node["type"] {
            case "field": Self.text
            case "carousel": JSON(max(0, pages - 1))
            default: nil
            }
        switch kind {
        case .once: return [node["type"] == "field" ? Self.plausible[1] : usual]
        case .all:
            let unusual: JSON? =
                switch node["type"] {
                case "field": nil
                case "carousel": 0
                default: Self.text
                }
            return [usual, unusual, usual, unusual] + (node["type"] == "field" ? Self.plausible : [])
        case .wrong:
            return [nil, .null, true, -1, 1e300, "", Self.longText, ["a", [[]]], ["a": .null]]
        }
    }

    /// The inputs for an action.
    fileprivate func forAction(_ action: JSON) -> [JSON?] {
        let takesText = action["textInput"] != nil
        return switch kind {
        case .once: [takesText ? Self.text : nil]
        case .all: takesText ? [Self.text, "", Self.text, ""] : [nil, nil]
        case .wrong: takesText ? [Self.longText] : []
        }
    }
}
