/// The order of a batch's requests: a request waits for earlier ones that share a user with it.
struct RequestOrder {
    /// For each request, how many earlier ones it still waits for.
    private var waitsFor: [Int] = []
    /// For each request, the later ones that wait for it.
    private var followers: [[Int]] = []
    /// The requests that may start, in order.
    private var ready: [Int] = []
    /// The last request of each user.
    private var last: [Int: Int] = [:]
    private var finished: Set<Int> = []

    /// Creates the order of requests, given the users of each.
    init(_ users: [Set<Int>] = []) {
        for users in users { add(users) }
    }

    /// Adds a request after the others, given its users.
    mutating func add(_ users: Set<Int>) {
        let request = waitsFor.count
        let earlier = Set(users.compactMap { last[$0] }).subtracting(finished)
        for earlier in earlier { followers[earlier].append(request) }
        for user in users { last[user] = request }
        waitsFor.append(earlier.count)
        followers.append([])
        if earlier.isEmpty { ready.append(request) }
    }

    /// Removes and returns the next request that may start.
    mutating func next() -> Int? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Marks a request as finished, so that those that waited for it may start.
    mutating func finish(_ request: Int) {
        finished.insert(request)
        for follower in followers[request] {
            waitsFor[follower] -= 1
            if waitsFor[follower] == 0 { ready.append(follower) }
        }
    }
}
