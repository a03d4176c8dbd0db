// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

@_exported public import AVFoundation
@_exported public import UIKit

/// A controller of a player: its view names what is played, and has a button that plays and pauses.
@preconcurrency @MainActor
open class AVPlayerViewController: UIViewController {
    open var player: AVPlayer? { didSet { playerLayer.player = player } }
    open var showsPlaybackControls = true { didSet { button.isHidden = !showsPlaybackControls } }
    open var videoGravity = AVLayerVideoGravity.resizeAspect
    open var allowsPictureInPicturePlayback = true
    open var entersFullScreenWhenPlaybackBegins = false
    open var exitsFullScreenWhenPlaybackEnds = false
    open var updatesNowPlayingInfoCenter = true
    open var isReadyForDisplay: Bool { player?.currentItem != nil }
    open private(set) lazy var contentOverlayView: UIView? = UIView(frame: view.bounds)
    private let playerLayer = AVPlayerLayer()
    private lazy var button = UIButton(
        type: .system,
        primaryAction: UIAction(title: "▶ ❚❚") { [unowned self] _ in
            guard let player else { return }
            if player.rate == 0 { player.play() } else { player.pause() }
        }
    )

    open override func viewDidLoad() {
        super.viewDidLoad()
        view.layer.addSublayer(playerLayer)
        view.addSubview(button)
        if let contentOverlayView { view.addSubview(contentOverlayView) }
    }
}
