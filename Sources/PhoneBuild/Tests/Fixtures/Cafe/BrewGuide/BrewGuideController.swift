import CafeKit
import UIKit
import UserNotifications
import UserNotificationsUI
import os

/// Guides through a recipe; the media button of the notification starts and pauses it.
final class BrewGuideController: UIViewController, UNNotificationContentExtension {
    private let records = GuestRecords()
    private let logger = Logger(subsystem: "com.example.cafe", category: "brew")
    private var recipe: Recipe?
    private var elapsed = 0
    private var timer: Timer?

    private let drinkLabel = UILabel()
    private let stepLabel = UILabel()
    private let timeLabel = UILabel()
    private let progressView = UIProgressView(progressViewStyle: .bar)

    override func viewDidLoad() {
        super.viewDidLoad()
        drinkLabel.font = .boldSystemFont(ofSize: 22)
        stepLabel.numberOfLines = 0
        timeLabel.font = .monospacedDigitSystemFont(ofSize: 15, weight: .regular)
        timeLabel.textAlignment = .right
        progressView.progressTintColor = .systemBrown
        for subview in [drinkLabel, stepLabel, timeLabel, progressView] as [UIView] {
            subview.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(subview)
            NSLayoutConstraint.activate([
                subview.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
                subview.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -16),
            ])
        }
        NSLayoutConstraint.activate([
            drinkLabel.topAnchor.constraint(equalTo: view.topAnchor, constant: 72),
            stepLabel.topAnchor.constraint(equalTo: drinkLabel.bottomAnchor, constant: 8),
            progressView.topAnchor.constraint(equalTo: stepLabel.bottomAnchor, constant: 16),
            timeLabel.topAnchor.constraint(equalTo: progressView.bottomAnchor, constant: 8),
        ])
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        stop()
    }

    func didReceive(_ notification: UNNotification) {
        stop()
        elapsed = 0
        recipe = Recipe(userInfo: notification.request.content.userInfo)
        if recipe == nil {
            logger.error("The notification has no recipe")
        }
        drinkLabel.text = recipe?.drink ?? notification.request.content.title
        update()
    }

    // MARK: - Media

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
        recipe == nil ? .none : .default
    }

    var mediaPlayPauseButtonFrame: CGRect {
        CGRect(x: view.bounds.midX - 22, y: 16, width: 44, height: 44)
    }

    var mediaPlayPauseButtonTintColor: UIColor { .systemBrown }

    func mediaPlay() {
        guard let recipe else { return }
        if elapsed == recipe.seconds {
            elapsed = 0
        }
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
            self?.secondPassed()
        }
        extensionContext?.mediaPlayingStarted()
        update()
    }

    func mediaPause() {
        stop()
        extensionContext?.mediaPlayingPaused()
        update()
    }

    private func secondPassed() {
        guard let recipe else { return }
        elapsed += 1
        if elapsed == recipe.seconds {
            stop()
            extensionContext?.mediaPlayingPaused()
            records.logEvent("recipe_finished", properties: ["drink": recipe.drink])
        }
        update()
    }

    private func stop() {
        timer?.invalidate()
        timer = nil
    }

    private func update() {
        guard let recipe else {
            stepLabel.text = "There is no recipe today."
            timeLabel.text = nil
            progressView.isHidden = true
            return
        }
        stepLabel.text = recipe.step(at: elapsed)?.title ?? "Enjoy your \(recipe.drink)!"
        timeLabel.text = "\(elapsed) / \(recipe.seconds) s"
        progressView.isHidden = false
        progressView.setProgress(Float(elapsed) / Float(recipe.seconds), animated: true)
    }
}
