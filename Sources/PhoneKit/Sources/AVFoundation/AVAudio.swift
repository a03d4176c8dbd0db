// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. Nobody hears anything here.

public import Foundation

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

/// A player of a sound, which goes through its states.
@preconcurrency @MainActor
open class AVAudioPlayer: NSObject {
    open weak var delegate: (any AVAudioPlayerDelegate)?
    public let url: URL?
    public let data: Data?
    open private(set) var isPlaying = false
    open var volume: Float = 1
    open var pan: Float = 0
    open var rate: Float = 1
    open var enableRate = false
    open var numberOfLoops = 0
    open var isMeteringEnabled = false
    open var currentTime: TimeInterval = 0
    open var duration: TimeInterval { 0 }

    public init(contentsOf url: URL) throws {
        _ = try url.checkResourceIsReachable()
        (self.url, data) = (url, nil)
        super.init()
    }
    public init(data: Data) throws {
        (url, self.data) = (nil, data)
        super.init()
    }
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        try self.init(contentsOf: url)
    }

    @discardableResult open func prepareToPlay() -> Bool { true }
    @discardableResult
    open func play() -> Bool {
        isPlaying = true
        return true
    }
    open func pause() { isPlaying = false }
    open func stop() { isPlaying = false }
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { self.volume = volume }
    open func updateMeters() {}
    open func averagePower(forChannel channelNumber: Int) -> Float { -160 }
    open func peakPower(forChannel channelNumber: Int) -> Float { -160 }
}
