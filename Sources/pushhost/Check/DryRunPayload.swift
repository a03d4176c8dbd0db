internal import Foundation
internal import JSON

/// The notification of a dry run.
struct DryRunPayload {
    let payload: JSON
    /// Where it is from.
    let place: String
    /// Whether it was made up, and not written for this bundle.
    let isMadeUp: Bool

    /// One for a content extension; nil without a category, which the host has reported.
    static func of(_ category: String?) -> JSON? {
        category.map { ["aps": ["alert": ["title": "Title", "body": "Body"], "category": .string($0)]] }
    }

    /// One for a service extension.
    static let ofService: JSON = [
        "aps": ["alert": ["title": "Title", "body": "Body"], "mutable-content": 1],
        "ab": ["att": ["url": "https://example.com/a.png", "type": "png"]],
    ]

    /// One for a personalization extension; nothing in it is a template, in whatever language.
    static let ofPersonalization: JSON = ["aps": ["alert": ["title": "Title", "body": "Body"]]]

    /// Finds the payload: a file that was named, the bundle's `payload.apns`, or one made up.
    ///
    /// - Returns: Nil if there is none; the report says why.
    init?(file: String?, folder: String, madeUp: JSON?, _ report: CheckReport) {
        let own = "\(folder)/payload.apns"
        let path = file ?? (FileManager.default.fileExists(atPath: own) ? own : nil)
        guard let path else {
            guard let madeUp else { return nil }
            payload = madeUp
            (place, isMadeUp) = ("a made-up payload", true)
            return
        }
        (place, isMadeUp) = (file == nil ? "payload.apns" : path, false)
        guard let object = Self.object(path, place, needed: "an object with a member aps", report) else { return nil }
        payload = object
    }

    /// The profile that a template is rendered with: the bundle's `profile.json`; without one nothing is known.
    ///
    /// - Returns: Nil if the file is not a profile; the report says why.
    static func profile(folder: String, _ report: CheckReport) -> JSON? {
        let name = "profile.json"
        guard FileManager.default.fileExists(atPath: "\(folder)/\(name)") else { return [:] }
        return object("\(folder)/\(name)", name, needed: "an object", report)
    }

    private static func object(_ path: String, _ place: String, needed: String, _ report: CheckReport) -> JSON? {
        guard let data = FileManager.default.contents(atPath: path) else {
            report.add(.error, place, "it cannot be read")
            return nil
        }
        do {
            let value = try JSON(parsing: Array(data))
            if value.object != nil { return value }
            report.add(.error, place, "it must be \(needed), it is \(value.typeName)")
        } catch {
            report.add(.error, place, "it is no JSON: \(error)")
        }
        return nil
    }
}
