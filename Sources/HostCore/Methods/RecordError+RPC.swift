internal import BrazeRules
internal import Contract
internal import JSONRPC

extension RecordPlace {
    /// The part of the JSON Pointer after the parameter.
    var pointer: String { JSONPointer.pointer(steps) }
}

extension RecordError {
    /// The error of the call, with the path in the params as the caller wrote them.
    func error(_ arguments: Arguments) -> RPCError {
        HostError.invalidRecord("not saved: \(text)", path: arguments.path(place.parameter) + place.pointer)
    }
}

extension JSONPointer {
    /// A JSON Pointer of these names and indices.
    static func pointer(_ steps: [String]) -> String { steps.map { "/" + escape($0) }.joined() }
}
