import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One file on its way from a server into a folder, within bounds of size and time.
///
/// Nothing of it outlives the download but the file: no cookies, credentials or
/// cache. The file's name is a new UUID, so that nobody else has a say in it.
final class Download: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// What was fetched.
    struct File {
        let path: String
        /// What the server says that it is.
        let mediaType: String?
    }

    private static let redirectLimit = 5

    private let source: Source
    private let path: String
    private let completion: @Sendable (Result<File, Refusal>) -> Void
    /// All below is used by the blocks of this queue alone, one at a time; the delegate's methods are among them.
    private let queue = OperationQueue()
    private var session: URLSession?
    private var url: SourceURL
    private var redirects = 0
    private var mediaType: String?
    private var descriptor: Int32 = -1
    private var size: Int64 = 0
    private var isFinished = false

    /// A download that ``start(timeLimit:)`` begins; the completion is called once, on a thread of its own.
    init(_ source: Source, into folder: String, completion: @escaping @Sendable (Result<File, Refusal>) -> Void) {
        self.source = source
        self.completion = completion
        url = source.url
        path = "\(folder)/\(UUID().uuidString.lowercased()).\(source.type.rawValue)"
        queue.maxConcurrentOperationCount = 1
    }

    /// Begins; to be called once.
    func start(timeLimit: Double) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = timeLimit
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        queue.addOperation { [self] in
            self.session = session
            session.dataTask(with: Self.request(for: url)).resume()
        }
        // The session's own limit starts anew with each byte.
        DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit) { [weak self] in self?.cancel() }
    }

    /// The file as it is: what is sent packed may be any size once it is unpacked.
    private static func request(for url: SourceURL) -> URLRequest {
        var request = URLRequest(url: url.url)
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    /// Gives up, unless it is finished: the time is over.
    func cancel() {
        queue.addOperation { [self] in fail(.failed, "was not there in time") }
    }

    // MARK: The session's news

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirects += 1
        do throws(Refusal) {
            guard redirects <= Self.redirectLimit else {
                throw Refusal(.refused, "\(source.url) redirects more than \(Self.redirectLimit) times")
            }
            // On Linux a URL of another scheme comes as a request to the same server: the header tells the truth.
            url = try url.redirected(to: response.value(forHTTPHeaderField: "Location") ?? "")
            completionHandler(Self.request(for: url))
        } catch {
            completionHandler(nil)
            finish(.failure(error))
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard !isFinished else { return completionHandler(.cancel) }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        mediaType = response.mimeType
        if status != 200 {
            fail(.failed, "was answered with status \(status)")
        } else if let encoding = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding"),
            encoding.lowercased() != "identity"
        {
            fail(.refused, "is packed with \(encoding), which was not asked for")
        } else if response.expectedContentLength > source.type.limit {
            failAsTooLarge("\(response.expectedContentLength)")
        } else {
            open()
        }
        completionHandler(isFinished ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard !isFinished else { return }
        // What a server says of the size is no promise.
        size += Int64(data.count)
        guard size <= source.type.limit else { return failAsTooLarge("more") }
        data.withUnsafeBytes { write($0) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return fail(.failed, "was not fetched: \(error.localizedDescription)") }
        guard descriptor >= 0 else { return fail(.failed, "was answered with a redirect that leads nowhere") }
        guard size > 0 else { return fail(.failed, "is empty") }
        finish(.success(File(path: path, mediaType: mediaType)))
    }

    // MARK: The file

    private func open() {
        descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { failToWrite() }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            guard count > 0 else { return failToWrite() }
            rest = rest.dropFirst(count)
        }
    }

    private func failToWrite() { fail(.failed, "cannot be kept: \(String(cString: strerror(errno)))") }

    // MARK: The end

    private func failAsTooLarge(_ bytes: String) {
        let (type, limit) = (source.type.rawValue, source.type.limit)
        fail(.refused, "has \(bytes) bytes; a \(type) of at most \(limit) is attached")
    }

    private func fail(_ reason: Refusal.Reason, _ text: String) {
        finish(.failure(Refusal(reason, "\(source.url) \(text)")))
    }

    private func finish(_ result: Result<File, Refusal>) {
        guard !isFinished else { return }
        isFinished = true
        session?.invalidateAndCancel()
        session = nil
        if descriptor >= 0 {
            close(descriptor)
            if case .failure = result { unlink(path) }
        }
        completion(result)
    }
}
