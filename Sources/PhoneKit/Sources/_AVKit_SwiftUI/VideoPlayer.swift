// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. A file has them if it imports AVKit and SwiftUI.

@_exported public import AVKit
public import SwiftUI

/// A player with its controls.
public struct VideoPlayer<VideoOverlay: View>: View {
    private let player: AVPlayer?
    private let overlay: VideoOverlay

    public init(player: AVPlayer?, @ViewBuilder videoOverlay: () -> VideoOverlay) {
        (self.player, overlay) = (player, videoOverlay())
    }

    public var body: some View {
        Controller(player: player)
        overlay
    }
}

extension VideoPlayer where VideoOverlay == EmptyView {
    public init(player: AVPlayer?) { self.init(player: player) { EmptyView() } }
}

private struct Controller: UIViewControllerRepresentable {
    let player: AVPlayer?

    typealias Context = UIViewControllerRepresentableContext<Self>

    func makeUIViewController(context: Context) -> AVPlayerViewController { AVPlayerViewController() }

    func updateUIViewController(_ controller: AVPlayerViewController, context: Context) {
        if controller.player !== player { controller.player = player }
    }
}
