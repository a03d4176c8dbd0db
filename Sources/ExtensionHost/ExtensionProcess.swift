internal import Foundation
public import JSON
public import JSONRPC
public import Localization
public import Logging
internal import Platform

/// One extension: its process while there is one, and the calls that go to it.
///
/// The process starts with the first call. As many calls as its limits allow are
/// outstanding at a time, one for most; the others wait in order. The owner polls
/// what ``forEachDescriptor(_:)`` names, tells what is ready, tells the time of
/// ``deadline`` and the death of children.
///
/// - Important: Not thread-safe; owned by the thread of the loop.
public final class ExtensionProcess {
    /// What the extension is.
    public let bundle: ExtensionBundle
    /// What its processes did so far.
    public let history: ExtensionHistory
    /// The bundle's texts for people.
    public private(set) lazy var localizedStrings = LocalizedStrings(folder: bundle.path)
    /// The number of presentations that it shows; an extension without any stops after a while.
    public var presentations = 0 {
        didSet { if presentations == 0 && oldValue > 0 && idleSince != nil { idleSince = now() } }
    }
    /// Takes each call of the extension to the host.
    public var onCall: (Call) -> Void = { _ in }
    /// Takes each message instead of having it carried out at once, for an owner that may hold it back.
    public var onMessage: (Session, Message) -> Void = { $0.receive($1) }

    /// Whether messages of the extension wait to be carried out, its answer perhaps among them.
    public var hasBacklog: () -> Bool = { false }
    /// Whether they wait for the extension itself, which leaves the answers to its own calls unread.
    public var isStuck: () -> Bool = { false }

    /// Takes the failure of a notification of the extension, with the notification's params.
    public var onNotificationFailure: (JSON?, RPCError) -> Void = { _, _ in }
    /// Takes the news that the process is lost, and with it all it showed.
    public var onEnd: (ExtensionFailure.Reason) -> Void = { _ in }

    /// Takes the news that the process had been stopped by a signal and was let go on, in a sentence.
    public var onContinue: (String) -> Void = { _ in }

    /// Makes what records a process, where anything is recorded; called with each start.
    public var makeTap: () -> (any ExtensionTap)? = { nil }

    let hostFolder: String
    let environment: [String: String]
    let limits: ExtensionLimits
    let family: ProcessFamily
    let activation: () -> JSON
    let now: () -> Int64
    private(set) var logger: Logger

    private(set) var lifecycle: Lifecycle
    var child: ChildProcess?
    var standardError = StandardErrorTail()
    var tap: (any ExtensionTap)?
    var waiting: [Outgoing] = []
    /// The calls that the extension works on, in the order in which they were sent.
    var outstanding: [Outstanding] = []
    var idleSince: Int64?
    /// Whether its input is to be closed when all that waits for it is written.
    var closesInput = false
    /// When the process closed its stdout without ending.
    var outputClosed: Int64?
    /// How many lines on the last process's stdout were no messages.
    public internal(set) var strayLines = 0
    /// When `activate` was written, on the monotonic clock.
    var activationStart: Int64 = 0
    /// The id under which the answer to `activate` is expected.
    var activationID: Int64?
    /// How long the last process took to answer `activate`, in milliseconds, once it did.
    public internal(set) var activationTime: Int64?
    /// How many bytes of its stdout were read, of all its processes.
    var outputRead = 0
    /// How many of them earlier processes wrote.
    var outputBefore = 0
    /// How many of them have to be read before the first answer, late by the clock, may be judged late.
    var outputInTime: Int?
    /// What was odd about its stdout since the last call was sent.
    var lastStrayLine: String?
    /// Why the process is asked to leave or was killed, until it is gone.
    var endCause: ProcessEnd.Cause?
    /// What was found of its use of the machine, since it was started.
    var usage = ResourceUsage(now: 0)
    /// Watches the bundle's files since the process was started.
    var watch: BundleWatch?
    /// Whether a signal stopped the process, and how often that was undone during this call.
    var suspension: (isStopped: Bool, continued: Int) = (false, 0)

    /// The connection to the running process.
    public internal(set) var session: Session?
    /// An extension without a process.
    ///
    /// - Parameters:
    ///   - bundle: What to run.
    ///   - history: What earlier processes of the extension did.
    ///   - hostFolder: The folder of the host's own executable, links resolved.
    ///   - environment: All that the process may know of its surroundings.
    ///   - limits: The times and sizes that it must keep to.
    ///   - family: Whom its processes belong to.
    ///   - random: Where the jitter of restarts comes from.
    ///   - activation: Makes the params of `activate`.
    ///   - now: The monotonic clock in milliseconds.
    ///   - logger: Where what it says and does wrong is told.
    public init(
        bundle: ExtensionBundle,
        history: ExtensionHistory,
        hostFolder: String,
        environment: [String: String],
        limits: ExtensionLimits,
        family: ProcessFamily,
        random: any RandomNumberGenerator,
        activation: @escaping () -> JSON,
        now: @escaping () -> Int64,
        logger: Logger
    ) {
        self.bundle = bundle
        self.history = history
        self.hostFolder = hostFolder
        self.environment = environment
        self.limits = limits
        self.family = family
        self.activation = activation
        self.now = now
        self.logger = logger
        self.logger[metadataKey: "extension"] = "\(bundle.identifier)"
        lifecycle = Lifecycle(limits: limits, random: random)
    }

    /// The running process's number.
    public var pid: Int32? { child?.pid }

    func perform(_ event: Lifecycle.Event) {
        let wasReady = lifecycle.state == .ready
        for action in lifecycle.event(event, now: now()) {
            switch action {
            // A call that failed may have brought another one, which started it already.
            case .spawn: if child == nil { spawn() }
            case .sendNext: sendNext()
            case .failCalls(let reason):
                let reason = reason.told(hindrance)
                endCause = endCause ?? .failed(reason)
                logger.warning("\(bundle.identifier) \(reason)")
                onEnd(reason)
                // A process that was never ready would fail the others too.
                fail(reason, keepsOthers: wasReady)
            case .refuseCalls(let reason): fail(reason)
            case .failSentCalls(let reason): failSent(reason.told(hindrance))
            case .closeInput:
                resume()
                session?.notify("deactivate", params: [:])
                closesInput = true
                write()
            case .terminate: child?.signal(SIGTERM)
            case .kill: child?.signal(SIGKILL)
            }
        }
    }
}
