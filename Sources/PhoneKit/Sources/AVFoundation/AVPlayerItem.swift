// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. Nothing is decoded or fetched: the length of a local file is
// read from its header, and that of media at another URL is not known.

public import Foundation
public import PhoneRuntime

/// A medium.
open class AVAsset: NSObject, @unchecked Sendable {
    let source: URL?
    /// The header of a local file; nil for what would have to be fetched.
    lazy var file: Result<MediaFile, MediaFile.Failure>? = source.flatMap { url in
        guard url.isFileURL else { return nil }
        return Result { () throws(MediaFile.Failure) in try MediaFile(url: url) }
    }
    init(source: URL?) { self.source = source }
    public convenience init(url URL: URL) { self.init(source: URL) }
    open var duration: CMTime { (try? file?.get().duration) ?? .indefinite }
    open var isPlayable: Bool { failure == nil }
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
    {
        handler?()
    }
    open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
        outError?.pointee = failure
        return failure == nil ? .loaded : .failed
    }
    open func cancelLoading() {}

    /// Why a local file cannot be played, as a phone says it.
    var failure: NSError? {
        guard case .failure(let failure) = file else { return nil }
        return AVError.error(failure, source)
    }
}

/// A property that is loaded in a task.
public class AVPartialAsyncProperty<Root>: @unchecked Sendable {
    fileprivate init() {}
}

public final class AVAsyncProperty<Root, T>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    fileprivate let path: KeyPath<Root, T>
    fileprivate init(_ path: KeyPath<Root, T>) { self.path = path }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    public static var duration: AVAsyncProperty<Root, CMTime> { AVAsyncProperty(\.duration) }
    public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty(\.isPlayable) }
}

extension AVAsset {
    public func load<T>(_ property: AVAsyncProperty<AVAsset, T>) async throws -> T {
        if let failure { throw failure }
        return self[keyPath: property.path]
    }
}

public enum AVKeyValueStatus: Int, Sendable {
    case unknown, loading, loaded, failed, cancelled
}

public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

enum AVError {
    /// What a phone throws for a file that it cannot play, with what is wrong with it.
    static func error(_ failure: MediaFile.Failure, _ url: URL?) -> NSError {
        let text = "\(url?.lastPathComponent ?? "The data") cannot be played: \(failure.text)"
        return NSError(domain: AVFoundationErrorDomain, code: -11_828, userInfo: [NSLocalizedDescriptionKey: text])
    }
}

/// A medium at a URL.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    open var url: URL { source ?? URL(fileURLWithPath: "/") }
    public init(url URL: URL, options: [String: Any]? = nil) { super.init(source: URL) }
}

/// A medium as a player has it; ready, or not playable, in the next turn of the main loop.
@preconcurrency @MainActor
open class AVPlayerItem: NSObject {
    public enum Status: Int, Sendable {
        case unknown, readyToPlay, failed
    }

    public static let didPlayToEndTimeNotification = NSNotification.Name.AVPlayerItemDidPlayToEndTime
    public static let failedToPlayToEndTimeNotification = NSNotification.Name.AVPlayerItemFailedToPlayToEndTime
    public static let playbackStalledNotification = NSNotification.Name.AVPlayerItemPlaybackStalled

    public let asset: AVAsset
    open private(set) var status = Status.unknown { didSet { PhoneObject.didChange(self, "status") } }
    open private(set) var error: (any Error)?
    open var duration: CMTime { asset.duration }
    open var isPlaybackLikelyToKeepUp: Bool { status == .readyToPlay }
    open var isPlaybackBufferEmpty: Bool { false }
    open var isPlaybackBufferFull: Bool { status == .readyToPlay }
    open var loadedTimeRanges: [NSValue] { [] }
    open var presentationSize: CGSize { .zero }
    open var preferredForwardBufferDuration: TimeInterval = 0
    open var preferredPeakBitRate: Double = 0
    open var forwardPlaybackEndTime = CMTime.invalid {
        didSet {
            playhead.end = end
            player?.itemMoved(self)
        }
    }
    /// The player that has the item.
    weak var player: AVPlayer?
    lazy var playhead = Playhead(end: end)

    public init(asset: AVAsset) {
        self.asset = asset
        super.init()
        MainQueue.add { [weak self] in self?.load() }
    }
    public convenience init(url URL: URL) { self.init(asset: AVURLAsset(url: URL)) }
    public convenience init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) { self.init(asset: asset) }

    private func load() {
        error = asset.failure
        if let error { CurrentPresentation.addDiagnostic(reason: "unplayableMedia", error.localizedDescription) }
        status = error == nil ? .readyToPlay : .failed
        ViewChanges.note()
    }

    private var end: Double? {
        let limits = [asset.duration, forwardPlaybackEndTime].filter(\.isNumeric).map(\.seconds)
        return limits.min()
    }

    open func currentTime() -> CMTime { CMTime(seconds: playhead.position, preferredTimescale: 1_000_000_000) }
    open func seek(to time: CMTime, completionHandler: ((Bool) -> Void)?) {
        if time.isNumeric { playhead.move(to: time.seconds) }
        if time.isPositiveInfinity, let end = playhead.end { playhead.move(to: end) }
        player?.itemMoved(self)
        ViewChanges.note()
        let done = UncheckedBox(completionHandler)
        MainQueue.add { done.value?(true) }
    }
}

extension NSNotification.Name {
    public static let AVPlayerItemDidPlayToEndTime = NSNotification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    public static let AVPlayerItemFailedToPlayToEndTime = NSNotification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification"
    )
    public static let AVPlayerItemPlaybackStalled = NSNotification.Name("AVPlayerItemPlaybackStalledNotification")
    public static let AVPlayerItemNewAccessLogEntry = NSNotification.Name("AVPlayerItemNewAccessLogEntry")
    public static let AVPlayerItemTimeJumped = NSNotification.Name("AVPlayerItemTimeJumpedNotification")
}
