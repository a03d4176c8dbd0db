internal import Foundation
internal import Notifications
internal import Synchronization

/// The pictures of one document: files of this machine are embedded, others are fetched only if that is allowed.
///
/// What is embedded in a document has a limit together with files that are no pictures, and each file is read once.
package final class LocalImages: Sendable {
    /// The maximum size of all pictures as text of the document, and of all other files that were read.
    private static let limit = 10 << 20

    private let allowsRemote: Bool
    private let state = Mutex((room: LocalImages.limit, sources: [String: ImageSource]()))

    /// The pictures of a new document.
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
        return state.withLock { state in
            guard state.room > 0 else { return .placeholder("the page has no room for more images") }
            let source = state.sources[url] ?? Self.embedded(url, &state.room)
            state.sources[url] = source
            guard case .embedded(let text) = source else { return source }
            // A picture is in the document as often as it is shown.
            state.room -= text.utf8.count
            return state.room > 0 ? source : .placeholder("the page has no room for it")
        }
    }

    private static func embedded(_ url: String, _ room: inout Int) -> ImageSource {
        do throws(ImageFile.Failure) {
            let file = try ImageFile(url: url)
            return .embedded("data:\(file.type);base64,\(Data(file.bytes).base64EncodedString())")
        } catch {
            room -= error.bytesRead
            return .placeholder(error.reason)
        }
    }
}
