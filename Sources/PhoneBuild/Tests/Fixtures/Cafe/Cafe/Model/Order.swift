import Foundation

/// An order; the app and its extensions use it.
struct Order: Codable {
    let title: String

    /// The order as it is shown.
    var line: String {
        #if CARD
        "Order: \(title)"
        #else
        title
        #endif
    }
}
