import UIKit
import UserNotifications
import UserNotificationsUI
import os

class NotificationViewController: UIViewController, UNNotificationContentExtension {

    private let log = OSLog(subsystem: "com.example.review", category: "view")
    private let starsControl = UISegmentedControl(items: ["1", "2", "3", "4", "5"])
    private let shareSwitch = UISwitch()
    private let moodSlider = UISlider()
    private let photoView = UIView()
    private let photoLabel = UILabel()
    private let sendButton = UIButton(type: .system)
    private let spinner = UIActivityIndicatorView(style: .medium)
    private let statusLabel = UILabel()
    private let service = ReviewService()

    override func viewDidLoad() {
        super.viewDidLoad()

        photoLabel.text = "Tap to add a photo"
        photoView.addSubview(photoLabel)
        let tap = UITapGestureRecognizer(target: self, action: Selector("photoTapped:"))
        photoView.addGestureRecognizer(tap)

        moodSlider.maximumValue = 10
        moodSlider.addTarget(self, action: Selector("moodChanged"), for: .valueChanged)
        shareSwitch.accessibilityLabel = "Share"
        sendButton.setTitle("Send", for: .normal)
        sendButton.setTitle("Choose stars first", for: .disabled)
        sendButton.isEnabled = false
        sendButton.addTarget(self, action: Selector("sendTapped"), for: .touchUpInside)
        starsControl.addAction(
            UIAction { [unowned self] _ in self.sendButton.isEnabled = true },
            for: .valueChanged
        )

        let stack = UIStackView()
        stack.axis = .vertical
        stack.translatesAutoresizingMaskIntoConstraints = false
        for subview in [starsControl, shareSwitch, moodSlider, photoView, sendButton, spinner, statusLabel] {
            stack.addArrangedSubview(subview)
        }
        view.addSubview(stack)

        NotificationCenter.default.addObserver(
            self,
            selector: Selector("reviewSent:"),
            name: ReviewService.sent,
            object: nil
        )
    }

    func didReceive(_ notification: UNNotification) {
        statusLabel.text = notification.request.content.body
    }

    func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
        guard let response = response as? UNTextInputNotificationResponse else { return .dismissAndForwardAction }
        await service.send(stars: starsControl.selectedSegmentIndex + 1, text: response.userText)
        return response.userText.isEmpty ? .doNotDismiss : .dismiss
    }

    func photoTapped(_ recognizer: UITapGestureRecognizer) {
        let alert = UIAlertController(title: "Photo", message: "Name it", preferredStyle: .alert)
        alert.addTextField { $0.placeholder = "Name" }
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        alert.addAction(
            UIAlertAction(title: "Add", style: .default) { [weak self, weak alert] _ in
                self?.photoLabel.text = alert?.textFields?.first?.text
            }
        )
        present(alert, animated: true)
    }

    func moodChanged() {
        statusLabel.text = "Mood \(Int(moodSlider.value))"
        os_log("mood %{public}d", log: log, type: .debug, Int(moodSlider.value))
    }

    func sendTapped() {
        spinner.startAnimating()
        sendButton.isHidden = true
        Task {
            await service.send(stars: starsControl.selectedSegmentIndex + 1, text: nil)
            spinner.stopAnimating()
        }
    }

    func reviewSent(_ notification: Notification) {
        let stars = notification.userInfo?["stars"] as? Int ?? 0
        statusLabel.text = "Thank you for \(stars) stars"
    }
}
