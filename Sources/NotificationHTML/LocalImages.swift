internal import Foundation
internal import Notifications

/// The pictures of a notification: files of this machine are embedded, others are fetched only if that is allowed.
package struct LocalImages: Sendable {
    private let allowsRemote: Bool

    /// The pictures.
    ///
    /// - Parameter allowsRemote: Whether the browser may fetch pictures from the web.
    package init(allowsRemote: Bool) { self.allowsRemote = allowsRemote }

    /// Where the picture at a URL comes from.
    package func source(_ url: String) -> ImageSource {
        let lowercased = url.lowercased()
        if lowercased.hasPrefix("https:") || lowercased.hasPrefix("http:") {
            return allowsRemote ? .remote(url) : .placeholder("remote image, not loaded")
        }
        guard lowercased.hasPrefix("file:") else { return .placeholder("address not allowed") }
        do throws(ImageFile.Failure) {
            let file = try ImageFile(url: url)
            return .embedded("data:\(file.type);base64,\(Data(file.bytes).base64EncodedString())")
        } catch {
            return .placeholder(error.reason)
        }
    }
}
