import HTTPClient

/// Collects an answer in memory; complete when the client returns its result.
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
