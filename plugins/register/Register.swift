import ExtensionKit
import JSON

/// An invitation with a field for an e-mail address and a button to register.
@main
final class Register: NotificationContentExtension, InteractionHandler, NotificationResponseHandler {
    private enum State {
        /// No valid address was entered; the text is what the user entered.
        case invited(entered: String)
        /// A valid address was entered, so the button is offered.
        case ready(EmailAddress)
        case registered
    }

    private let context: ExtensionContext
    private var state = State.invited(entered: "")
    private var invitation: Invitation?
    private var registration = Registration()

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: DeliveredNotification) throws {
        invitation = try Invitation(notification.request.content)
        draw()
    }

    /// Reads the address when its editing has ended, as on a phone; the button is offered only if the address is valid.
    func interact(_ interaction: Interaction) throws {
        guard interaction.element == "email" else {
            throw ExtensionError(
                reason: "notTouchable",
                "the element \(interaction.element) does nothing when touched; enter an address in email",
                path: "/params/element"
            )
        }
        if case .registered = state { throw Register.alreadyRegistered }
        guard let text = interaction.value?.string else {
            let found = interaction.value.map { "is \($0) (\($0.typeName))" } ?? "is missing"
            let message = "the value of email must be a string, it \(found)"
            throw ExtensionError(reason: "invalidValue", message, path: "/params/value")
        }
        if let email = EmailAddress(text) {
            state = .ready(email)
            context.notificationActions = [action("REGISTER", title: "BUTTON_REGISTER")]
        } else {
            state = .invited(entered: text)
            context.notificationActions = []
        }
        draw()
    }

    func didReceive(
        _ response: NotificationResponse,
        completionHandler completion: @escaping @Sendable (NotificationContentExtensionResponseOption) -> Void
    ) throws {
        switch response.actionIdentifier {
        case "REGISTER":
            try register()
            completion(.doNotDismiss)
        case "CLOSE": completion(.dismiss)
        default: completion(.doNotDismiss)
        }
    }

    private func register() throws(ExtensionError) {
        switch state {
        case .invited:
            throw ExtensionError(reason: "noEmail", "REGISTER needs a valid e-mail address; enter one in email")
        case .ready(let email):
            try registration.save(email, through: context)
            state = .registered
            context.notificationActions = [action("CLOSE", title: "BUTTON_CLOSE")]
            draw()
        case .registered: throw Register.alreadyRegistered
        }
    }

    private func draw() {
        context.view =
            switch state {
            case .invited(let entered): invitation?.view(email: entered, context)
            case .ready(let email): invitation?.view(email: email.text, context)
            case .registered: invitation?.thanks(context)
            }
    }

    private static let alreadyRegistered = ExtensionError(
        reason: "alreadyRegistered",
        "this notification was already used to register; CLOSE dismisses it"
    )

    private func action(_ identifier: String, title key: String) -> NotificationAction {
        let title = context.localizedString(forKey: key)
        return NotificationAction(identifier: identifier, title: title, options: [.authenticationRequired])
    }
}
