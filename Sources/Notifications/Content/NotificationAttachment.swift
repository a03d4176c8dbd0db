internal import JSON

/// A file that a notification shows.
package struct NotificationAttachment: Equatable {
    let identifier: String
    /// The absolute path of the file, with links resolved.
    let path: String
    /// The type of the file as the suffix of its name, such as `png`.
    let type: String

    var json: JSON {
        ["identifier": .string(identifier), "url": .string(FileURL.text(path)), "type": .string(type)]
    }
}
