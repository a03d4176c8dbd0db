import HTTPClient

/// Receives an answer into memory; the client fills it before the result is there.
final class Collector: HTTPReceiver, @unchecked Sendable {
    private(set) var heads: [HTTPHead] = []
    private(set) var body: [UInt8] = []
    private let limit: Int
    private let onHead: @Sendable () -> Void

    init(limit: Int = 1 << 20, onHead: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.onHead = onHead
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func receive(_ head: HTTPHead) -> Bool {
        heads.append(head)
        onHead()
        return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        body += bytes
        return body.count <= limit
    }
}
