// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

@_exported public import AVFoundation
@_exported public import UIKit

/// A controller of a player: its view shows what is played, and a touch of it plays and pauses.
@preconcurrency @MainActor
open class AVPlayerViewController: UIViewController {
    open var player: AVPlayer? { didSet { screen.playerLayer?.player = player } }
    open var showsPlaybackControls = true { didSet { screen.isUserInteractionEnabled = showsPlaybackControls } }
    open var videoGravity = AVLayerVideoGravity.resizeAspect
    open var allowsPictureInPicturePlayback = true
    open var entersFullScreenWhenPlaybackBegins = false
    open var exitsFullScreenWhenPlaybackEnds = false
    open var updatesNowPlayingInfoCenter = true
    open var isReadyForDisplay: Bool { player?.currentItem != nil }
    open private(set) lazy var contentOverlayView: UIView? = UIView(frame: view.bounds)
    private let screen = Screen()

    open override func viewDidLoad() {
        super.viewDidLoad()
        screen.accessibilityIdentifier = "player"
        screen.addAction(
            UIAction { [unowned self] _ in
                guard let player else { return }
                guard player.rate == 0 else { return player.pause() }
                if let item = player.currentItem, item.duration.isNumeric, item.currentTime() >= item.duration {
                    player.seek(to: .zero)
                }
                player.play()
            },
            for: .touchUpInside
        )
        view.addSubview(screen)
        if let contentOverlayView { view.addSubview(contentOverlayView) }
    }
}

/// What is played, as a control.
private final class Screen: UIControl {
    override class var layerClass: AnyClass { AVPlayerLayer.self }
    var playerLayer: AVPlayerLayer? { layer as? AVPlayerLayer }
}
