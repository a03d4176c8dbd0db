internal import BrazeRules
internal import Calls
internal import Contract
package import JSONRPC

extension RecordPlace {
    /// The part of the JSON Pointer after the parameter.
    package var pointer: String { JSONPointer.pointer(steps) }
}

extension RecordError: ArgumentError {
    package func error(_ arguments: Arguments) -> RPCError {
        HostError.invalidRecord("not saved: \(text)", path: arguments.path(place.parameter) + place.pointer)
    }
}
