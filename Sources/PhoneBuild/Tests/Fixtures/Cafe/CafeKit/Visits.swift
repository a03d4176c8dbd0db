import Foundation

/// Counts visits.
public enum Visits {
    /// The next number.
    public static func count(in defaults: UserDefaults) -> Int {
        defaults.integer(forKey: "visits") + 1
    }
}
