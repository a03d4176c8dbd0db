package import Contract
package import JSON

/// The part of a destination's rate limit that this host may use, as its source stated it.
package struct LimitShare: Equatable, Sendable {
    /// The whole limit, as of a host that shares it with no other one.
    package static let whole = LimitShare(share: 1, ages: nil)

    /// The part: more than 0, at most 1.
    package let share: Double
    /// Parts of it in ascending order, and since when nobody else can have used each; nil if the source does not say.
    ///
    /// Times are milliseconds of the monotonic clock.
    private let ages: [(share: Double, since: Int64)]?

    private init(share: Double, ages: [(share: Double, since: Int64)]?) { (self.share, self.ages) = (share, ages) }

    package static func == (left: LimitShare, right: LimitShare) -> Bool {
        guard left.share == right.share, (left.ages == nil) == (right.ages == nil) else { return false }
        return (left.ages ?? []).elementsEqual(right.ages ?? [], by: ==)
    }

    /// Reads what a source stated.
    ///
    /// - Parameters:
    ///   - share: The part; absent for the whole limit.
    ///   - ages: How long nobody else can have used parts of it.
    ///   - now: The time, in milliseconds of the monotonic clock.
    /// - Throws: What is wrong with it.
    package init(_ share: JSON?, ages: JSON?, at now: Int64) throws(ReplyError) {
        guard let number = share.map(\.number) ?? 1, number > 0, number <= 1 else {
            throw ReplyError("share must be a number above 0 and at most 1")
        }
        self.share = number
        guard let ages else {
            self.ages = nil
            return
        }
        var read: [(share: Double, since: Int64)] = []
        var isOrdered = true
        for age in ages.array.map(Array.init) ?? [] {
            guard let part = age["share"]?.number, let seconds = age["seconds"]?.number, seconds >= 0 else {
                isOrdered = false
                break
            }
            let since = now - Int64(min(seconds, Self.longest) * 1_000)
            isOrdered = isOrdered && part > read.last?.share ?? 0 && since >= read.last?.since ?? .min
            read.append((part, since))
        }
        guard isOrdered, read.last?.share == number else {
            throw ReplyError("shareAges must list ascending shares up to the whole share, the later ones not older")
        }
        self.ages = read
    }

    /// The longest age that is told apart, in seconds.
    private static let longest = 86_400.0

    /// Whether it is the whole limit and always was, so that a destination need not know it.
    package var isWhole: Bool { share == 1 && ages == nil }

    /// Adds the share as members of the params of `deliver`.
    package func write(to bytes: inout [UInt8], at now: Int64) {
        bytes.append(member: ",\"rateShare\":", JSON.real(share).description)
        guard let ages else { return }
        let list = ages.map { age -> JSON in
            ["share": .real(age.share), "seconds": .real(Double(max(0, now - age.since)) / 1_000)]
        }
        bytes.append(member: ",\"rateShareAges\":", JSON(list).description)
    }
}
