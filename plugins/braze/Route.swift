/// The order of a batch's requests: one that shares a user with an earlier one waits for that.
struct Route {
    /// How many earlier requests each one still waits for.
    private var waitsFor: [Int]
    /// The requests that wait for each one.
    private var followers: [[Int]]
    /// The requests that may begin, in their order.
    private var ready: [Int] = []

    /// The route of requests, each told by the users it is about.
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

    /// The next request that may begin now.
    mutating func next() -> Int? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Lets those begin that waited for a request.
    mutating func finish(_ request: Int) {
        for follower in followers[request] {
            waitsFor[follower] -= 1
            if waitsFor[follower] == 0 { ready.append(follower) }
        }
    }
}
