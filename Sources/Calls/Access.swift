internal import Suites

/// What calls of one connection compete for.
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
    /// What the call waits for before it starts; nil if it waits for nothing.
    let needs: Mode?
    /// What later calls wait for.
    let holds: Mode
    var duration = Duration.untilAnswered

    /// Whether a call that needs this access waits for an earlier call that holds another one.
    func conflicts(with held: Access) -> Bool {
        needs?.conflicts(with: held.holds) == true && resource.overlaps(held.resource)
    }
}
