import UIKit
import UserNotifications
import UserNotificationsUI

/// Counts down to the end of a sale with async/await, and can be stopped.
final class NotificationViewController: UIViewController, UNNotificationContentExtension {
    private let label = UILabel()
    private let stopButton = UIButton(type: .system)
    private var countdown: Task<Void, Never>?

    override func viewDidLoad() {
        super.viewDidLoad()
        stopButton.setTitle("Stop", for: .normal)
        stopButton.accessibilityIdentifier = "stop"
        stopButton.addAction(UIAction { [weak self] _ in self?.countdown?.cancel() }, for: .touchUpInside)
        let stack = UIStackView(arrangedSubviews: [label, stopButton])
        stack.axis = .vertical
        view.addSubview(stack)
    }

    func didReceive(_ notification: UNNotification) {
        let end = Date().addingTimeInterval(5)
        countdown = Task { [weak self] in
            do {
                while end > .now {
                    self?.label.text = "\(Int(end.timeIntervalSinceNow.rounded())) s left"
                    try await Task.sleep(for: .seconds(1))
                }
                self?.label.text = "Over"
            } catch {
                self?.label.text = "Stopped"
            }
        }
    }
}
