import ExtensionKit
import JSON

/// The match game: a board of cards, of which pairs are to be found in few attempts.
///
/// The game belongs to the presentation: a later notification of the thread leaves it as it is, whatever its size.
@main
final class MatchGame: NotificationContentExtension, InteractionHandler {
    private let context: ExtensionContext
    private var game: Game?

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: Notification) {
        let rows = notification.request.verticalSizeClass == .compact ? 2 : 3
        let game = game ?? Game(pairs: rows * BoardView.columns / 2, using: &context.random)
        self.game = game
        context.view = BoardView.draw(game, context)
    }

    func interact(_ interaction: Interaction) throws {
        guard let game else { return }
        var next = game
        if let card = BoardView.card(interaction.element, in: game) {
            try turn(card, in: &next)
            // Saved before the turn counts: if that fails, the same touch may be tried again.
            if next.isComplete, let best = next.best {
                try context.saveCustomEvent("Completed Match Game", properties: JSON.Object([("Score", JSON(best))]))
            }
        } else if interaction.element == BoardView.playAgain, game.isComplete {
            next.playAgain(using: &context.random)
        } else {
            throw ExtensionError(
                reason: "notTouchable",
                "the element \(interaction.element) does nothing when touched; touch a card",
                path: "/params/element"
            )
        }
        self.game = next
        context.view = BoardView.draw(next, context)
    }

    private func turn(_ card: Int, in game: inout Game) throws(ExtensionError) {
        do throws(Game.Refusal) {
            try game.turn(card)
        } catch {
            let (reason, state) =
                switch error {
                case .isOpen: ("cardIsOpen", "lies open already")
                case .isMatched: ("cardIsMatched", "found its like already")
                }
            throw ExtensionError(reason: reason, "card-\(card) \(state); touch another one", path: "/params/element")
        }
    }
}
