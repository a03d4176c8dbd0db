import SwiftUI
import UserNotifications

@main
struct CafeApp: App {
    private static let categories = [
        "brew_guide", "cafe_finder", "cup_pairs", "drink_vote", "loyalty_card", "order_late", "order_ready",
        "pour_sound", "table_booking",
    ]

    init() {
        let categories = Self.categories.map {
            UNNotificationCategory(identifier: $0, actions: [], intentIdentifiers: [])
        }
        UNUserNotificationCenter.current().setNotificationCategories(Set(categories))
    }

    var body: some Scene {
        WindowGroup { Text("Café") }
    }
}
