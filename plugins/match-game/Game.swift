/// The rules of a game of pairs.
///
/// It is a value, so that a turn can be made on a copy, which replaces the game only if the save succeeds.
struct Game {
    /// The faces, in the order in which pairs are dealt.
    static let faces = ["angry", "heart-eyes", "tears-of-joy", "rainbow", "pensive", "stunned"]

    /// A card on the board.
    struct Card {
        let face: String
        var isFaceUp = false
        var isMatched = false
    }

    /// Why a card cannot be turned.
    enum Refusal: Error {
        case isOpen
        case isMatched
    }

    /// The board, row by row.
    private(set) var cards: [Card]
    /// How often a second card was turned.
    private(set) var attempts = 0
    /// The fewest attempts of the games that were completed.
    private(set) var best: Int?

    /// Deals pairs face down.
    init(pairs: Int, using random: inout some RandomNumberGenerator) {
        cards = Game.deal(pairs, using: &random)
    }

    /// The fewest attempts in which the board can be completed.
    var perfectScore: Int { cards.count / 2 }

    /// Whether all pairs are found.
    var isComplete: Bool { cards.allSatisfy(\.isMatched) }

    /// The indices of the open cards that are not matched: one card, or two that differ.
    private var open: [Int] { cards.indices.filter { cards[$0].isFaceUp && !cards[$0].isMatched } }

    /// Turns a card up.
    ///
    /// If two cards that differ are open, they are turned face down first.
    ///
    /// - Parameter index: The card's index on the board.
    /// - Throws: Why that card cannot be turned; the game does not change then.
    mutating func turn(_ index: Int) throws(Refusal) {
        guard !cards[index].isMatched else { throw .isMatched }
        var open = open
        if open.count == 2 {
            for other in open { cards[other].isFaceUp = false }
            open = []
        }
        guard let first = open.first else {
            cards[index].isFaceUp = true
            return
        }
        guard first != index else { throw .isOpen }
        cards[index].isFaceUp = true
        attempts += 1
        guard cards[first].face == cards[index].face else { return }
        cards[first].isMatched = true
        cards[index].isMatched = true
        if isComplete { best = min(best ?? attempts, attempts) }
    }

    /// Deals new cards; the best result stays.
    mutating func playAgain(using random: inout some RandomNumberGenerator) {
        cards = Game.deal(cards.count / 2, using: &random)
        attempts = 0
    }

    private static func deal(_ pairs: Int, using random: inout some RandomNumberGenerator) -> [Card] {
        var cards = (0..<pairs).flatMap { pair in
            let card = Card(face: faces[pair % faces.count])
            return [card, card]
        }
        // A Fisher-Yates shuffle, because the library's shuffle may change with the compiler, and a recorded game must
        // not change.
        for last in cards.indices.dropFirst().reversed() {
            cards.swapAt(last, Int(random.number(below: UInt64(last) + 1)))
        }
        return cards
    }
}

extension RandomNumberGenerator {
    /// A number from 0 to `bound` - 1, all equally likely.
    fileprivate mutating func number(below bound: UInt64) -> UInt64 {
        let end = UInt64.max - UInt64.max % bound
        var word = next()
        while word >= end { word = next() }
        return word % bound
    }
}
