internal import Foundation
internal import JSON
internal import Platform

/// The notification of a dry run.
struct DryRunPayload {
    let payload: JSON
    /// Where the payload comes from, as the place of findings.
    let place: String
    /// Whether the payload was generated, and not written for this bundle.
    let isGenerated: Bool

    /// A payload for a content extension; nil without a category, which the host has reported.
    static func of(_ category: String?) -> JSON? {
        category.map { ["aps": ["alert": ["title": "Title", "body": "Body"], "category": .string($0)]] }
    }

    /// A payload for a service extension.
    static let ofService: JSON = [
        "aps": ["alert": ["title": "Title", "body": "Body"], "mutable-content": 1],
        "ab": ["att": ["url": "https://example.com/a.png", "type": "png"]],
    ]

    /// A payload for a personalization extension; it holds no template of any template language.
    static let ofPersonalization: JSON = ["aps": ["alert": ["title": "Title", "body": "Body"]]]

    /// Finds the payload: the named file, the bundle's `payload.apns`, or a generated payload.
    ///
    /// - Returns: Nil if there is none, or if a file is invalid, which is reported.
    init?(file: String?, folder: String, generated: JSON?, _ report: CheckReport) {
        let own = "\(folder)/payload.apns"
        let path = file ?? (FileManager.default.fileExists(atPath: own) ? own : nil)
        guard let path else {
            guard let generated else { return nil }
            payload = generated
            (place, isGenerated) = ("a generated payload", true)
            return
        }
        (place, isGenerated) = (file == nil ? "payload.apns" : path, false)
        guard let object = Self.object(path, place, needed: "an object with a member aps", report) else { return nil }
        payload = object
    }

    /// The profile for rendering templates: the bundle's `profile.json`, or an empty one if there is no such file.
    ///
    /// - Returns: Nil if the file is not a profile, which is reported.
    static func profile(folder: String, _ report: CheckReport) -> JSON? {
        let name = "profile.json"
        guard FileManager.default.fileExists(atPath: "\(folder)/\(name)") else { return [:] }
        return object("\(folder)/\(name)", name, needed: "an object", report)
    }

    private static func object(_ path: String, _ place: String, needed: String, _ report: CheckReport) -> JSON? {
        let bytes: [UInt8]
        do throws(NamedFile.Problem) {
            // The user may name a pipe, but a bundle may not.
            bytes = try NamedFile.contents(at: path, limit: 16 << 20, awaitsPipes: path == place)
        } catch {
            report.addFinding(.error, place, error.text)
            return nil
        }
        do {
            let value = try JSON(authored: bytes)
            if value.object != nil { return value }
            report.addFinding(.error, place, "it must be \(needed), but it is \(value.typeName)")
        } catch {
            report.addFinding(.error, place, "it is not JSON: \(error)")
        }
        return nil
    }
}
