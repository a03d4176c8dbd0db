import CafeKit
import SwiftUI
import UIKit
import UserNotifications
import UserNotificationsUI

/// Lets the guests vote for the drink of the week, with a view of SwiftUI.
final class DrinkVoteController: UIViewController, UNNotificationContentExtension {
    private let vote = DrinkVote()

    override func viewDidLoad() {
        super.viewDidLoad()
        let hosting = UIHostingController(rootView: DrinkVoteView().environment(vote))
        addChild(hosting)
        hosting.view.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(hosting.view)
        NSLayoutConstraint.activate([
            hosting.view.topAnchor.constraint(equalTo: view.topAnchor),
            hosting.view.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            hosting.view.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            hosting.view.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        ])
        hosting.didMove(toParent: self)
        preferredContentSize = hosting.sizeThatFits(in: CGSize(width: view.bounds.width, height: 600))
    }

    func didReceive(_ notification: UNNotification) {
        let info = notification.request.content.userInfo
        vote.question = notification.request.content.title
        vote.candidates = (info["candidates"] as? [[String: Any]] ?? []).compactMap(Candidate.init)
        vote.ending = (info["ends_in"] as? NSNumber)?.intValue ?? 0
    }
}
