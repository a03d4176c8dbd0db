import Foundation

/// A drink on the menu; the app and its extensions use it.
enum Drink: String, CaseIterable {
    case espresso, latte, mocha, matcha, chai, cocoa

    /// The name as a guest reads it.
    var title: String { rawValue.capitalized }

    var symbol: String {
        switch self {
        case .espresso: return "cup.and.saucer.fill"
        case .latte: return "heart.fill"
        case .mocha: return "moon.fill"
        case .matcha: return "leaf.fill"
        case .chai: return "flame.fill"
        case .cocoa: return "snowflake"
        }
    }
}
