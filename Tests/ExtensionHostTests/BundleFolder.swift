import Foundation
import TestSupport

/// A folder with the files of a bundle.
struct BundleFolder {
    static let content = "com.apple.usernotifications.content-extension"

    let path: String

    /// Creates the folder with the Info.plist of a valid extension and changes to it; `NSNull` removes a value.
    ///
    /// Names that begin with `UNNotificationExtension` or `Pushhost` are attributes.
    init(
        _ path: String,
        _ changes: [String: Any] = [:],
        format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var attributes: [String: Any] = ["UNNotificationExtensionCategory": "offers"]
        var own: [String: Any] = ["NSExtensionPointIdentifier": Self.content]
        var info: [String: Any] = ["CFBundleIdentifier": "com.example.a", "CFBundleExecutable": "run"]
        for (key, value) in changes {
            let value = value is NSNull ? nil : value
            if key.hasPrefix("UNNotificationExtension") || key.hasPrefix("Pushhost") {
                attributes[key] = value
            } else if key == "NSExtensionPointIdentifier" {
                own[key] = value
            } else {
                info[key] = value
            }
        }
        own["NSExtensionAttributes"] = attributes
        if changes["NSExtension"] == nil { info["NSExtension"] = own }
        try write(info, to: "Info.plist", format)
    }

    /// Writes a property list into the bundle.
    func write(
        _ list: [String: Any],
        to name: String,
        _ format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws {
        try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            .write(to: URL(filePath: "\(path)/\(name)"))
    }

    /// Writes a text into the bundle.
    func write(_ text: String, to name: String, mode: Int = 0o755) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
    }
}
