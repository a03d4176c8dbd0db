// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import JSON
import PhoneRuntime
public import UIKit

public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
}

/// A layer with the picture of a player; what is played is named in its place.
open class AVPlayerLayer: CALayer, SelfDrawing, @unchecked Sendable {
    // A layer may be changed on any thread.
    open var player: AVPlayer? { didSet { MainQueue.add { ViewChanges.note() } } }
    open var videoGravity = AVLayerVideoGravity.resizeAspect
    open var isReadyForDisplay: Bool { player != nil }
    open var videoRect: CGRect { bounds }
    public convenience init(player: AVPlayer?) {
        self.init()
        self.player = player
    }

    @MainActor package var shownNode: Node? { player?.currentItem?.node }
}

extension AVPlayerItem {
    /// What is played, and how far.
    fileprivate var node: Node? {
        guard let source = asset.source else { return nil }
        let file = try? asset.file?.get()
        let sounds: Set = ["aac", "aif", "aiff", "caf", "m4a", "mp3", "wav"]
        let isVideo = file?.hasVideo ?? !sounds.contains(source.pathExtension.lowercased())
        let state: JSON =
            if asset.failure != nil {
                "failed"
            } else if playhead.rate != 0 && !playhead.isAtEnd {
                "playing"
            } else {
                playhead.isAtEnd ? "ended" : "paused"
            }
        var members: [(String, JSON)] = [
            // A path would say where the extension is installed.
            ("source", .string(source.isFileURL ? source.lastPathComponent : source.absoluteString)),
            ("kind", isVideo ? "video" : "audio"), ("state", state), ("time", Self.seconds(playhead.position)),
        ]
        if let end = playhead.end { members.append(("duration", Self.seconds(end))) }
        return Node("media", members)
    }

    /// Seconds to the millisecond, which is what the clock knows.
    private static func seconds(_ value: Double) -> JSON {
        let rounded = (value * 1_000).rounded() / 1_000
        return Int64(exactly: rounded).map(JSON.integer) ?? .real(rounded)
    }
}

/// The largest rectangle with that shape inside another one.
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect {
    guard aspectRatio.width > 0, aspectRatio.height > 0 else { return boundingRect }
    let scale = min(boundingRect.width / aspectRatio.width, boundingRect.height / aspectRatio.height)
    let size = CGSize(width: aspectRatio.width * scale, height: aspectRatio.height * scale)
    let origin = CGPoint(x: boundingRect.midX - size.width / 2, y: boundingRect.midY - size.height / 2)
    return CGRect(origin: origin, size: size)
}
