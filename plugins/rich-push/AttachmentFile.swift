import AttachmentRules
import HTTPClient

/// Writes the body of a response to a file of limited size.
///
/// The first bytes decide the type. The name is a new UUID, so that neither the payload nor the server can choose it. The
/// file is removed unless ``finish()`` succeeds. The client's thread writes it before `send` returns.
final class AttachmentFile: HTTPReceiver, @unchecked Sendable {
    /// The fetched file.
    struct Finished {
        let path: String
        /// The type according to its bytes.
        let type: AttachmentType
        /// The type according to the server.
        let mediaType: String?
    }

    private let source: Source
    private let folder: String
    /// The `Location` of a redirect; empty if the redirect has none.
    private(set) var location: String?
    /// Why the file is not attached.
    private(set) var refusal: Refusal?
    private var mediaType: String?
    private var declaredSize: Int?
    /// The first bytes, until the type is detected.
    private var start: [UInt8] = []
    private var opened: (path: String, type: AttachmentType, descriptor: Int32)?
    private var size = 0

    init(_ source: Source, in folder: String) {
        self.source = source
        self.folder = folder
    }

    deinit {
        guard let opened else { return }
        close(opened.descriptor)
        unlink(opened.path)
    }

    func receive(_ head: HTTPHead) -> Bool {
        do throws(Refusal) {
            try read(head)
            return location == nil
        } catch {
            refusal = error
            return false
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(Refusal) {
            try append(bytes)
            return true
        } catch {
            refusal = error
            return false
        }
    }

    /// Completes the file after the whole response was received.
    func finish() throws(Refusal) -> Finished {
        guard size > 0 else { throw failed("is empty") }
        if opened == nil { try create() }
        guard let (path, type, descriptor) = opened else { throw failed("is empty") }
        opened = nil
        close(descriptor)
        return Finished(path: path, type: type, mediaType: mediaType)
    }

    private func read(_ head: HTTPHead) throws(Refusal) {
        if [301, 302, 303, 307, 308].contains(head.status) {
            location = head.headers["location"] ?? ""
            return
        }
        guard head.status == 200 else { throw failed("was answered with status \(head.status)") }
        if let encoding = head.headers["content-encoding"], encoding.lowercased() != "identity" {
            throw Refusal(.refused, "\(source.url) is compressed with \(encoding), which was not asked for")
        }
        mediaType = head.headers["content-type"].map { String($0.prefix { $0 != ";" && !$0.isWhitespace }) }
        declaredSize = head.headers["content-length"].flatMap(Int.init)
        if let declaredSize, declaredSize > AttachmentType.maximumLimit {
            throw tooLarge("\(declaredSize)", source.type)
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        size += bytes.count
        if opened != nil {
            if let refusal = store(bytes) { throw refusal }
            return
        }
        start += bytes
        if start.count >= AttachmentType.signatureLength { try create() }
    }

    /// Creates the file once its type is known, and writes the bytes received so far.
    private func create() throws(Refusal) {
        let signature = Array(start.prefix(AttachmentType.signatureLength))
        guard let type = AttachmentType(of: signature, named: source.type) else {
            throw Refusal(.refused, "\(source.url) is not attached: \(Self.describe(signature, mediaType))")
        }
        if let declaredSize, declaredSize > type.limit { throw tooLarge("\(declaredSize)", type) }
        let path = "\(folder)/\(UUID().uuidString.lowercased()).\(type.rawValue)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw notWritten() }
        opened = (path, type, descriptor)
        let first = start
        start = []
        if let refusal = first.withUnsafeBytes({ store($0) }) { throw refusal }
    }

    /// Writes bytes into the open file; returns a refusal if that fails.
    private func store(_ bytes: UnsafeRawBufferPointer) -> Refusal? {
        guard let opened else { return nil }
        // The size that a server announces may be wrong.
        guard size <= opened.type.limit else { return tooLarge("more", opened.type) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = UnsafeRawBufferPointer(rebasing: rest)
            let count = write(opened.descriptor, chunk.baseAddress, chunk.count)
            guard count > 0 else { return notWritten() }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    // MARK: Refusals

    /// A text that says why a file with these first bytes is not attached.
    private static func describe(_ start: [UInt8], _ mediaType: String?) -> String {
        let types = AttachmentType.allCases.map(\.rawValue).joined(separator: ", ")
        let firstVisible = start.first { $0 > UInt8(ascii: " ") }
        let likeness = firstVisible == UInt8(ascii: "<") ? ", they look like HTML or XML" : ""
        let server = mediaType.map { "; its server says \($0)" } ?? ""
        return "its bytes are none of \(types)\(likeness)\(server)"
    }

    private func failed(_ text: String) -> Refusal { Refusal(.failed, "\(source.url) \(text)") }

    private func notWritten() -> Refusal { failed("cannot be kept: \(String(cString: strerror(errno)))") }

    private func tooLarge(_ bytes: String, _ type: AttachmentType) -> Refusal {
        let text = "has \(bytes) bytes; a \(type.rawValue) of at most \(type.limit) is attached"
        return Refusal(.refused, "\(source.url) \(text)")
    }
}
