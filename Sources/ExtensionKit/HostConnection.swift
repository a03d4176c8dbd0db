internal import Foundation
internal import JSON
internal import JSONRPC
internal import Localization

/// The pipe to the host: stdin and stdout as they were when the process began.
///
/// Descriptor 1 then leads to stderr, so that a `print` never corrupts the wire,
/// and descriptor 0 to nothing, so that nothing else reads the host's lines.
///
/// - Important: Used by the main thread.
final class HostConnection {
    let session = Session(lineLimit: 16 << 20)
    private let input: Int32
    private let output: Int32
    /// Messages that came while the answer to a request of ours was awaited.
    private var inbox: [Message] = []
    private var inputEnded = false
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    /// The seed of chance, where the host fixes it.
    var seed: UInt64?
    private var clock: Date?
    /// The locale of notifications that name none.
    var locale = "en"
    /// The texts of the bundle, in whose folder the host starts its process; another one when a file changed.
    let localizedStrings = LocalizedStrings(folder: FileManager.default.currentDirectoryPath, keepsFindings: true)
    private var keysInVain: Set<String> = []

    init() {
        input = fcntl(0, F_DUPFD_CLOEXEC, 3)
        output = fcntl(1, F_DUPFD_CLOEXEC, 3)
        dup2(2, 1)
        let nothing = open("/dev/null", O_RDONLY)
        dup2(nothing, 0)
        close(nothing)
        signal(SIGPIPE, SIG_IGN)
    }

    /// The time, which moves a millisecond a reading where the host fixes it.
    var now: Date {
        guard let time = clock else { return Date() }
        clock = time.addingTimeInterval(0.001)
        return time
    }

    private func fixClock(_ text: String) {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        clock = formatter.date(from: text)
    }

    /// Takes the params of `activate` that fix locale, time and chance, and gives its result.
    ///
    /// - Parameters:
    ///   - arguments: The params.
    ///   - version: The least version of the contract that the extension needs.
    /// - Returns: The result.
    /// - Throws: What is wrong with the params.
    func activate(_ arguments: Arguments, needs version: String = ExtensionMethod.contractVersion) throws -> JSON {
        locale = try arguments.string("locale")
        if let seed = arguments["seed"]?.integer { self.seed = UInt64(bitPattern: seed) }
        if let clock = try arguments.optionalString("clock") { fixClock(clock) }
        return ["version": .string(version)]
    }

    /// Says in the host's log, once a key, that the bundle lacks a text.
    func warn(ofMissingText key: String, _ finding: LocalizedStrings.Finding, locale: String) {
        guard keysInVain.insert(key).inserted else { return }
        let files = finding.files.isEmpty ? "no Localizable.strings" : finding.files.joined(separator: ", ")
        let reasons = finding.failures.map { "; \($0)" }.joined()
        let message = "no text has the key \(key) for the locale \(locale); looked at \(files)\(reasons)"
        session.notify("log", params: ["level": "warning", "message": .string(message)])
    }

    /// Carries out the host's messages until it closes the pipe.
    func run() {
        while let message = next() {
            session.receive(message)
            flush()
        }
    }

    /// Carries out the host's messages, and takes what other threads post meanwhile.
    ///
    /// - Parameters:
    ///   - mailbox: Where they post it.
    ///   - isDone: Whether to return, asked with whether the host closed the pipe; that suffices where nothing is said.
    ///   - take: Takes a letter.
    func run<Letter>(
        _ mailbox: Mailbox<Letter>,
        until isDone: (_ inputEnded: Bool) -> Bool = { $0 },
        _ take: (Letter) -> Void
    ) {
        while !isDone(inputEnded) {
            // poll ignores a negative descriptor, and the end of the input would be told without end.
            let descriptors = [inputEnded ? -1 : input, mailbox.descriptor]
            var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            for letter in mailbox.take() { take(letter) }
            if polled[0].revents != 0 { fill() }
            while !inbox.isEmpty { session.receive(inbox.removeFirst()) }
            flush()
        }
    }

    /// Asks the host and waits for its answer.
    func request(_ method: String, _ params: JSON) throws(ExtensionError) -> JSON {
        var answer: Result<JSON, ResponseError>?
        session.request(method, params: params) { answer = $0 }
        flush()
        var kept: [Message] = []
        while answer == nil {
            guard let message = next() else {
                throw ExtensionError(reason: "hostGone", "the host closed the pipe before it answered \(method)")
            }
            if case .response = message { session.receive(message) } else { kept.append(message) }
        }
        inbox = kept + inbox
        switch answer {
        case .success(let value): return value
        case .failure(.error(let error)): throw ExtensionError(error)
        case .failure(.malformed(let text)): throw ExtensionError(reason: "hostError", text)
        case nil: preconditionFailure("the loop ends with an answer")
        }
    }

    private func next() -> Message? {
        while inbox.isEmpty && !inputEnded { fill() }
        return inbox.isEmpty ? nil : inbox.removeFirst()
    }

    /// Reads once what the host sent, and waits for that.
    private func fill() {
        let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
        if count > 0 {
            buffer.withUnsafeBytes { bytes in
                session.consume(UnsafeRawBufferPointer(rebasing: bytes[..<count])) { self.inbox.append($0) }
            }
        } else if count == 0 || errno != EINTR {
            inputEnded = true
            session.finish { self.inbox.append($0) }
        }
    }

    private func flush() {
        while !session.output.isEmpty {
            session.output.drain { bytes in
                let count = write(output, bytes.baseAddress, bytes.count)
                // A host that is gone reads nothing; the end of input follows.
                return count >= 0 ? count : errno == EINTR ? 0 : bytes.count
            }
        }
    }
}
