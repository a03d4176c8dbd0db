import AVFoundation
import CafeKit
import UIKit
import UserNotifications
import UserNotificationsUI

/// Plays how a coffee is poured; the media button of the notification starts and pauses it.
final class PourSoundController: UIViewController, UNNotificationContentExtension {
    private let records = GuestRecords()
    private let player = AVPlayer()
    private let playerLayer = AVPlayerLayer()
    private let titleLabel = UILabel()
    private let progressView = UIProgressView(progressViewStyle: .bar)
    private var timeObserver: Any?

    override func viewDidLoad() {
        super.viewDidLoad()
        titleLabel.font = .preferredFont(forTextStyle: .headline)
        titleLabel.numberOfLines = 0
        for subview in [titleLabel, progressView] as [UIView] {
            subview.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(subview)
            NSLayoutConstraint.activate([
                subview.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
                subview.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -16),
            ])
        }
        NSLayoutConstraint.activate([
            titleLabel.topAnchor.constraint(equalTo: view.topAnchor, constant: 16),
            progressView.topAnchor.constraint(equalTo: titleLabel.bottomAnchor, constant: 12),
        ])
        playerLayer.player = player
        playerLayer.videoGravity = .resizeAspectFill
        view.layer.addSublayer(playerLayer)

        timeObserver = player.addPeriodicTimeObserver(
            forInterval: CMTime(seconds: 0.5, preferredTimescale: 600),
            queue: .main
        ) { [weak self] time in
            self?.show(time)
        }
        NotificationCenter.default.addObserver(
            self,
            selector: #selector(playedToEnd(_:)),
            name: .AVPlayerItemDidPlayToEndTime,
            object: nil
        )
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        playerLayer.frame = view.bounds
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        player.pause()
        if let timeObserver {
            player.removeTimeObserver(timeObserver)
        }
        timeObserver = nil
    }

    func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        titleLabel.text = content.body
        let name = content.userInfo["sound"] as? String ?? "pour"
        guard let url = Bundle.main.url(forResource: name, withExtension: "wav") else {
            titleLabel.text = "There is no sound today."
            player.replaceCurrentItem(with: nil)
            return
        }
        player.replaceCurrentItem(with: AVPlayerItem(url: url))
    }

    // MARK: - Media

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
        player.currentItem == nil ? .none : .default
    }

    var mediaPlayPauseButtonTintColor: UIColor { .systemBrown }

    func mediaPlay() {
        guard let item = player.currentItem else { return }
        if item.currentTime() >= item.duration {
            player.seek(to: .zero)
        }
        player.play()
        extensionContext?.mediaPlayingStarted()
    }

    func mediaPause() {
        player.pause()
        extensionContext?.mediaPlayingPaused()
    }

    @objc private func playedToEnd(_ notification: Notification) {
        guard let item = notification.object as? AVPlayerItem, item === player.currentItem else { return }
        extensionContext?.mediaPlayingPaused()
        records.logEvent("sound_finished", properties: ["seconds": Int(item.duration.seconds)])
    }

    private func show(_ time: CMTime) {
        guard let duration = player.currentItem?.duration, duration.isNumeric, duration.seconds > 0 else { return }
        progressView.setProgress(Float(time.seconds / duration.seconds), animated: true)
    }
}
