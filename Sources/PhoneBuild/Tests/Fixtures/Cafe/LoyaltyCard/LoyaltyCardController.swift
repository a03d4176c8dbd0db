import CafeKit
import UIKit
import UserNotifications
import UserNotificationsUI

/// The guest's card: what the campaign offers, with the stamps and the name that the app knows.
final class LoyaltyCardController: UIViewController, UNNotificationContentExtension {
    private enum Key {
        static let name = "guest_name"
        static let favourite = "favourite_drink"
        static let stamps = "stamps"
    }

    private let records = GuestRecords()
    private var offer = LoyaltyOffer(userInfo: [:])

    private let greetingLabel = UILabel()
    private let rewardLabel = UILabel()
    private let stampsView = StampsView()
    private let progressView = UIProgressView(progressViewStyle: .default)
    private let validLabel = UILabel()
    private lazy var redeemButton: UIButton = {
        var configuration = UIButton.Configuration.filled()
        configuration.title = "Redeem"
        configuration.image = UIImage(systemName: "gift.fill")
        configuration.imagePadding = 6
        return UIButton(configuration: configuration, primaryAction: UIAction { [weak self] _ in self?.redeem() })
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        view.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16)

        greetingLabel.font = .preferredFont(forTextStyle: .title2)
        rewardLabel.font = .preferredFont(forTextStyle: .body)
        validLabel.font = .preferredFont(forTextStyle: .footnote)
        validLabel.textColor = .secondaryLabel
        for label in [greetingLabel, rewardLabel, validLabel] {
            label.numberOfLines = 0
            label.adjustsFontForContentSizeCategory = true
        }

        let stack = UIStackView(arrangedSubviews: [
            greetingLabel, rewardLabel, stampsView, progressView, validLabel, redeemButton,
        ])
        stack.axis = .vertical
        stack.spacing = 12
        stack.setCustomSpacing(4, after: greetingLabel)
        stack.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(stack)
        let margins = view.layoutMarginsGuide
        NSLayoutConstraint.activate([
            stack.topAnchor.constraint(equalTo: margins.topAnchor),
            stack.leadingAnchor.constraint(equalTo: margins.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: margins.trailingAnchor),
            stack.bottomAnchor.constraint(lessThanOrEqualTo: margins.bottomAnchor),
        ])
    }

    func didReceive(_ notification: UNNotification) {
        offer = LoyaltyOffer(userInfo: notification.request.content.userInfo)
        let name = records.defaults.string(forKey: Key.name)
        greetingLabel.text = name.map { "Hello \($0)" } ?? notification.request.content.title
        rewardLabel.text = rewardText
        validLabel.text = offer.validUntil.map { "Valid until \(Self.dateFormatter.string(from: $0))" }
        validLabel.isHidden = validLabel.text == nil
        showStamps()
    }

    private static let dateFormatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_GB")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "d MMMM yyyy"
        return formatter
    }()

    private var rewardText: String {
        guard let name = records.defaults.string(forKey: Key.favourite), let drink = Drink(rawValue: name) else {
            return "A full card is worth \(offer.reward)."
        }
        return "A full card is worth \(offer.reward), for example your \(drink.title)."
    }

    private func showStamps() {
        let stamps = min(records.defaults.integer(forKey: Key.stamps), offer.goal)
        stampsView.show(stamps, of: offer.goal)
        progressView.setProgress(Float(stamps) / Float(offer.goal), animated: true)
        redeemButton.isEnabled = stamps == offer.goal
    }

    private func redeem() {
        records.logEvent("reward_redeemed", properties: ["reward": offer.reward, "stamps": offer.goal])
        records.setCustomAttribute("last_reward", to: offer.reward)
        records.defaults.set(0, forKey: Key.stamps)
        showStamps()
        if let link = offer.link {
            extensionContext?.open(link, completionHandler: nil)
        }
    }
}
