import UIKit
import UserNotifications
import UserNotificationsUI

class NotificationViewController: UIViewController, UNNotificationContentExtension {

    weak var headerLabel: UILabel!
    weak var detailLabel: UILabel!
    weak var emailTextField: UITextField!
    weak var formStackView: UIStackView!
    weak var thanksLabel: UILabel!
    var topicButtons: [UIButton]!

    private var topics: Set<String> = []
    private var isEmailValid = false

    override func viewDidLoad() {
        super.viewDidLoad()
        emailTextField.delegate = self
        thanksLabel.isHidden = true
    }

    func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        headerLabel.text = content.title
        guard let detail = content.userInfo["newsletter_detail"] as? String else { return }
        detailLabel.text = detail
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        switch response.actionIdentifier {
        case "SUBSCRIBE":
            guard isEmailValid else { return completion(.doNotDismiss) }
            saveSubscription()
            formStackView.isHidden = true
            thanksLabel.isHidden = false
            extensionContext?.notificationActions = []
            DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) {
                completion(.dismiss)
            }
        default:
            completion(.dismissAndForwardAction)
        }
    }

    @IBAction func topicTapped(_ sender: UIButton) {
        sender.isSelected.toggle()
        guard let topic = sender.title(for: .normal) else { return }
        if sender.isSelected {
            topics.insert(topic)
        } else {
            topics.remove(topic)
        }
    }

    private func saveSubscription() {
        let storage = PendingStorage(suite: "group.com.example.newsletter")
        storage.append(event: "newsletter_subscribed", properties: ["topics": topics.sorted(), "count": topics.count])
        storage.append(attribute: ["newsletter": true])
        storage.append(email: emailTextField.text)
    }
}

// MARK: - UITextFieldDelegate
extension NotificationViewController: UITextFieldDelegate {
    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool {
        let text = (textField.text as NSString?)?.replacingCharacters(in: range, with: string) ?? string
        isEmailValid = text.isEmail
        let subscribe = UNNotificationAction(identifier: "SUBSCRIBE", title: "Subscribe", options: [])
        extensionContext?.notificationActions = isEmailValid ? [subscribe] : []
        return true
    }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        textField.resignFirstResponder()
        return true
    }
}

extension String {
    var isEmail: Bool {
        let format = "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,64}"
        return NSPredicate(format: "SELF MATCHES %@", format).evaluate(with: self)
    }
}
