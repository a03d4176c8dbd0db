import CafeKit
import UIKit
import UserNotifications
import UserNotificationsUI

/// Shows an order, and takes the guest's answer.
class OrderCardController: CardController, UNNotificationContentExtension {
    @IBOutlet var buttons: [UIButton] = []

    private var order: Order?

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(cardTapped)))
    }

    func didReceive(_ notification: UNNotification) {
        order = Order(title: notification.request.content.title)
        orderLabel.text = order?.line
    }

    @IBAction private func onMyWay(_ sender: UIButton) {
        sender.isHidden = true
        orderLabel.text = NSLocalizedString("on_my_way", comment: "The guest comes")
    }

    @objc private func cardTapped() {
        view.endEditing(true)
    }
}

extension OrderCardController {
    override func close(_ sender: Any) {
        order = nil
        super.close(sender)
    }
}
