public import Foundation
package import JSON
import Synchronization

/// The texts of the bundle in the language of the notification, which the host has chosen and sent.
public enum LocalizedTexts {
    private static let current = Mutex<JSON>([:])

    /// Takes the texts that the host sent.
    package static func set(_ texts: JSON) { current.withLock { $0 = texts } }

    /// The text of a key in the table `Localizable` of the main bundle; otherwise what Foundation finds.
    ///
    /// Of a plural it is the form for other numbers.
    public static func text(_ key: String, table: String?, bundle: Bundle, value: String) -> String {
        if table == nil || table == "Localizable", bundle == .main {
            let found = current.withLock { $0[key] }
            if let text = found?.string ?? found?["other"]?.string { return text }
        }
        return bundle.localizedString(forKey: key, value: value.isEmpty ? nil : value, table: table)
    }
}
