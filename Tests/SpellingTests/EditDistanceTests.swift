import Spelling
import Testing

@Suite struct EditDistanceTests {
    @Test(
        "A typo has a small distance",
        arguments: [
            ("offers", "offers"), ("offers", "OFFERS"), ("offers", "offer"), ("offers", "offesr"), ("a", "b"),
            ("email", "emial"),
            ("match_game", "match-game"), ("match_game", "matchgame"), ("", "x"), ("größe", "große"),
        ]
    )
    func near(left: String, right: String) {
        #expect(EditDistance.isNear(left, right))
        #expect(EditDistance.isNear(right, left))
    }

    @Test(
        "Another word has a large distance",
        arguments: [("offers", "games"), ("offers", ""), ("ab", "cd"), ("match_game", "offers"), ("news", "offers")]
    )
    func far(left: String, right: String) {
        #expect(!EditDistance.isNear(left, right))
        #expect(!EditDistance.isNear(right, left))
    }

    @Test("Only the first 64 letters are compared, which limits the effort")
    func long() {
        let name = String(repeating: "x", count: 64)
        #expect(EditDistance.isNear(name + "a", name + String(repeating: "b", count: 100_000)))
    }
}
