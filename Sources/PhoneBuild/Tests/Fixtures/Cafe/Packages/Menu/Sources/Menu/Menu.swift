import Foundation

/// The drinks that the café has.
public struct Menu: Sendable {
    /// The names of the drinks.
    public let drinks: [String]

    /// The menu of today.
    public static var today: Menu {
        let url = Bundle.module.url(forResource: "drinks", withExtension: "txt")
        let text = url.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
        return Menu(drinks: text.split(separator: "\n").map(String.init))
    }
}
