/// The order of a batch's requests: a request waits for earlier ones that share a user with it.
struct RequestOrder {
    /// For each request, how many earlier ones it still waits for.
    private var waitsFor: [Int]
    /// For each request, the later ones that wait for it.
    private var followers: [[Int]]
    /// The requests that may start, in order.
    private var ready: [Int] = []

    /// Creates the order of requests, given the users of each.
    init(_ users: [Set<Int>]) {
        waitsFor = Array(repeating: 0, count: users.count)
        followers = Array(repeating: [], count: users.count)
        var last: [Int: Int] = [:]
        for (request, users) in users.enumerated() {
            for earlier in Set(users.compactMap { last[$0] }) {
                followers[earlier].append(request)
                waitsFor[request] += 1
            }
            for user in users { last[user] = request }
        }
        ready = waitsFor.indices.filter { waitsFor[$0] == 0 }
    }

    /// Removes and returns the next request that may start.
    mutating func next() -> Int? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Marks a request as finished, so that those that waited for it may start.
    mutating func finish(_ request: Int) {
        for follower in followers[request] {
            waitsFor[follower] -= 1
            if waitsFor[follower] == 0 { ready.append(follower) }
        }
    }
}
