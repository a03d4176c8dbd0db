internal import BrazeRules
internal import Contract
internal import JSONRPC

extension RecordPlace {
    /// The rest of a JSON Pointer, behind the parameter.
    var pointer: String { JSONPointer.pointer(steps) }
}

extension RecordError {
    /// The error for a caller who wrote the params in this way.
    func error(_ arguments: Arguments) -> RPCError {
        HostError.invalidRecord("not saved: \(text)", path: arguments.path(place.parameter) + place.pointer)
    }
}

extension JSONPointer {
    /// The part of a JSON Pointer that leads over those names and indices.
    static func pointer(_ steps: [String]) -> String { steps.map { "/" + escape($0) }.joined() }
}
