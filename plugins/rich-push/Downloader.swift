import HTTPClient

/// Downloads files into a folder, with limits of size and time, and follows the redirects that the rules allow.
struct Downloader {
    private static let redirectLimit = 5

    private let client: HTTPClient

    /// A downloader.
    ///
    /// - Throws: If the process has no descriptors or memory left.
    init() throws(HTTPClientError) {
        client = try HTTPClient(userAgent: "pushhost-rich-push/1.0", connectionsPerHost: 4)
    }

    /// Downloads the file of a payload; cancelling the task ends the download at once.
    func fetch(
        _ source: Source,
        into folder: String,
        timeLimit: Duration
    ) async throws(Refusal) -> AttachmentFile.Finished {
        let deadline = ContinuousClock.now + timeLimit
        var url = source.url
        for _ in 0...Self.redirectLimit {
            let file = AttachmentFile(source, in: folder)
            let request = HTTPRequest(url.description, timeout: ContinuousClock.now.duration(to: deadline))
            let result = await client.send(request, to: file)
            if let refusal = file.refusal { throw refusal }
            guard let location = file.location else {
                try Self.check(result, of: source)
                return try file.finish()
            }
            guard !location.isEmpty else {
                throw Refusal(.failed, "\(source.url) was answered with a redirect without a Location")
            }
            url = try url.redirected(to: location)
        }
        throw Refusal(.refused, "\(source.url) redirects more than \(Self.redirectLimit) times")
    }

    private static func check(_ result: HTTPResult, of source: Source) throws(Refusal) {
        let text =
            switch result.failure {
            case nil: ""
            case .timedOut, .cancelled: "did not arrive in time"
            case .stopped: "was not fetched: the download was stopped"
            case .refusedByProxy(let status): "was not fetched: the proxy answered with status \(status)"
            case .failed(let text): "was not fetched: \(text)"
            }
        if result.failure != nil { throw Refusal(.failed, "\(source.url) \(text)") }
    }
}
