internal import JSON
internal import Notifications
internal import PushClient

extension PushSession {
    /// Does a step of the command line.
    func take(_ step: PushStep) throws {
        switch step {
        case .press(let element): try interact(element)
        case .set(let element, let text):
            let isCarousel = shown?.node(element)?["type"] == "carousel"
            try interact(element, isCarousel ? Int64(text).map { .integer($0) } ?? .string(text) : .string(text))
        case .action(let identifier, let text): try respond(identifier, text)
        }
    }
}
