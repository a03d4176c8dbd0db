package import Suites

/// Something that calls of one connection compete for.
enum Resource: Hashable {
    /// The records and dead letters of a suite; nil stands for every suite.
    case pending(SuiteName?)
    /// The keys that applications store in a suite.
    case defaults(SuiteName)
    /// The flush of a suite; only one runs at a time, whether a request or the policy started it.
    case flush(SuiteName)
    /// A presentation, by its identifier; nil stands for every presentation.
    case presentation(String?)
    /// The presentation that a call is about to begin.
    case newPresentation
    /// The set of presentations of an extension, by its identifier; nil stands for every extension.
    case shown(by: String?)
    /// The order in which an extension receives its calls.
    case queue(of: String)
    /// The bundles and the processes of their extensions.
    case bundles

    /// The resource that contains this one.
    var whole: Resource? {
        switch self {
        case .pending(.some): .pending(nil)
        case .presentation(.some), .newPresentation: .presentation(nil)
        case .shown(by: .some): .shown(by: nil)
        case .pending(nil), .presentation(nil), .shown(by: nil), .defaults, .flush, .queue, .bundles: nil
        }
    }

    /// Whether the resources are the same, or one contains the other.
    func overlaps(_ other: Resource) -> Bool { self == other || whole == other || other.whole == self }
}

/// How a call uses a resource.
enum Mode: String, CaseIterable {
    /// Adds to the resource; the order of additions does not matter.
    case append
    case read
    case write

    /// Whether two uses of one resource must keep their order.
    func conflicts(with other: Mode) -> Bool { self != other || self == .write }
}

/// One use of a resource by a call.
///
/// A call that needs a mode waits for each earlier call that holds a conflicting one. The two modes are the same for
/// most calls. They differ where order matters in one direction only: a flush to a destination needs everything that
/// earlier calls save, but later saves need not wait for it.
package struct Access: Hashable {
    /// How long a call holds a resource.
    enum Duration: String {
        /// Until the call starts: later calls only start after it.
        case untilStarted
        case untilAnswered
    }

    let resource: Resource
    /// The use for which the call waits before it starts; nil if it waits for nothing.
    let needs: Mode?
    /// The use for which later calls wait.
    let holds: Mode
    var duration = Duration.untilAnswered

    /// Whether a call that needs this access waits for an earlier call that holds another one.
    func conflicts(with held: Access) -> Bool {
        needs?.conflicts(with: held.holds) == true && resource.overlaps(held.resource)
    }
}

/// One declared access of a method: an ``Access`` whose suite or presentation depends on the call.
package struct AccessRule {
    /// The kind of a resource, as a declaration names it.
    enum Kind: String, CaseIterable {
        /// The records of the suite that the call names; for a call to an extension, those of its App Groups.
        case pending
        /// The records of every suite.
        case everyPending
        /// The stored keys of the same suites.
        case defaults
        /// The value of one key: ``pending`` if the key stands for pending records, ``defaults`` otherwise.
        case key
        /// The flush of the suite.
        case flush
        /// The presentation that the call names, or nothing if it names none.
        case presentation
        /// The presentation that the call begins.
        case newPresentation
        case everyPresentation
        /// The set of presentations of the notification's extension.
        case shown
        /// The sets of presentations of all extensions.
        case everyShown
        /// The order of the calls to the extension of the notification.
        case queue
        case bundles
    }

    let kind: Kind
    let needs: Mode?
    let holds: Mode
    let duration: Access.Duration

    init(_ kind: Kind, _ mode: Mode) { self.init(kind, needs: mode, holds: mode) }

    init(_ kind: Kind, needs: Mode?, holds: Mode, _ duration: Access.Duration = .untilAnswered) {
        self.kind = kind
        self.needs = needs
        self.holds = holds
        self.duration = duration
    }
}

/// All declared accesses of a method.
package typealias AccessRules = [AccessRule]

extension AccessRules {
    /// A save: saves to one suite keep their order, but do not wait for calls to extensions, which may save there too.
    package static let save = [
        AccessRule(.pending, needs: .append, holds: .write),
        // Only of a save that names a notification, whose user the record is about.
        AccessRule(.presentation, .read),
    ]
    package static let readRecords = [AccessRule(.pending, .read)]
    package static let changeRecords = [AccessRule(.pending, .write)]
    package static let readEverySuite = [AccessRule(.everyPending, .read)]
    package static let readKey = [AccessRule(.key, .read)]
    package static let changeKey = [AccessRule(.key, .write)]
    package static let readSuite = [AccessRule(.pending, .read), AccessRule(.defaults, .read)]
    package static let changeSuite = [AccessRule(.pending, .write), AccessRule(.defaults, .write)]
    /// A flush delivers what earlier calls saved; what is saved after it began is delivered by the next flush.
    package static let flush = [AccessRule(.pending, needs: .write, holds: .append), AccessRule(.flush, .write)]

    /// A call to the extension that shows a presentation, which may save and store meanwhile.
    package static let callPresentation =
        extensionCall + [AccessRule(.presentation, .write), AccessRule(.shown, .read)]
    /// A call to the extension that begins a presentation.
    package static let beginPresentation =
        extensionCall + [AccessRule(.newPresentation, .append), AccessRule(.shown, .read)]
    /// The same for a notification with a thread, which may join a presentation that exists.
    package static let joinPresentation =
        extensionCall + [
            AccessRule(.newPresentation, .append), AccessRule(.shown, needs: .write, holds: .write, .untilStarted),
            AccessRule(.shown, .read),
        ]
    /// A notification that another extension may still change, and with it the extension that shows it.
    package static let changeNotification = [
        AccessRule(.bundles, .read),
        AccessRule(.newPresentation, needs: nil, holds: .append), AccessRule(.everyShown, needs: nil, holds: .write),
        AccessRule(.pending, needs: nil, holds: .append), AccessRule(.defaults, needs: nil, holds: .append),
    ]
    private static let extensionCall = [
        AccessRule(.pending, .append), AccessRule(.defaults, .append), AccessRule(.bundles, .read),
        // An extension receives its calls in order.
        AccessRule(.queue, needs: .write, holds: .write, .untilStarted),
    ]
    package static let dismiss = [AccessRule(.presentation, .write), AccessRule(.shown, .read)]
    package static let readPresentation = [AccessRule(.presentation, .read)]
    package static let listPresentations = [AccessRule(.everyPresentation, .read)]
    /// Work that uses nothing of the host, so that its call waits for no other and no other waits for it.
    package static let nothing: AccessRules = []
    /// A reading of the bundles, which an earlier reload may replace.
    package static let readBundles = [AccessRule(.bundles, .read)]
    /// A reload ends the presentations of the bundles that changed.
    package static let reload = [AccessRule(.bundles, .write), AccessRule(.everyPresentation, .write)]
}

/// The subject of a call besides its suite, as far as its accesses depend on it.
package protocol CallObject: AnyObject {
    /// The App Groups of the extension that the call goes to.
    var suites: [SuiteName] { get }
    /// The presentation that the call is about.
    var presentationIdentifier: String? { get }
    /// The extension that shows the notification; empty if the system does.
    var extensionIdentifier: String { get }
}

/// A call that ``AccessRules`` apply to.
protocol CallSubject {
    /// The suite of the call, or those of its object.
    var suites: [SuiteName] { get }
    /// Whether the key that the call names stands for pending records; true if its params do not say.
    var namesRecords: Bool { get }
    /// The presentation that the call is about.
    var presentationIdentifier: String? { get }
    /// The extension that shows the notification; empty if the system does.
    var extensionIdentifier: String { get }
}

extension AccessRules {
    /// The accesses that the rules produce for a call.
    func accesses(of subject: some CallSubject) -> [Access] {
        let suites = subject.suites
        var accesses: [Access] = []
        for rule in self {
            rule.kind.forEachResource(of: subject, suites) { resource in
                let access = Access(
                    resource: resource,
                    needs: rule.needs,
                    holds: rule.holds,
                    duration: rule.duration
                )
                accesses.append(access)
            }
        }
        return accesses
    }
}

extension AccessRule.Kind {
    fileprivate func forEachResource(
        of subject: some CallSubject,
        _ suites: [SuiteName],
        _ body: (Resource) -> Void
    ) {
        switch self {
        case .pending: for suite in suites { body(.pending(suite)) }
        case .everyPending: body(.pending(nil))
        case .defaults: for suite in suites { body(.defaults(suite)) }
        case .key:
            let namesRecords = subject.namesRecords
            for suite in suites { body(namesRecords ? .pending(suite) : .defaults(suite)) }
        case .flush: for suite in suites { body(.flush(suite)) }
        case .presentation: if let identifier = subject.presentationIdentifier { body(.presentation(identifier)) }
        case .newPresentation: body(subject.presentationIdentifier.map { .presentation($0) } ?? .newPresentation)
        case .everyPresentation: body(.presentation(nil))
        case .shown: body(.shown(by: subject.extensionIdentifier))
        case .everyShown: body(.shown(by: nil))
        case .queue: body(.queue(of: subject.extensionIdentifier))
        case .bundles: body(.bundles)
        }
    }
}
