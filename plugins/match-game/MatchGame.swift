import ExtensionKit
import JSON

/// The match game: a board of cards, on which the user finds pairs in as few attempts as possible.
///
/// The game belongs to the presentation: a later notification of the thread does not change it, even if that
/// notification asks for another size.
@main
final class MatchGame: NotificationContentExtension, InteractionHandler {
    private let context: ExtensionContext
    private var game: Game?

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: DeliveredNotification) {
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
            // Saved before the turn counts, so that the same touch may be repeated if the save fails.
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
                case .isOpen: ("cardIsOpen", "is already face up")
                case .isMatched: ("cardIsMatched", "is already matched")
                }
            throw ExtensionError(reason: reason, "card-\(card) \(state); touch another one", path: "/params/element")
        }
    }
}
