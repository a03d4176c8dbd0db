import CafeKit
import UIKit
import UserNotifications
import UserNotificationsUI

/// Takes a booking: the button for it appears as soon as the form is complete.
final class TableBookingController: UIViewController, UNNotificationContentExtension {
    private enum Action {
        static let book = "BOOK"
        static let later = "LATER"
    }

    private let records = GuestRecords()
    private var form = BookingForm() {
        didSet { formChanged() }
    }

    private let promptLabel = UILabel()
    private let nameField = UITextField()
    private let emailField = UITextField()
    private let guestsLabel = UILabel()
    private let guestsStepper = UIStepper()
    private let problemLabel = UILabel()

    override func loadView() {
        let guestsRow = UIStackView(arrangedSubviews: [guestsLabel, guestsStepper])
        let stack = UIStackView(arrangedSubviews: [promptLabel, nameField, emailField, guestsRow, problemLabel])
        stack.axis = .vertical
        stack.spacing = 10
        stack.isLayoutMarginsRelativeArrangement = true
        stack.layoutMargins = UIEdgeInsets(top: 16, left: 16, bottom: 16, right: 16)
        view = stack
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        promptLabel.font = .preferredFont(forTextStyle: .headline)
        promptLabel.numberOfLines = 0
        problemLabel.font = .preferredFont(forTextStyle: .footnote)
        problemLabel.textColor = .systemRed

        nameField.placeholder = NSLocalizedString("name", comment: "Placeholder")
        nameField.textContentType = .name
        nameField.autocapitalizationType = .words
        emailField.placeholder = NSLocalizedString("email", comment: "Placeholder")
        emailField.textContentType = .emailAddress
        emailField.keyboardType = .emailAddress
        emailField.autocapitalizationType = .none
        for field in [nameField, emailField] {
            field.borderStyle = .roundedRect
            field.returnKeyType = .next
            field.delegate = self
            field.addTarget(self, action: #selector(textChanged(_:)), for: .editingChanged)
        }

        guestsStepper.minimumValue = 1
        guestsStepper.maximumValue = 8
        guestsStepper.value = Double(form.guests)
        guestsStepper.addTarget(self, action: #selector(guestsChanged(_:)), for: .valueChanged)
    }

    func didReceive(_ notification: UNNotification) {
        promptLabel.text = notification.request.content.body
        form.name = records.defaults.string(forKey: "guest_name") ?? ""
        nameField.text = form.name
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        switch response.actionIdentifier {
        case Action.book where form.problem == nil:
            book()
            DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) { completion(.dismiss) }
        case Action.book:
            completion(.doNotDismiss)
        case Action.later:
            records.logEvent("booking_postponed")
            completion(.dismiss)
        default:
            completion(.dismissAndForwardAction)
        }
    }

    // MARK: - Form

    @objc private func textChanged(_ sender: UITextField) {
        if sender === nameField {
            form.name = sender.text ?? ""
        } else {
            form.email = sender.text ?? ""
        }
    }

    @objc private func guestsChanged(_ sender: UIStepper) {
        form.guests = Int(sender.value)
    }

    private func formChanged() {
        guestsLabel.text = String(format: NSLocalizedString("guests", comment: "Number of guests"), form.guests)
        problemLabel.text = form.problem?.text
        problemLabel.isHidden = form.problem == nil
        let later = UNNotificationAction(
            identifier: Action.later,
            title: NSLocalizedString("later", comment: "Action"),
            options: []
        )
        let book = UNNotificationAction(
            identifier: Action.book,
            title: NSLocalizedString("book", comment: "Action"),
            options: [.authenticationRequired]
        )
        extensionContext?.notificationActions = form.problem == nil ? [book, later] : [later]
    }

    private func book() {
        records.logEvent("table_booked", properties: ["guests": form.guests])
        records.setCustomAttribute("has_booked", to: true)
        records.setUserAttribute("first_name", to: form.name)
        records.setUserAttribute("email", to: form.email)
        view.endEditing(true)
        promptLabel.text = NSLocalizedString("booked", comment: "The table is booked")
        for subview in [nameField, emailField, guestsStepper] as [UIView] {
            subview.isHidden = true
        }
        extensionContext?.notificationActions = []
    }
}

// MARK: - UITextFieldDelegate

extension TableBookingController: UITextFieldDelegate {
    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        if textField === nameField {
            emailField.becomeFirstResponder()
        } else {
            textField.resignFirstResponder()
        }
        return true
    }
}
