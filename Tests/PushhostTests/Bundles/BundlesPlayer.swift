import JSON
import TestSupport
import Testing

/// A player of the match game that remembers the faces it has seen and counts its attempts.
final class BundlesPlayer {
    private let host: BundlesHost
    private let thread: String
    private let payload: [(String, JSON)]
    private(set) var shown: Shown
    private(set) var attempts = 0
    /// The face of each card that was seen on this board.
    var faces: [String?] = []

    init(
        _ host: BundlesHost,
        thread: String = "game",
        sizeClass: String? = nil,
        _ payload: [(String, JSON)] = []
    ) throws {
        self.host = host
        self.thread = thread
        self.payload = payload
        shown = try host.receive(category: "match_game", thread: thread, sizeClass: sizeClass, payload)
        faces = cards.map { _ in nil }
    }

    var cards: [JSON] { shown["board"]?.children ?? [] }

    /// The open cards that are not matched.
    var open: [Int] { cards.indices.filter { cards[$0]["faceUp"] == true && cards[$0]["matched"] == false } }

    /// The pairs whose faces were both seen.
    var pairs: [[Int]] {
        let known = faces.indices.filter { faces[$0] != nil }
        let cards: [String?: [Int]] = Dictionary(grouping: known) { faces[$0] }
        let pairs: [[Int]] = cards.values.filter { $0.count == 2 }
        return pairs.sorted { $0[0] < $1[0] }
    }

    func text(_ id: String) -> String? { shown[id]?["text"]?.string }

    func params(_ element: String) -> JSON { ["notification": shown.notification, "element": .string(element)] }

    func touch(_ card: Int) throws {
        let isSecond = open.count == 1
        try touch("card-\(card)")
        if isSecond { attempts += 1 }
        for (index, card) in cards.enumerated() {
            if let face = card["face"]?.string { faces[index] = face }
        }
    }

    func playAgain() throws {
        try touch("play-again")
        attempts = 0
        faces = faces.map { _ in nil }
    }

    /// Shows another notification of the thread.
    func join(sizeClass: String? = nil) throws {
        shown = try host.receive(category: "match_game", thread: thread, sizeClass: sizeClass, payload)
    }

    /// Opens every card once.
    func seeAllCards() throws { for card in cards.indices where faces[card] == nil { try touch(card) } }

    /// Opens every pair; the face of each card must be known.
    func solve() throws {
        for card in pairs.flatMap({ $0 }) where cards[card]["matched"] == false { try touch(card) }
    }

    func win() throws {
        try seeAllCards()
        try solve()
    }

    /// Opens two cards that do not match.
    @discardableResult
    func openMismatch() throws -> (Int, Int) {
        try seeAllCards()
        let rest = cards.indices.filter { cards[$0]["matched"] == false }
        let first = try #require(rest.first)
        let second = try #require(rest.first { faces[$0] != faces[first] })
        try touch(first)
        try touch(second)
        return (first, second)
    }

    /// Makes that many attempts without a match.
    func makeMismatches(_ count: Int) throws { for _ in 0..<count { try openMismatch() } }

    private func touch(_ element: String) throws {
        let result = try host.result("interact", params(element))
        let members = try #require(result.object).map { ($0.name, $0.value) }
        shown = Shown(.object(JSON.Object([("notification", shown.notification)] + members)))
    }
}
