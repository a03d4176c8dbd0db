internal import BrazeRules
internal import Calls
package import ExtensionHost
package import Notifications
internal import Suites

/// A notification between its arrival and its presentation, as a state machine without input or output.
enum Reception {
    /// The payload is a template, which must be rendered first.
    case template(PersonalizationTemplate)
    /// The personalization extension has the template.
    case rendering
    /// The payload was read.
    case payload(Payload)
    /// The service extension has the notification.
    case changing
    /// The service extension has answered, so what is shown is known.
    case ready(ReceivedNotification)
    /// It is shown, or an extension is called to show it.
    case shown(ReceivedNotification, Presentation)

    /// Something that happened to the notification.
    enum Event {
        case sentToPersonalization
        case rendered(Payload)
        case sentToService
        case changed(ReceivedNotification)
        case presented(ReceivedNotification, Presentation)
    }

    /// The state after an event; nil if the event cannot happen in this state.
    func after(_ event: Event) -> Reception? {
        switch (self, event) {
        case (.template, .sentToPersonalization): .rendering
        case (.rendering, .rendered(let payload)): .payload(payload)
        case (.payload, .sentToService): .changing
        case (.changing, .changed(let received)): .ready(received)
        // Without a service extension, the payload is what is shown.
        case (.payload, .presented(let received, let presentation)),
            (.ready, .presented(let received, let presentation)):
            .shown(received, presentation)
        case (.template, .rendered), (.template, .sentToService), (.template, .changed), (.template, .presented),
            (.rendering, .sentToPersonalization), (.rendering, .sentToService), (.rendering, .changed),
            (.rendering, .presented), (.payload, .sentToPersonalization), (.payload, .rendered), (.payload, .changed),
            (.changing, .sentToPersonalization), (.changing, .rendered), (.changing, .sentToService),
            (.changing, .presented), (.ready, .sentToPersonalization), (.ready, .rendered), (.ready, .sentToService),
            (.ready, .changed), (.shown, _):
            nil
        }
    }

    /// Whether another extension has the notification, and may change what it is.
    var isAway: Bool {
        switch self {
        case .rendering, .changing: true
        case .template, .payload, .ready, .shown: false
        }
    }
}

/// The subject of a call about a notification.
protocol NotificationObject: CallObject {
    /// The presentation, if there is one.
    var presentation: Presentation? { get }
    /// The extension that shows it, as far as known: a service extension may still change the category; nil if the system does.
    var process: ExtensionProcess? { get }
}

extension NotificationObject {
    /// The App Groups of the extension that shows it.
    package var suites: [SuiteName] { process?.bundle.applicationGroups.compactMap(SuiteName.init) ?? [] }
    package var presentationIdentifier: String? { presentation?.identifier }
    package var extensionIdentifier: String { process?.bundle.identifier ?? "" }
}

/// A notification that a call delivers.
final class Arrival: NotificationObject {
    private(set) var reception: Reception
    var process: ExtensionProcess?
    /// The App Groups of all extensions that may show it, while another extension may still change which one does.
    var suitesOfCandidates: [SuiteName]?

    /// A notification that just arrived, whose payload is a template or was read already.
    init(_ reception: Reception) { self.reception = reception }

    /// Changes the state.
    func handle(_ event: Reception.Event) {
        guard let next = reception.after(event) else { preconditionFailure("\(event) after \(reception)") }
        reception = next
    }

    var presentation: Presentation? { if case .shown(_, let presentation) = reception { presentation } else { nil } }

    var suites: [SuiteName] {
        suitesOfCandidates ?? process?.bundle.applicationGroups.compactMap(SuiteName.init) ?? []
    }

    /// The files that the service extension attached.
    var attachments: [AttachedFile] {
        switch reception {
        case .template, .rendering, .payload, .changing: []
        case .ready(let received), .shown(let received, _): received.content.attachments
        }
    }
}

/// A presentation that a call names, with the payload of the notification in it that the call is about.
package final class NamedPresentation: NotificationObject {
    package let presentation: Presentation?
    package let payload: Payload

    package init(_ presentation: Presentation, _ payload: Payload) {
        (self.presentation, self.payload) = (presentation, payload)
    }

    package var process: ExtensionProcess? { presentation?.process }
}

extension Invocation {
    /// The notification that the call delivers, if it delivers one.
    var arrival: Arrival? { object as? Arrival }

    /// The presentation that the call is about, if it is known.
    package var presentation: Presentation? { (object as? any NotificationObject)?.presentation }

    /// The extension that shows the notification; nil if the system does.
    package var process: ExtensionProcess? { (object as? any NotificationObject)?.process }
}
