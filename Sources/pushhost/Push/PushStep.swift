internal import ArgumentParser
internal import JSON
internal import Notifications
internal import PushClient
internal import Synchronization

/// Something that the command line does to what is shown.
enum PushStep: Equatable {
    case press(String)
    case set(element: String, text: String)
    case action(String, text: String?)
    case wait(milliseconds: Int64)
}

/// The value of an option with its position among all options, so that several options can be read in their order.
struct OrderedValue: ExpressibleByArgument, Equatable {
    private static let count = Atomic<Int>(0)

    let value: String
    let position: Int

    init(argument: String) {
        value = argument
        position = Self.count.add(1, ordering: .relaxed).newValue
    }
}

/// The options that press, enter and respond.
struct PushStepOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Press the element with this id; repeat for more.", valueName: "element"),
        completion: Completions.elements
    )
    var press: [OrderedValue] = []

    @Option(
        help: ArgumentHelp(
            "Enter a text in a field, or turn a carousel to a page, counted from 0.",
            valueName: "element=text"
        )
    )
    var set: [OrderedValue] = []

    @Option(
        help: ArgumentHelp("Press the action with this identifier.", valueName: "id"),
        completion: Completions.actions
    )
    var action: [OrderedValue] = []

    @Option(help: ArgumentHelp("Enter this text for the preceding --action.", valueName: "text"))
    var text: [OrderedValue] = []

    @Option(
        help: ArgumentHelp(
            "Let this much time pass for the extension's timers, at once and the same in each run.",
            valueName: "seconds"
        )
    )
    var wait: [OrderedValue] = []

    func validate() throws { _ = try steps() }

    /// What is to be done, in the order of the command line.
    func steps() throws -> [PushStep] {
        let words =
            press.map { ($0, "press") } + set.map { ($0, "set") } + action.map { ($0, "action") }
            + text.map { ($0, "text") } + wait.map { ($0, "wait") }
        var steps: [PushStep] = []
        for (word, option) in words.sorted(by: { $0.0.position < $1.0.position }) {
            switch option {
            case "press": steps.append(.press(word.value))
            case "action": steps.append(.action(word.value, text: nil))
            case "set":
                let parts = word.value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, !parts[0].isEmpty else {
                    throw ValidationError("--set \(word.value): it must be ELEMENT=TEXT")
                }
                steps.append(.set(element: String(parts[0]), text: String(parts[1])))
            case "wait": steps.append(.wait(milliseconds: try Self.milliseconds(word.value)))
            default:
                guard case .action(let identifier, nil) = steps.last else {
                    throw ValidationError("--text \(word.value): it must follow the --action that asks for a text")
                }
                steps[steps.count - 1] = .action(identifier, text: word.value)
            }
        }
        return steps
    }

    private static func milliseconds(_ seconds: String) throws -> Int64 {
        guard let number = Double(seconds), (0.001...86_400).contains(number) else {
            throw ValidationError("--wait \(seconds): it must be a number of seconds from 0.001 to 86400")
        }
        return Int64((number * 1_000).rounded())
    }
}

extension PushSession {
    /// Does a step of the command line.
    func take(_ step: PushStep) throws {
        switch step {
        case .press(let element): try interact(element)
        case .set(let element, let text):
            let isCarousel = shown?.node(element)?["type"] == "carousel"
            try interact(element, isCarousel ? Int64(text).map { .integer($0) } ?? .string(text) : .string(text))
        case .action(let identifier, let text): try respond(identifier, text)
        case .wait(let milliseconds): try wait(milliseconds: milliseconds)
        }
    }
}
