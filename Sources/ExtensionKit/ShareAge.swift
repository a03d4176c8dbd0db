internal import JSON
internal import JSONRPC

/// How long a part of a rate limit cannot have been used by any other process than this one.
///
/// A list of them tells, in ascending order and up to the whole share, which part of it counts within a window: the
/// greatest one whose age is the window's length.
public struct ShareAge: Equatable, Sendable {
    /// The part of the limit: more than 0, at most 1.
    public var share: Double
    /// For at least how long nobody else used it.
    public var age: Duration

    /// The age of a part.
    public init(_ share: Double, age: Duration) { (self.share, self.age) = (share, age) }
}

extension ShareAge {
    /// The age on the wire.
    var json: JSON { ["share": .real(share), "seconds": .real(age / .seconds(1))] }
}

extension ExpectedValue where Value == [ShareAge] {
    /// A list of ages on the wire.
    static var shareAges: Self {
        Self("an array of ascending shares, each with its seconds", of: "array") { json in
            guard let list = json.array else { return nil }
            var ages: [ShareAge] = []
            for element in list {
                guard let share = element["share"]?.number, share > ages.last?.share ?? 0, share <= 1,
                    let seconds = element["seconds"]?.number, seconds >= 0, seconds <= 1e9
                else { return nil }
                ages.append(ShareAge(share, age: .seconds(seconds)))
            }
            return ages
        }
    }
}
