package import Calls
package import ExtensionHost
internal import Platform

/// The extensions that were ever called, in the order in which they are served, and which of them are at rest.
///
/// An extension at rest has nothing to do until it writes, a deadline passes or the host needs it. The event loop passes over
/// it, so the cost of a call does not grow with the number of extensions at rest, except in poll(2) itself.
package final class ExtensionRoster {
    /// An extension.
    package final class Member {
        package let process: ExtensionProcess
        package let peer: Peer
        /// Whether it did anything since the roster last looked for extensions at rest.
        fileprivate var wasActive = true
        fileprivate var isAwake = true

        init(_ process: ExtensionProcess, _ peer: Peer) { (self.process, self.peer) = (process, peer) }
    }

    /// How often the roster looks for extensions at rest, in milliseconds; they did nothing for at least as long.
    private static let interval: Int64 = 20

    /// Every extension.
    package private(set) var all: [Member] = []
    /// Those that are not at rest.
    package private(set) var awake: [Member] = []
    /// Those at rest.
    package private(set) var resting: [Member] = []
    /// The earliest deadline of an extension at rest.
    package private(set) var restingDeadline: Int64?
    /// Changes whenever other extensions are at rest.
    package private(set) var generation = 0
    private var nextLook: Int64 = 0

    /// Replaces all extensions; none of them is at rest.
    func replace(_ members: [Member]) {
        for member in all { member.process.onActivity = {} }
        all = members
        for member in all { member.process.onActivity = { [unowned self, unowned member] in wake(member) } }
        awake = all
        resting = []
        update()
    }

    /// Rotates the order, so that no extension is always served first.
    package func rotate(by count: Int) {
        if all.count > count { all = Array(all[count...] + all[..<count]) }
        if awake.count > count { awake = Array(awake[count...] + awake[..<count]) }
    }

    private func wake(_ member: Member) {
        member.wasActive = true
        guard !member.isAwake else { return }
        resting.removeAll { $0 === member }
        awake.append(member)
        update()
    }

    /// Lets the extensions rest that did nothing for a while and have nothing to do.
    package func letRest(now: Int64) {
        guard now >= nextLook, !awake.isEmpty else { return }
        nextLook = now + Self.interval
        var idle: [Member] = []
        for member in awake {
            if !member.wasActive, member.peer.isIdle, !member.peer.hasBacklog, member.process.isAtRest {
                idle.append(member)
            }
            member.wasActive = false
        }
        guard !idle.isEmpty else { return }
        for member in idle { member.isAwake = false }
        awake.removeAll { !$0.isAwake }
        resting += idle
        update()
    }

    /// Handles the deadlines that have passed.
    package func expire(now: Int64) {
        for member in awake { member.process.expire() }
        guard let restingDeadline, restingDeadline <= now else { return }
        for member in resting where member.process.deadline.map({ $0 <= now }) ?? false { member.process.expire() }
        findDeadline()
    }

    private func update() {
        for member in awake { member.isAwake = true }
        findDeadline()
        generation += 1
    }

    private func findDeadline() { restingDeadline = resting.compactMap(\.process.deadline).min() }
}
