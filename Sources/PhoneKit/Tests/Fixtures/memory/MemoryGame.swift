import Foundation

struct MemoryGame {
    struct Card: Hashable {
        let id: Int
        let symbol: String
        var isFaceUp = false
        var isMatched = false
    }

    enum Result {
        case first, match, mismatch
    }

    private(set) var cards: [Card] = []
    private(set) var attempts = 0
    private var open: [Int] = []

    /// Each symbol twice; not shuffled, so that a test knows where they are.
    init(symbols: [String]) {
        cards = (symbols + symbols).enumerated().map { Card(id: $0, symbol: $1) }
    }

    var isOver: Bool { cards.allSatisfy(\.isMatched) }

    mutating func turn(_ index: Int) -> Result {
        cards[index].isFaceUp = true
        open.append(index)
        guard open.count == 2 else { return .first }
        attempts += 1
        guard cards[open[0]].symbol == cards[open[1]].symbol else { return .mismatch }
        for index in open { cards[index].isMatched = true }
        open = []
        return .match
    }

    mutating func hideMismatch() {
        for index in open { cards[index].isFaceUp = false }
        open = []
    }
}
