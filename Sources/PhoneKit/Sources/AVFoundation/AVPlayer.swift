// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. The time of a player runs with the host's clock: what happens
// in it, such as its end, comes in the order of time with what other timers do.

public import Foundation
import PhoneRuntime
public import PhoneShadows

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

    /// A closure for times of the item.
    private final class TimeObserver: NSObject {
        enum Times {
            case periodic(Double)
            case boundaries([Double])
        }

        let times: Times
        let block: (CMTime) -> Void
        init(_ times: Times, _ block: @escaping (CMTime) -> Void) { (self.times, self.block) = (times, block) }

        /// The first time after a position, in the direction of the rate.
        func next(after position: Double, rate: Double) -> Double? {
            switch times {
            case .periodic(let interval):
                let step = rate > 0 ? (position / interval).rounded(.down) + 1 : (position / interval).rounded(.up) - 1
                // A position that lies just before a time is that time, as seconds are not exact.
                let isHere = abs(step * interval - position) < 1e-6
                return (isHere ? step + (rate > 0 ? 1 : -1) : step) * interval
            case .boundaries(let times):
                return rate > 0 ? times.filter { $0 > position }.min() : times.filter { $0 < position }.max()
            }
        }
    }

    open private(set) var currentItem: AVPlayerItem? {
        didSet {
            oldValue?.playhead.run(at: 0)
            currentItem?.player = self
            PhoneObject.didChange(self, "currentItem")
            loadStatus()
            run()
        }
    }
    open var rate: Float = 0 {
        didSet {
            guard rate != oldValue else { return }
            PhoneObject.didChange(self, "rate")
            PhoneObject.didChange(self, "timeControlStatus")
            run()
            noteJump()
        }
    }
    open private(set) var status = Status.unknown { didSet { PhoneObject.didChange(self, "status") } }
    open var timeControlStatus: TimeControlStatus {
        rate == 0 ? .paused : currentItem?.playhead.rate == 0 ? .waitingToPlayAtSpecifiedRate : .playing
    }
    open var error: (any Error)? { nil }
    open var actionAtItemEnd = ActionAtItemEnd.pause
    open var volume: Float = 1
    open var isMuted = false
    open var allowsExternalPlayback = true
    open var automaticallyWaitsToMinimizeStalling = true
    open var preventsDisplaySleepDuringVideoPlayback = true
    open var defaultRate: Float = 1
    private var observers: [TimeObserver] = []
    /// What waits for the next time at which something happens.
    private var entry: MainClock.Entry?
    private var hasJumped = false

    @MainActor public override init() { super.init() }
    public convenience init(url URL: URL) { self.init(playerItem: AVPlayerItem(url: URL)) }
    public init(playerItem item: AVPlayerItem?) {
        currentItem = item
        super.init()
        item?.player = self
        loadStatus()
    }

    private func loadStatus() {
        guard currentItem != nil, status == .unknown else { return }
        MainQueue.add { [weak self] in
            guard let self, status == .unknown else { return }
            status = .readyToPlay
        }
    }

    open func play() { rate = defaultRate }
    open func pause() { rate = 0 }
    open func playImmediately(atRate rate: Float) { self.rate = rate }
    open func replaceCurrentItem(with item: AVPlayerItem?) { currentItem = item }
    open func currentTime() -> CMTime { currentItem?.currentTime() ?? .zero }
    open func seek(to time: CMTime) { currentItem?.seek(to: time, completionHandler: nil) }
    open func seek(to time: CMTime, completionHandler: @escaping (Bool) -> Void) {
        guard let currentItem else { return completionHandler(false) }
        currentItem.seek(to: time, completionHandler: completionHandler)
    }
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) { seek(to: time) }
    open func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: @escaping (Bool) -> Void
    ) { seek(to: time, completionHandler: completionHandler) }

    // MARK: Time

    // Observers are called on the main queue, whichever they ask for: nothing else runs meanwhile.

    open func addPeriodicTimeObserver(
        forInterval interval: CMTime,
        queue: PhoneShadows.DispatchQueue?,
        using block: @escaping (CMTime) -> Void
    ) -> Any {
        let seconds = interval.isNumeric ? max(interval.seconds, 0.001) : 1
        return add(TimeObserver(.periodic(seconds), block))
    }
    open func addBoundaryTimeObserver(
        forTimes times: [NSValue],
        queue: PhoneShadows.DispatchQueue?,
        using block: @escaping () -> Void
    ) -> Any {
        add(TimeObserver(.boundaries(times.map(\.timeValue.seconds).filter(\.isFinite))) { _ in block() })
    }
    open func removeTimeObserver(_ observer: Any) {
        observers.removeAll { $0 === observer as AnyObject }
        schedule()
    }

    private func add(_ observer: TimeObserver) -> Any {
        observers.append(observer)
        schedule()
        return observer
    }

    /// Takes note that the item's position or end has changed.
    func itemMoved(_ item: AVPlayerItem) {
        guard item === currentItem else { return }
        schedule()
        noteJump()
    }

    /// Lets the time of the item run, unless it cannot be played.
    private func run() {
        currentItem?.playhead.run(at: currentItem?.asset.failure == nil ? Double(rate) : 0)
        schedule()
        ViewChanges.note()
    }

    /// Waits for the next time at which something happens.
    private func schedule() {
        entry?.cancel()
        entry = nil
        guard let head = currentItem?.playhead, head.rate != 0 else { return }
        let position = head.position
        var times = observers.compactMap { $0.next(after: position, rate: head.rate) }
        if head.rate < 0 { times.append(0) } else if let end = head.end { times.append(end) }
        // A picture whose time runs is drawn each second; with a fixed clock, after each call.
        if !Playhead.clock.isVirtual { times.append(head.rate > 0 ? position.rounded(.down) + 1 : position - 1) }
        let ahead = times.filter { head.rate > 0 ? $0 > position : $0 < position }
        guard let next = head.rate > 0 ? ahead.min() : ahead.max() else { return }
        entry = head.schedule(at: next) { [weak self] in self?.reach(next, from: position) }
    }

    /// Does what happens up to a time of the item, in order.
    private func reach(_ time: Double, from start: Double) {
        guard let item = currentItem else { return }
        // The clock counts milliseconds: it may be a little early, and a real one is a little late.
        let rate = item.playhead.rate
        if rate > 0 ? item.playhead.position < time : item.playhead.position > time { item.playhead.move(to: time) }
        for observer in observers {
            guard let due = observer.next(after: start, rate: rate), rate > 0 ? due <= time : due >= time else {
                continue
            }
            observer.block(item.currentTime())
        }
        guard item === currentItem, item.playhead.rate == rate else { return schedule() }
        if rate > 0, item.playhead.isAtEnd {
            ended(item)
        } else if rate < 0, item.playhead.position <= 0 {
            self.rate = 0
        } else {
            schedule()
        }
    }

    /// Does what the player shall do at the end of its item, then tells that the end was reached.
    private func ended(_ item: AVPlayerItem) {
        if !continues(after: item), actionAtItemEnd != .none { rate = 0 }
        NotificationCenter.default.post(name: .AVPlayerItemDidPlayToEndTime, object: item)
    }

    /// Goes on with what comes after the item; false if nothing does.
    func continues(after item: AVPlayerItem) -> Bool { false }

    /// Tells the periodic observers of a jump, a start or a stop, after this turn.
    private func noteJump() {
        guard !hasJumped else { return }
        hasJumped = true
        MainQueue.add { [weak self] in
            guard let self else { return }
            hasJumped = false
            for observer in observers {
                if case .periodic = observer.times { observer.block(currentTime()) }
            }
        }
    }
}

/// A player of several media, one after the other.
@preconcurrency @MainActor
open class AVQueuePlayer: AVPlayer {
    private var queue: [AVPlayerItem] = []
    /// What plays one item again and again.
    fileprivate weak var looper: AVPlayerLooper?

    public init(items: [AVPlayerItem]) {
        queue = items
        super.init(playerItem: items.first)
        actionAtItemEnd = .advance
    }
    public override init(playerItem item: AVPlayerItem?) {
        queue = [item].compactMap { $0 }
        super.init(playerItem: item)
        actionAtItemEnd = .advance
    }
    @MainActor public convenience override init() { self.init(items: []) }
    open func items() -> [AVPlayerItem] { queue }
    open func advanceToNextItem() {
        if !queue.isEmpty { queue.removeFirst() }
        super.replaceCurrentItem(with: queue.first)
    }
    open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool { !queue.contains(item) }
    open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        let index = queue.firstIndex { $0 === afterItem }.map { $0 + 1 } ?? queue.endIndex
        queue.insert(item, at: index)
        if currentItem == nil { super.replaceCurrentItem(with: queue.first) }
    }
    open func remove(_ item: AVPlayerItem) {
        if item === currentItem { advanceToNextItem() } else { queue.removeAll { $0 === item } }
    }
    open func removeAllItems() {
        queue = []
        super.replaceCurrentItem(with: nil)
    }
    open override func replaceCurrentItem(with item: AVPlayerItem?) {
        queue = [item].compactMap { $0 } + queue.dropFirst()
        super.replaceCurrentItem(with: item)
    }

    override func continues(after item: AVPlayerItem) -> Bool {
        if let looper, looper.loops(item) {
            seek(to: .zero)
            return true
        }
        guard actionAtItemEnd == .advance else { return false }
        advanceToNextItem()
        return currentItem != nil
    }
}

/// Plays a medium again and again.
@preconcurrency @MainActor
open class AVPlayerLooper: NSObject {
    public enum Status: Int, Sendable {
        case unknown, ready, failed, cancelled
    }

    private let item: AVPlayerItem
    open private(set) var status = Status.ready
    open private(set) var loopCount = 0
    open var loopingPlayerItems: [AVPlayerItem] { [item] }
    public init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem) {
        item = itemToLoop
        super.init()
        player.looper = self
        if player.currentItem !== itemToLoop { player.replaceCurrentItem(with: itemToLoop) }
    }
    open func disableLooping() { status = .cancelled }

    /// Counts a loop, if the item is looped.
    fileprivate func loops(_ item: AVPlayerItem) -> Bool {
        guard status == .ready, item === self.item else { return false }
        loopCount += 1
        return true
    }
}
