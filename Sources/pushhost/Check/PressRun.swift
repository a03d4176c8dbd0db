internal import HostClient
internal import JSON

/// Presses every element and every action of what an extension shows, those that appear meanwhile included.
///
/// A press that ends the presentation is followed by a new one of the same notification.
final class PressRun {
    /// Something that can be pressed.
    enum Target: Hashable {
        case element(String)
        case action(String)

        var name: String {
            switch self {
            case .element(let id): "the element \(id)"
            case .action(let identifier): "the action \(identifier)"
            }
        }
    }

    /// What is shown now.
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

    /// One press: where, and what is entered.
    private typealias Press = (target: Target, input: JSON?)

    /// How many presses a run has at most; an extension may show new elements without end.
    static let limit = 1_000
    /// After how many failures the rest would not say more.
    private static let failureLimit = 10
    /// After how many calls that were not answered in time.
    private static let hangLimit = 2

    private let host: DryRunHost
    private let payload: JSON
    private let inputs: PressInputs
    /// The targets in the order in which they appeared, and what is still to be entered at each.
    private var order: [Target] = []
    private var left: [Target: [JSON?]] = [:]
    /// How often each target was pressed.
    private var counts: [Target: Int] = [:]
    /// What was pressed since the notification was shown, and what had been when a target appeared.
    private var trail: [Press] = []
    private var trails: [Target: [Press]] = [:]
    private var shown: Shown?

    /// How often something was pressed, and how often the extension refused that.
    private(set) var presses: [CheckStep: Int] = [:]
    private(set) var refusals: [CheckStep: Int] = [:]
    private(set) var targets: [CheckStep: Int] = [:]
    /// Replies that show a fault, with what was pressed.
    private(set) var failures: [(target: Target, input: JSON?, reply: DryRunReply)] = []
    /// The diagnostics of all replies.
    private(set) var diagnostics: [(step: CheckStep, list: JSON?)] = []
    /// The types of nodes that people expect to touch.
    private(set) var touchableTypes: Set<String> = []
    /// Whether more was shown than was pressed.
    private(set) var isCut = false
    private var hangs = 0

    init(_ host: DryRunHost, payload: JSON, _ inputs: PressInputs) {
        self.host = host
        self.payload = payload
        self.inputs = inputs
    }

    /// Presses until nothing is left.
    ///
    /// - Parameter first: What is shown already.
    /// - Throws: That the host did not answer.
    func run(_ first: JSON) throws(ClientError) {
        show(Shown(first))
        while true {
            if shown == nil, let new = try present() { show(new) }
            guard shown != nil else { return }
            guard !isOver else { return try dismiss() }
            if let target = nextTarget {
                try press(target, nextInput(of: target))
            } else if let target = order.first(where: { left[$0]?.isEmpty == false }) {
                try lead(to: target)
            } else {
                return try dismiss()
            }
        }
    }

    /// What is pressed next of what is shown: what was pressed least often, so that something new comes first.
    private var nextTarget: Target? {
        order.enumerated().filter { left[$1]?.isEmpty == false && isShown($1) }
            .min { key($0) < key($1) }?
            .element
    }

    private func key(_ place: (offset: Int, element: Target)) -> (Int, Int, Int) {
        (PressInputs.isSystem(place.element) ? 1 : 0, counts[place.element] ?? 0, place.offset)
    }

    private func nextInput(of target: Target) -> JSON? {
        var inputs = left[target] ?? []
        let input = inputs.removeFirst()
        left[target] = inputs
        return input
    }

    /// Repeats what had been pressed when a target appeared, and presses it.
    private func lead(to target: Target) throws(ClientError) {
        try dismiss()
        if let new = try present() { show(new) }
        for press in trails[target] ?? [] where !isShown(target) && isShown(press.target) && !isOver {
            try self.press(press.target, press.input)
        }
        guard isShown(target), !isOver else {
            // The way there is another one each time.
            return left[target] = []
        }
        try press(target, nextInput(of: target))
    }

    private var isOver: Bool {
        isCut = isCut || presses.values.reduce(0, +) >= Self.limit
        return isCut || failures.count >= Self.failureLimit || hangs >= Self.hangLimit
    }

    /// Shows the notification again.
    private func present() throws(ClientError) -> Shown? {
        trail = []
        return try host.call("didReceive", ["payload": payload]).result.map(Shown.init)
    }

    private func dismiss() throws(ClientError) {
        if let notification = shown?.notification {
            _ = try host.call("dismiss", ["notification": notification])
        }
        shown = nil
    }

    // MARK: Targets

    /// Takes over what is shown, and notes the targets that are new.
    private func show(_ now: Shown) {
        shown = now
        for node in now.view.nodes {
            if let type = node["type"]?.string, PressInputs.touchable.contains(type) { touchableTypes.insert(type) }
            guard inputs.pressesElements, let id = node["id"]?.string else { continue }
            add(.element(id), .interact, inputs.of(node))
        }
        for action in now.actions {
            guard let identifier = action["identifier"]?.string else { continue }
            add(.action(identifier), .response, inputs.of(action: action))
        }
        for identifier in PressInputs.systemActions { add(.action(identifier), .response, inputs.ofNotification) }
    }

    private func add(_ target: Target, _ step: CheckStep, _ inputs: [JSON?]) {
        guard left[target] == nil, !inputs.isEmpty else { return }
        left[target] = inputs
        trails[target] = trail
        targets[step, default: 0] += 1
        // The notification itself comes last, because that ends most presentations.
        let end = order.firstIndex { PressInputs.isSystem($0) } ?? order.endIndex
        order.insert(target, at: PressInputs.isSystem(target) ? order.endIndex : end)
    }

    private func isShown(_ target: Target) -> Bool {
        guard let now = shown else { return false }
        return switch target {
        case .element(let id): now.view.nodes.contains { $0["id"]?.string == id }
        case .action(let identifier):
            PressInputs.isSystem(target) || now.actions.contains { $0["identifier"]?.string == identifier }
        }
    }

    // MARK: Presses

    private func press(_ target: Target, _ input: JSON?) throws(ClientError) {
        var params: [(String, JSON)] = [("notification", shown?.notification ?? .null)]
        let step: CheckStep
        switch target {
        case .element(let id):
            step = .interact
            params.append(("element", .string(id)))
            if let input { params.append(("value", input)) }
        case .action(let identifier):
            step = .response
            params.append(("actionIdentifier", .string(identifier)))
            if let input { params.append(("userText", input)) }
        }
        let reply = try host.call(step == .interact ? "interact" : "didReceiveResponse", .object(JSON.Object(params)))
        presses[step, default: 0] += 1
        counts[target, default: 0] += 1
        trail.append((target, input))
        note(reply, target, input, step)
    }

    private func note(_ reply: DryRunReply, _ target: Target, _ input: JSON?, _ step: CheckStep) {
        switch reply.verdict {
        case .answered:
            diagnostics.append((step, reply.result?["diagnostics"]))
            let isEnded = reply.result?["option"].map { $0 != "doNotDismiss" } ?? false
            if isEnded { return shown = nil }
            if let view = reply.result?["view"] { shown?.view = view }
            if let actions = reply.result?["actions"]?.array { shown?.actions = Array(actions) }
            if let now = shown { show(now) }
        case .refused: refusals[step, default: 0] += 1
        case .gone: shown = nil
        case .unhandled, .failed:
            failures.append((target, input, reply))
            if reply.isHang {
                hangs += 1
                left[target] = []
            }
            // A process that ended takes its presentations along.
            if reply.reason != "extensionRefused" { shown = nil }
        }
    }
}

extension JSON {
    /// The nodes of a view, itself included, in the order of the tree.
    var nodes: [JSON] { [self] + (self["children"]?.array.map { $0.flatMap(\.nodes) } ?? []) }
}
