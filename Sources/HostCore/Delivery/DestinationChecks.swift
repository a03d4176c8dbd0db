internal import Contract
internal import Delivery
internal import JSON
internal import JSONRPC

/// Checks whether destinations can be reached and would accept records; no record is sent.
final class DestinationChecks {
    private let delegate: any FlushServiceDelegate

    init(_ delegate: any FlushServiceDelegate) { self.delegate = delegate }

    /// Checks the destination that a call names.
    func checkDestination(_ invocation: Invocation) throws(RPCError) -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let (name, path) = (try arguments.name("to"), arguments.path("to"))
        guard name != "caller" else {
            throw .invalidParams(path: path, "the caller takes the records itself; name a destination")
        }
        guard let destination = try delegate.destination(name, path: path) as? any InspectedDestination else {
            throw HostError.unsupportedByDestination("\(name) cannot be checked", path: path)
        }
        delegate.hold(invocation)
        destination.check(arguments) { [delegate] reply in
            defer { delegate.release(invocation) }
            guard !invocation.call.isAnswered else { return }
            delegate.finish(invocation, reply.map(\.json))
        }
        return .later
    }
}
