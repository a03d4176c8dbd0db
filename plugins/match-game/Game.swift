/// One game of pairs: the rules alone.
///
/// A value, so that a turn can be tried on a copy and kept only once all that
/// follows from it has worked.
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

    /// Whether every card found its like.
    var isComplete: Bool { cards.allSatisfy(\.isMatched) }

    /// The indices of the open cards that are not matched: one card, or two that differ.
    private var open: [Int] { cards.indices.filter { cards[$0].isFaceUp && !cards[$0].isMatched } }

    /// Turns a card up.
    ///
    /// Two open cards that differ stay open until then, and are turned back first.
    ///
    /// - Parameter index: The card's place on the board.
    /// - Throws: Why that card cannot be turned; the game is then as it was.
    mutating func turn(_ index: Int) throws(Refusal) {
        guard !cards[index].isMatched else { throw .isMatched }
        var open = open
        if open.count == 2 {
            for place in open { cards[place].isFaceUp = false }
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
        // Fisher and Yates, by hand: the library's shuffle may change with the compiler, a recorded game must not.
        for last in cards.indices.dropFirst().reversed() {
            cards.swapAt(last, Int(random.number(below: UInt64(last) + 1)))
        }
        return cards
    }
}

extension RandomNumberGenerator {
    /// A number from zero up to the bound, each as likely as the others.
    fileprivate mutating func number(below bound: UInt64) -> UInt64 {
        let end = UInt64.max - UInt64.max % bound
        var word = next()
        while word >= end { word = next() }
        return word % bound
    }
}
