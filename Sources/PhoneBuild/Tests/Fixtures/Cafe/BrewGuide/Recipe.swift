import Foundation

/// How a drink is made, step by step.
struct Recipe: Decodable {
    struct Step: Decodable {
        let title: String
        let seconds: Int
    }

    let drink: String
    let steps: [Step]

    var seconds: Int { steps.reduce(0) { $0 + $1.seconds } }

    /// The step at that second of the recipe; nil at its end.
    func step(at second: Int) -> Step? {
        var end = 0
        return steps.first { step in
            end += step.seconds
            return second < end
        }
    }

    /// Reads the recipe of a campaign, which is JSON in a text.
    init?(userInfo: [AnyHashable: Any]) {
        guard let text = userInfo["recipe"] as? String,
            let recipe = try? JSONDecoder().decode(Recipe.self, from: Data(text.utf8)),
            recipe.seconds > 0
        else { return nil }
        self = recipe
    }
}
