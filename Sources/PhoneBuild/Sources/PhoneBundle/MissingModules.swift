internal import PhoneDiagnostics
internal import PhoneRewriter

/// Errors for modules that sources import and that nothing here has.
enum MissingModules {
    /// An error for each module, at its first import, with what to do instead.
    ///
    /// - Parameters:
    ///   - imports: The imports that the copies lack.
    ///   - origins: Where modules of others come from, by their names, such as `the pod Lottie`.
    /// - Returns: The errors.
    static func errors(_ imports: [MissingImport], origins: [String: String]) -> [Diagnostic] {
        var known: Set<String> = []
        return imports.filter { known.insert($0.module).inserted }.map { first in
            var others: [String] = []
            for other in imports where other.module == first.module && other.place.path != first.place.path {
                let name = other.place.path.split(separator: "/").last.map(String.init) ?? other.place.path
                if !others.contains(name) { others.append(name) }
            }
            let verb = others.count == 1 ? "imports" : "import"
            let also = others.isEmpty ? "" : " (\(others.joined(separator: ", ")) \(verb) it too)"
            let text =
                "there is no module \(first.module): \(advice(first.module, origin: origins[first.module]))\(also)"
            let place = first.place
            return Diagnostic(.error, place.path, line: place.line, column: place.column, text)
        }
    }

    /// Why there is no such module, and what remains possible.
    private static func advice(_ module: String, origin: String?) -> String {
        let instead = "where #if canImport(\(module)) is false"
        if let (_, vendor) = vendors.first(where: { module.hasPrefix($0.prefix) }) {
            let base = "inherit from UNNotificationServiceExtension or UIViewController \(instead)"
            return "\(vendor)'s SDK is compiled for Apple's platforms only: \(base), and try what is your own"
        }
        switch module {
        case "CoreData":
            return "Core Data needs Objective-C: read from the payload or the App Group's UserDefaults \(instead)"
        case "Realm", "RealmSwift":
            return "Realm needs Objective-C: read from the payload or the App Group's UserDefaults \(instead)"
        case "ARKit", "Metal", "MetalKit", "RealityKit", "SceneKit", "SpriteKit":
            return "no frames are rendered: show views of UIKit \(instead)"
        case "Lottie":
            return "no animation of Lottie is played: show its first picture in a UIImageView \(instead)"
        case "WebKit":
            return "no web page is drawn: show its text in a UILabel \(instead)"
        default: break
        }
        if let origin { return "it is from \(origin)" }
        return "keep what uses it out of the extension's target, or in #if canImport(\(module))"
    }

    /// The beginnings of the modules of vendors whose classes extensions inherit from.
    private static let vendors: [(prefix: String, name: String)] = [
        ("Airship", "Airship"), ("Braze", "Braze"), ("CleverTap", "CleverTap"),
        ("CTNotification", "CleverTap"), ("Firebase", "Firebase"), ("MoEngage", "MoEngage"),
        ("OneSignal", "OneSignal"),
    ]
}
