internal import CCurl
internal import Platform

/// A request under way and its response; used only by the client's thread.
final class Transfer {
    /// The maximum size of a response's head in bytes.
    private static let headLimit = 256 << 10
    /// The result of a request whose task was cancelled before it started.
    static let cancelledBeforehand = HTTPResult(head: nil, failure: .cancelled, mayHaveSentBody: false)

    let pending: PendingTransfer
    let easy: UnsafeMutableRawPointer
    private let url: OpaquePointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    /// The number of bytes of the body that libcurl has read and may have sent.
    private var bytesSent = 0
    private var head = HeadParser()
    private var headSize = 0
    /// Why a callback of this object ended the transfer; nil if none did.
    private var callbackFailure: HTTPFailure?

    /// Prepares a transfer.
    ///
    /// - Throws: An error if the URL is not allowed, or if memory is exhausted.
    init(_ pending: PendingTransfer, _ options: TransferOptions) throws(HTTPClientError) {
        // The check uses libcurl's own parsing of the URL.
        let target = try Target(pending.request.url)
        guard let easy = curl_easy_init() else {
            curl_url_cleanup(target.url)
            throw HTTPClientError(description: "there is no memory left for a request")
        }
        self.pending = pending
        self.easy = easy
        url = target.url
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.pointee = 0
        configure(options, isLoopback: target.isLoopback)
        if let body = pending.request.body { configureBody(body.count) }
        addHeaders()
        addCallbacks()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_url_cleanup(url)
        curl_slist_free_all(headers)
        errorText.deallocate()
    }

    // MARK: The request

    private func configure(_ options: TransferOptions, isLoopback: Bool) {
        _ = ccurl_set_pointer(easy, CURLOPT_CURLU, UnsafeMutableRawPointer(url))
        _ = ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        _ = ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        ccurl_set_quick_exit(easy)
        _ = ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        _ = ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        _ = ccurl_set_long(easy, CURLOPT_MAXAGE_CONN, options.idleLimit)
        _ = ccurl_set_text(easy, CURLOPT_USERAGENT, options.userAgent)
        // An empty proxy keeps libcurl from reading the environment.
        _ = ccurl_set_text(easy, CURLOPT_PROXY, isLoopback ? "" : options.proxies.proxy ?? "")
        _ = ccurl_set_text(easy, CURLOPT_NOPROXY, options.proxies.exceptions)
        _ = ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let certificates = options.certificates { _ = ccurl_set_text(easy, CURLOPT_CAINFO, certificates) }
    }

    private func configureBody(_ size: Int) {
        _ = ccurl_set_long(easy, CURLOPT_POST, 1)
        _ = ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(size))
    }

    private func addHeaders() {
        var lines = pending.request.headers.map { "\($0.key): \($0.value)" }
        // A compressed response can have any size after decompression.
        lines.append("Accept-Encoding: identity")
        // Otherwise libcurl would wait up to a second for the server's permission to send a large body.
        lines.append("Expect:")
        for line in lines { headers = curl_slist_append(headers, line) ?? headers }
        _ = ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headers)
    }

    // MARK: The callbacks

    private func addCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let contexts = [
            CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_PREREQDATA, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA,
        ]
        for option in contexts { _ = ccurl_set_pointer(easy, option, context) }
        _ = ccurl_set_read(easy) { buffer, size, count, context in
            Transfer.of(context).provideBody(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        _ = ccurl_set_seek(easy) { context, _, _ in
            Transfer.of(context).refuseSecondBody() ? CURL_SEEKFUNC_FAIL : CURL_SEEKFUNC_OK
        }
        _ = ccurl_set_prerequest(easy) { context, _, _, _, _ in
            Transfer.of(context).refuseSecondBody() ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK
        }
        _ = ccurl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return Transfer.of(context).receive(line: line) ? line.count : 0
        }
        _ = ccurl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return Transfer.of(context).receive(bytes) ? bytes.count : 0
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { fatalError("libcurl called a callback without its context") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Copies the next bytes of the body to libcurl's buffer; returns their count, which is 0 at the end of the body.
    private func provideBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let body = pending.request.body else { return 0 }
        let count = min(buffer.count, body.count - bytesSent)
        body.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[bytesSent..<bytesSent + count]))
        }
        bytesSent += count
        return count
    }

    /// Ends the transfer if libcurl is about to send the body a second time; returns whether it does.
    ///
    /// If a reused connection ends without a response, libcurl retries on another
    /// connection: it rewinds the body and calls the pre-request callback. The first
    /// body may have arrived, so it must not be sent again.
    private func refuseSecondBody() -> Bool {
        guard bytesSent > 0 else { return false }
        callbackFailure = .failed("the connection ended without an answer")
        return true
    }

    private func receive(line: UnsafeRawBufferPointer) -> Bool {
        headSize += line.count
        guard headSize <= Self.headLimit else {
            callbackFailure = .failed("the answer's head has more than \(Self.headLimit) bytes")
            return false
        }
        guard let head = head.parse(String(decoding: line, as: UTF8.self)) else { return true }
        guard pending.receiver.receive(head) else {
            callbackFailure = .stopped
            return false
        }
        return true
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard pending.receiver.receive(bytes) else {
            callbackFailure = .stopped
            return false
        }
        return true
    }

    // MARK: The end

    /// Why the response is incomplete after libcurl ended the transfer with that code; nil if it is complete.
    func failure(for code: CURLcode) -> HTTPFailure? {
        if let callbackFailure { return callbackFailure }
        var status = 0
        if bytesSent == 0, head.finished == nil, ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK,
            status >= 300
        {
            return .refusedByProxy(status: status)
        }
        guard code == CURLE_OK else {
            let text = String(cString: errorText)
            return .failed(text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
        }
        return head.finished == nil ? .failed("the connection ended within the answer's head") : nil
    }

    /// The result of the transfer with a failure, if there is one.
    func result(_ failure: HTTPFailure?) -> HTTPResult {
        HTTPResult(head: head.finished, failure: failure, mayHaveSentBody: bytesSent > 0)
    }
}

/// Parses the head of a response line by line.
///
/// Heads of interim responses (1xx) and trailers are skipped.
private struct HeadParser {
    /// The head of the response, once its last line has arrived.
    private(set) var finished: HTTPHead?
    private var current: HTTPHead?

    /// Parses the next line, including its line break.
    ///
    /// - Returns: The head, if the line was its last one.
    mutating func parse(_ line: String) -> HTTPHead? {
        let text = line.drop { $0 == " " || $0 == "\t" }
        if finished != nil { return nil }
        if line.hasPrefix("HTTP/") {
            let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
            current = HTTPHead(status: status ?? 0)
            return nil
        }
        guard let head = current else { return nil }
        if text.allSatisfy(\.isNewline) {
            current = nil
            finished = head.status < 200 ? nil : head
            return finished
        }
        // Lines that continue the previous one are obsolete since 2014 (RFC 7230), and no value read here uses them.
        guard text.startIndex == line.startIndex, let colon = line.firstIndex(of: ":") else { return nil }
        let name = line[..<colon].lowercased()
        let value = String(line[line.index(after: colon)...].drop(while: \.isWhitespace).trimmedEnd)
        current?.headers[name] = head.headers[name].map { "\($0), \(value)" } ?? value
        return nil
    }
}

extension Substring {
    /// The text without white space at its end.
    fileprivate var trimmedEnd: Substring {
        var rest = self
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
