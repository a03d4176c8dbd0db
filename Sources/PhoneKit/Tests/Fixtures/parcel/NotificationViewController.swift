import SwiftUI
import UIKit
import UserNotifications
import UserNotificationsUI

/// Shows a parcel's way with SwiftUI, and lets its stops be ticked off.
final class NotificationViewController: UIViewController, UNNotificationContentExtension {
    private let model = ParcelModel()

    override func viewDidLoad() {
        super.viewDidLoad()
        let hosting = UIHostingController(rootView: ParcelView(model: model))
        addChild(hosting)
        view.addSubview(hosting.view)
        hosting.view.translatesAutoresizingMaskIntoConstraints = false
        NSLayoutConstraint.activate([
            hosting.view.topAnchor.constraint(equalTo: view.topAnchor),
            hosting.view.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            hosting.view.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            hosting.view.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        ])
        hosting.didMove(toParent: self)
    }

    func didReceive(_ notification: UNNotification) {
        model.title = notification.request.content.title
        model.stops = (notification.request.content.userInfo["stops"] as? [String] ?? []).map(Stop.init)
    }
}
