import Foundation
import JSON

/// The extension's end of its pipes, without the library that bundles use.
struct Wire {
    private let lines = Lines()

    /// The next message; nil at the end.
    func read() -> JSON? {
        while let line = lines.next() {
            if let message = try? JSON(parsing: line) { return message }
        }
        return nil
    }

    /// Writes bytes unchanged.
    func raw(_ bytes: some Sequence<UInt8>, to descriptor: Int32 = 1) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes that many MiB of one letter.
    func raw(mebibytes count: Int) {
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<count { raw(part) }
    }

    func line(_ text: String) { raw((text + "\n").utf8) }

    func errors(_ text: String) { raw((text + "\n").utf8, to: 2) }

    func answer(_ id: JSON, _ result: JSON) { line(self.text(id, result)) }

    func text(_ id: JSON, _ result: JSON) -> String {
        (["jsonrpc": "2.0", "id": id, "result": result] as JSON).description
    }

    func refuse(_ id: JSON, code: Int64, _ message: String) {
        let error: JSON = ["code": .integer(code), "message": .string(message)]
        line((["jsonrpc": "2.0", "id": id, "error": error] as JSON).description)
    }

    func notify(_ method: String, _ params: JSON) {
        line((["jsonrpc": "2.0", "method": .string(method), "params": params] as JSON).description)
    }

    func request(_ id: JSON, _ method: String, _ params: JSON) {
        line((["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params] as JSON).description)
    }
}

/// Lines of stdin, read as they arrive.
private final class Lines {
    private var bytes: [UInt8] = []
    /// There is no line end before this position.
    private var searched = 0

    private static func lineEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, let end = memchr(start, 0x0A, bytes.count) else { return nil }
        return UnsafeRawPointer(end) - start
    }

    func next() -> [UInt8]? {
        while true {
            if let end = bytes[searched...].withUnsafeBytes(Self.lineEnd).map({ $0 + searched }) {
                defer { bytes.removeFirst(end + 1) }
                searched = 0
                return Array(bytes[..<end])
            }
            searched = bytes.count
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = chunk.withUnsafeMutableBytes { Foundation.read(0, $0.baseAddress, $0.count) }
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
    }
}
