import ExtensionKit

/// Draws a game, and knows the ids of the elements.
enum BoardView {
    static let columns = 4
    static let playAgain = "play-again"

    /// The view of a game, without the faces of cards that lie face down.
    static func draw(_ game: Game, _ context: ExtensionContext) -> View {
        let cards = game.cards.enumerated().map { index, card in
            View.card(id: id(ofCard: index), face: card.isFaceUp ? card.face : nil, isMatched: card.isMatched)
        }
        let best = game.best.map(String.init) ?? "–"
        let parts: [View] = [
            .grid(cards, columns: columns, id: "board"),
            .text(context.localizedString(forKey: "BOARD_ATTEMPTS", String(game.attempts)), id: "attempts"),
            .text(context.localizedString(forKey: "BOARD_BEST", best), id: "best"),
            .text(context.localizedString(forKey: "BOARD_PERFECT", String(game.perfectScore)), id: "perfect"),
        ]
        guard game.isComplete else { return .stack(parts) }
        return .stack(parts + [.button(context.localizedString(forKey: "BOARD_PLAY_AGAIN"), id: playAgain)])
    }

    /// The index of the card with the id `element`, or nil if the element is not a card.
    static func card(_ element: String, in game: Game) -> Int? {
        game.cards.indices.first { id(ofCard: $0) == element }
    }

    private static func id(ofCard index: Int) -> String { "card-\(index)" }
}
