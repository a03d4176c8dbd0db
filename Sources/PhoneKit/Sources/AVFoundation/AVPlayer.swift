// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. Media are named where they would be seen, and never played:
// a player goes through its states, and nothing ends by itself.

public import Foundation
import PhoneRuntime
public import PhoneShadows
public import UIKit

/// A medium.
open class AVAsset: NSObject, @unchecked Sendable {
    let source: URL?
    init(source: URL?) { self.source = source }
    public convenience init(url URL: URL) { self.init(source: URL) }
    open var duration: CMTime { .indefinite }
    open var isPlayable: Bool { true }
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
    {
        handler?()
    }
    open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus { .loaded }
    open func cancelLoading() {}
}

public enum AVKeyValueStatus: Int, Sendable {
    case unknown, loading, loaded, failed, cancelled
}

/// A medium at a URL.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    open var url: URL { source ?? URL(fileURLWithPath: "/") }
    public init(url URL: URL, options: [String: Any]? = nil) { super.init(source: URL) }
}

/// A medium as a player has it; ready in the next turn of the main loop.
@preconcurrency @MainActor
open class AVPlayerItem: NSObject {
    public enum Status: Int, Sendable {
        case unknown, readyToPlay, failed
    }

    public let asset: AVAsset
    open private(set) var status = Status.unknown { didSet { PhoneObject.didChange(self, "status") } }
    open private(set) var error: (any Error)?
    open fileprivate(set) var time = CMTime.zero
    open var duration: CMTime { asset.duration }
    open var isPlaybackLikelyToKeepUp: Bool { status == .readyToPlay }
    open var isPlaybackBufferEmpty: Bool { false }
    open var loadedTimeRanges: [NSValue] { [] }
    open var presentationSize: CGSize { .zero }
    open var preferredForwardBufferDuration: TimeInterval = 0
    open var forwardPlaybackEndTime = CMTime.invalid

    public init(asset: AVAsset) {
        self.asset = asset
        super.init()
        MainQueue.add { [weak self] in self?.status = .readyToPlay }
    }
    public convenience init(url URL: URL) { self.init(asset: AVURLAsset(url: URL)) }
    public convenience init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) { self.init(asset: asset) }

    open func currentTime() -> CMTime { time }
    open func seek(to time: CMTime, completionHandler: ((Bool) -> Void)?) {
        self.time = time
        completionHandler?(true)
    }
}

extension NSNotification.Name {
    public static let AVPlayerItemDidPlayToEndTime = NSNotification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    public static let AVPlayerItemFailedToPlayToEndTime = NSNotification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification"
    )
    public static let AVPlayerItemPlaybackStalled = NSNotification.Name("AVPlayerItemPlaybackStalledNotification")
    public static let AVPlayerItemNewAccessLogEntry = NSNotification.Name("AVPlayerItemNewAccessLogEntry")
}

/// A player, whose rate and status are those of one that plays.
@preconcurrency @MainActor
open class AVPlayer: NSObject {
    public enum Status: Int, Sendable {
        case unknown, readyToPlay, failed
    }
    public enum TimeControlStatus: Int, Sendable {
        case paused, waitingToPlayAtSpecifiedRate, playing
    }
    public enum ActionAtItemEnd: Int, Sendable {
        case advance, pause, none
    }

    open private(set) var currentItem: AVPlayerItem? {
        didSet {
            PhoneObject.didChange(self, "currentItem")
            ViewChanges.note()
        }
    }
    open var rate: Float = 0 {
        didSet {
            guard rate != oldValue else { return }
            PhoneObject.didChange(self, "rate")
            PhoneObject.didChange(self, "timeControlStatus")
        }
    }
    open var status: Status { .readyToPlay }
    open var timeControlStatus: TimeControlStatus { rate == 0 ? .paused : .playing }
    open var error: (any Error)? { nil }
    open var actionAtItemEnd = ActionAtItemEnd.pause
    open var volume: Float = 1
    open var isMuted = false
    open var allowsExternalPlayback = true
    open var automaticallyWaitsToMinimizeStalling = true
    open var preventsDisplaySleepDuringVideoPlayback = true
    open var defaultRate: Float = 1

    @MainActor public override init() { super.init() }
    public convenience init(url URL: URL) { self.init(playerItem: AVPlayerItem(url: URL)) }
    public init(playerItem item: AVPlayerItem?) {
        currentItem = item
        super.init()
    }

    open func play() { rate = defaultRate }
    open func pause() { rate = 0 }
    open func playImmediately(atRate rate: Float) { self.rate = rate }
    open func replaceCurrentItem(with item: AVPlayerItem?) { currentItem = item }
    open func currentTime() -> CMTime { currentItem?.time ?? .zero }
    open func seek(to time: CMTime) { currentItem?.time = time }
    open func seek(to time: CMTime, completionHandler: @escaping (Bool) -> Void) {
        seek(to: time)
        completionHandler(true)
    }
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) { seek(to: time) }
    open func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: @escaping (Bool) -> Void
    ) { seek(to: time, completionHandler: completionHandler) }
    open func addPeriodicTimeObserver(
        forInterval interval: CMTime,
        queue: PhoneShadows.DispatchQueue?,
        using block: @escaping (CMTime) -> Void
    ) -> Any { NSObject() }
    open func addBoundaryTimeObserver(
        forTimes times: [NSValue],
        queue: PhoneShadows.DispatchQueue?,
        using block: @escaping () -> Void
    ) -> Any { NSObject() }
    open func removeTimeObserver(_ observer: Any) {}
}

/// A player of several media, one after the other.
@preconcurrency @MainActor
open class AVQueuePlayer: AVPlayer {
    private var queue: [AVPlayerItem] = []
    public init(items: [AVPlayerItem]) {
        queue = items
        super.init(playerItem: items.first)
    }
    public override init(playerItem item: AVPlayerItem?) {
        queue = [item].compactMap { $0 }
        super.init(playerItem: item)
    }
    @MainActor public convenience override init() { self.init(items: []) }
    open func items() -> [AVPlayerItem] { queue }
    open func advanceToNextItem() {
        if !queue.isEmpty { queue.removeFirst() }
        replaceCurrentItem(with: queue.first)
    }
    open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) { queue.append(item) }
    open func removeAllItems() {
        queue = []
        replaceCurrentItem(with: nil)
    }
}

/// Plays a medium again and again.
@preconcurrency @MainActor
open class AVPlayerLooper: NSObject {
    private let player: AVQueuePlayer
    public init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem) {
        self.player = player
        super.init()
        player.replaceCurrentItem(with: itemToLoop)
    }
    open func disableLooping() {}
}

public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
}

/// A layer with the picture of a player; what is played is named in its place.
open class AVPlayerLayer: CALayer, TextualLayer, @unchecked Sendable {
    open var player: AVPlayer?
    open var videoGravity = AVLayerVideoGravity.resizeAspect
    open var isReadyForDisplay: Bool { player != nil }
    open var videoRect: CGRect { bounds }
    public convenience init(player: AVPlayer?) {
        self.init()
        self.player = player
    }

    @MainActor package var shownText: String? {
        player?.currentItem?.asset.source.map { "▶ \($0.lastPathComponent)" }
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
