import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesMatchGameTests {
    @Test("A new game has twelve cards that lie face down and do not reveal their faces")
    func newGame() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            #expect(game.shown["board"]?["columns"] == 4)
            #expect(game.cards.compactMap { $0["id"]?.string } == (0..<12).map { "card-\($0)" })
            for card in game.cards {
                #expect(card["faceUp"] == false)
                #expect(card["matched"] == false)
                #expect(card["face"] == nil)
            }
            #expect(game.text("attempts") == "Attempts: 0")
            #expect(game.text("best") == "Best: –")
            #expect(game.text("perfect") == "Perfect score: 6")
            #expect(game.shown["play-again"] == nil)
            #expect(game.shown.actions == [])
        }
    }

    @Test("A compact view has two rows with four pairs, and four attempts are a perfect game")
    func compact() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host, sizeClass: "compact")
            #expect(game.shown["board"]?["columns"] == 4)
            #expect(game.cards.compactMap { $0["id"]?.string } == (0..<8).map { "card-\($0)" })
            #expect(game.text("perfect") == "Perfect score: 4")
            try game.win()
            let faces = game.cards.compactMap { $0["face"]?.string }
            let dealt = ["angry", "heart-eyes", "rainbow", "tears-of-joy"]
            #expect(faces.sorted() == (dealt + dealt).sorted())
            #expect(try host.pending() == [score(game.attempts)])
            try game.playAgain()
            #expect(game.cards.count == 8)
        }
    }

    @Test("A game keeps its board when a later notification of the thread has another view size")
    func turnedPhone() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host, sizeClass: "regular")
            try game.touch(3)
            try game.join(sizeClass: "compact")
            #expect(game.cards.count == 12)
            #expect(game.open == [3])
        }
    }

    @Test("A won game stores its score once, and its board has six pairs")
    func wholeGame() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            try game.win()
            let faces = game.cards.compactMap { $0["face"]?.string }
            let known = ["angry", "heart-eyes", "pensive", "rainbow", "stunned", "tears-of-joy"]
            #expect(faces.sorted() == (known + known).sorted())
            #expect(game.cards.allSatisfy { $0["matched"] == true })
            #expect(game.shown["play-again"] == ["type": "button", "id": "play-again", "title": "Play Again"])
            #expect(game.text("attempts") == "Attempts: \(game.attempts)")
            #expect(game.text("best") == "Best: \(game.attempts)")
            #expect(try host.pending() == [score(game.attempts)])
        }
    }

    @Test("A player who knows the board needs six attempts, and the random seed determines the board")
    func seeds() throws {
        var faces: [String?] = []
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            try game.win()
            faces = game.faces
        }
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            game.faces = faces
            try game.solve()
            #expect(game.faces == faces)
            #expect(game.attempts == 6)
            #expect(try host.pending() == [score(6)])
        }
        try BundlesHost.with(seed: 2) { host in
            let game = try BundlesPlayer(host)
            try game.win()
            #expect(game.faces != faces)
        }
    }

    @Test("Play Again deals new cards and keeps the best score, which each later game stores")
    func playAgain() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            try game.makeMismatches(20)
            try game.win()
            let first = game.attempts
            let board = game.faces
            try game.playAgain()
            #expect(game.text("attempts") == "Attempts: 0")
            #expect(game.text("best") == "Best: \(first)")
            #expect(game.cards.allSatisfy { $0["faceUp"] == false && $0["matched"] == false && $0["face"] == nil })
            try game.win()
            let second = game.attempts
            #expect(second < first)
            #expect(game.faces != board)
            try game.playAgain()
            try game.makeMismatches(20)
            try game.win()
            #expect(game.attempts > second)
            #expect(game.text("best") == "Best: \(second)")
            #expect(try host.pending() == [score(first), score(second), score(second)])
        }
    }

    @Test("Two cards that do not match stay open until the next touch, which turns them back and counts")
    func mismatch() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            let (first, second) = try game.openMismatch()
            #expect(game.open == [first, second])
            #expect(game.text("attempts") == "Attempts: \(game.attempts)")
            let attempts = game.attempts
            // The next touch may open one of the two cards again.
            try game.touch(second)
            #expect(game.open == [second])
            #expect(game.attempts == attempts)
            #expect(game.cards[first]["face"] == nil)
        }
    }

    @Test("Touching the same card twice is not an attempt and changes nothing")
    func sameCard() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            try game.touch(5)
            let refusal = try host.refusal("interact", game.params("card-5"))
            #expect(refusal["data"] == ["reason": "cardIsOpen", "path": "/params/element"])
            #expect(refusal["message"] == "card-5 is already face up; touch another one")
            try game.touch(6)
            #expect(game.text("attempts") == "Attempts: 1")
        }
    }

    @Test("Touching a matched card is refused, and a mismatched pair stays open")
    func matchedCard() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            try game.seeAllCards()
            let pair = try #require(game.pairs.first)
            for card in pair where game.cards[card]["matched"] == false { try game.touch(card) }
            let (first, second) = try game.openMismatch()
            let refusal = try host.refusal("interact", game.params("card-\(pair[0])"))
            #expect(refusal["data"]?["reason"] == "cardIsMatched")
            // A notification that joins the thread shows the board without a touch.
            try game.join()
            #expect(game.open == [first, second])
            #expect(game.text("attempts") == "Attempts: \(game.attempts)")
        }
    }

    @Test("Another notification of the thread continues the game, and one of another thread has its own game")
    func thread() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            try game.touch(3)
            let first = game.shown
            try game.join()
            #expect(game.shown.notification != first.notification)
            #expect(game.shown.view == first.view)
            try game.touch(4)
            #expect(game.text("attempts") == "Attempts: 1")
            #expect(try BundlesPlayer(host, thread: "another").open == [])
        }
    }

    @Test("Elements that are not cards ignore touches", arguments: ["board", "attempts", "best"])
    func deadElement(element: String) throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            let refusal = try host.refusal("interact", game.params(element))
            #expect(refusal["data"]?["reason"] == "notTouchable")
            #expect(refusal["message"]?.string?.contains(element) == true)
        }
    }

    @Test(
        "Play Again is absent before the end of the game, and a thirteenth card does not exist",
        arguments: ["play-again", "card-12", "card-"]
    )
    func noElement(element: String) throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            #expect(try host.error("interact", game.params(element))["data"]?["reason"] == "unknownElement")
        }
    }

    @Test("A score that cannot be stored is reported, and the last touch can be repeated")
    func fullSuite() throws {
        try BundlesHost.with(["--suite-records", "1"]) { host in
            let game = try BundlesPlayer(host)
            try game.seeAllCards()
            let rest = game.pairs.flatMap { $0 }.filter { game.cards[$0]["matched"] == false }
            for card in rest.dropLast() { try game.touch(card) }
            let last = try #require(rest.last)
            try host.saveUnrelatedRecord()
            for _ in 1...2 {
                let refusal = try host.refusal("interact", game.params("card-\(last)"))
                #expect(refusal["data"]?["reason"] == "suiteFull", "\(refusal)")
                try game.join()
                #expect(game.shown["play-again"] == nil)
                #expect(game.text("best") == "Best: –")
            }
            try host.flush()
            try game.touch(last)
            #expect(game.shown["play-again"] != nil)
            #expect(game.text("attempts") == "Attempts: \(game.attempts)")
            #expect(try host.pending() == [score(game.attempts)])
        }
    }

    @Test("A score belongs to the user of the notification")
    func user() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host, [("braze_id", "b-1")])
            try game.win()
            #expect(try host.pending().first?["user"] == ["braze_id": "b-1"])
        }
    }

    @Test("An action of the match game opens the app")
    func response() throws {
        try BundlesHost.with { host in
            let game = try BundlesPlayer(host)
            let action: JSON = "com.apple.UNNotificationDefaultActionIdentifier"
            let params: JSON = ["notification": game.shown.notification, "actionIdentifier": action]
            let result = try host.result("didReceiveResponse", params)
            #expect(result["option"] == "dismissAndForward")
            #expect(result["forwarded"] == true)
        }
    }

    private func score(_ attempts: Int) -> JSON {
        ["kind": "customEvent", "name": "Completed Match Game", "properties": ["Score": JSON(attempts)]]
    }
}
