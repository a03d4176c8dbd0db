package import Suites

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

/// What a call is about besides its suite, as far as its accesses depend on it.
package protocol CallObject: AnyObject {
    /// The App Groups of the extension that the call goes to.
    var suites: [SuiteName] { get }
    /// The presentation that the call is about.
    var presentationIdentifier: String? { get }
    /// The extension that shows the notification; empty if the system does.
    var extensionIdentifier: String { get }
}

/// A call that ``AccessRules`` apply to.
package protocol CallSubject {
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
    package func accesses(of subject: some CallSubject) -> [Access] {
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
