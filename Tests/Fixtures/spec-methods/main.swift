// A server with the methods of the JSON-RPC 2.0 specification's examples, over
// stdin and stdout: shows that the JSONRPC target passes them without the host.

import Foundation
import JSON
import JSONRPC

typealias Handler = (Arguments, JSON?) throws -> JSON

var methods = MethodTable<Handler>()
methods.add("subtract", ["minuend", "subtrahend"]) { arguments, _ in
    guard let minuend = try arguments.value("minuend").integer,
        let subtrahend = try arguments.value("subtrahend").integer
    else { throw arguments.mistyped("minuend", "an integer") }
    return .integer(minuend - subtrahend)
}
methods.add("sum", ["a?", "b?", "c?"]) { _, params in
    .integer((params?.array ?? JSON.Array([])).reduce(0) { $0 + ($1.integer ?? 0) })
}
methods.add("get_data") { _, _ in ["hello", 5] }
methods.add("update", ["a?", "b?", "c?", "d?", "e?"]) { _, _ in .null }
methods.add("notify_hello", ["a?"]) { _, _ in .null }
methods.add("notify_sum", ["a?", "b?", "c?"]) { _, _ in .null }
methods.add("returns_null") { _, _ in .null }
methods.add("always_throws") { _, _ in throw RPCError(.init(rawValue: 1), reason: "always", "always throws") }

let table = methods
let session = Session(lineLimit: 1 << 20)
session.onCall = { call in
    call.answer(
        Result { () throws -> JSON in
            guard let method = table[call.method] else { throw RPCError.methodNotFound(call.method) }
            return try method.handler(try method.signature.bind(call.params), call.params)
        }.mapError { RPCError($0) }
    )
}

@MainActor
func writeOut() {
    while !session.output.isEmpty {
        session.output.drain { bytes in max(0, Foundation.write(1, bytes.baseAddress, bytes.count)) }
    }
}

var buffer = [UInt8](repeating: 0, count: 1 << 16)
while true {
    let count = buffer.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
    guard count > 0 else { break }
    buffer.withUnsafeBytes { session.consume(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    writeOut()
}
session.finish()
writeOut()
