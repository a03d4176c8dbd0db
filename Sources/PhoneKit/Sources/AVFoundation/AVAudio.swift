// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. Nobody hears anything here.

public import Foundation
import PhoneRuntime

/// How the sound of the process mixes with others.
@preconcurrency @MainActor
open class AVAudioSession: NSObject {
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    }
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    }
    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        public static let duckOthers = CategoryOptions(rawValue: 2)
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
    }
    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    private static let session = AVAudioSession()
    open class func sharedInstance() -> AVAudioSession { session }
    open private(set) var category = Category.soloAmbient
    open private(set) var mode = Mode.default
    open var outputVolume: Float { 1 }
    open var isOtherAudioPlaying: Bool { false }
    open func setCategory(_ category: Category) throws { self.category = category }
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws { self.category = category }
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        (self.category, self.mode) = (category, mode)
    }
    open func setMode(_ mode: Mode) throws { self.mode = mode }
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
}

@preconcurrency @MainActor
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}

/// A player of a sound, whose time runs with the host's clock.
@preconcurrency @MainActor
open class AVAudioPlayer: NSObject {
    open weak var delegate: (any AVAudioPlayerDelegate)?
    public let url: URL?
    public let data: Data?
    public let duration: TimeInterval
    open private(set) var isPlaying = false
    open var volume: Float = 1
    open var pan: Float = 0
    open var rate: Float = 1 { didSet { run() } }
    open var enableRate = false { didSet { run() } }
    open var numberOfLoops = 0
    open var isMeteringEnabled = false
    open var numberOfChannels: Int { 2 }
    open var deviceCurrentTime: TimeInterval { Playhead.clock.now.timeIntervalSinceReferenceDate }
    open var currentTime: TimeInterval {
        get { playhead.position }
        set {
            playhead.move(to: newValue)
            schedule()
        }
    }
    private var playhead: Playhead
    private var loops = 0
    private var entry: MainClock.Entry?

    private init(_ url: URL?, _ data: Data?, _ read: () throws(MediaFile.Failure) -> MediaFile) throws {
        do throws(MediaFile.Failure) {
            let length = try read().duration
            // A phone knows the length of each sound that it plays; one that is not in the header counts as none.
            duration = length.isNumeric ? length.seconds : 0
        } catch {
            throw AVError.error(error, url)
        }
        (self.url, self.data) = (url, data)
        playhead = Playhead(end: duration)
        super.init()
    }
    public convenience init(contentsOf url: URL) throws {
        try self.init(url, nil) { () throws(MediaFile.Failure) in try MediaFile(url: url) }
    }
    public convenience init(data: Data) throws {
        try self.init(nil, data) { () throws(MediaFile.Failure) in try MediaFile(data) }
    }
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        try self.init(contentsOf: url)
    }
    public convenience init(data: Data, fileTypeHint utiString: String?) throws { try self.init(data: data) }

    @discardableResult open func prepareToPlay() -> Bool { true }
    @discardableResult
    open func play() -> Bool {
        if !isPlaying { loops = numberOfLoops }
        if playhead.isAtEnd { playhead.move(to: 0) }
        isPlaying = true
        run()
        return true
    }
    open func pause() {
        isPlaying = false
        run()
    }
    open func stop() { pause() }
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { self.volume = volume }
    open func updateMeters() {}
    open func averagePower(forChannel channelNumber: Int) -> Float { -160 }
    open func peakPower(forChannel channelNumber: Int) -> Float { -160 }

    private func run() {
        playhead.run(at: isPlaying ? (enableRate ? Double(max(rate, 0)) : 1) : 0)
        schedule()
    }

    private func schedule() {
        entry?.cancel()
        entry = playhead.schedule(at: duration) { [weak self] in self?.ended() }
    }

    private func ended() {
        guard loops == 0 else {
            if loops > 0 { loops -= 1 }
            playhead.move(to: 0)
            return schedule()
        }
        isPlaying = false
        playhead.run(at: 0)
        // As on a phone, where a sound that has ended begins again.
        playhead.move(to: 0)
        delegate?.audioPlayerDidFinishPlaying(self, successfully: true)
    }
}
