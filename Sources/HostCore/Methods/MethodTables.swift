internal import ExtensionHost
internal import JSONRPC

/// The methods of the contract, one table for each kind of caller.
final class MethodTables {
    let client: MethodTable<HostMethod>
    /// The methods for control connections.
    let control: MethodTable<HostMethod>
    /// The methods for extensions that show notifications or change them.
    let content: MethodTable<HostMethod>
    /// The methods for destinations and for extensions that render templates: `log` only.
    let log: MethodTable<HostMethod>

    init(
        client: MethodTable<HostMethod>,
        control: MethodTable<HostMethod>,
        content: MethodTable<HostMethod>,
        log: MethodTable<HostMethod>
    ) {
        (self.client, self.control, self.content, self.log) = (client, control, content, log)
    }

    /// Finds the method of a call among those that the peer may call.
    func find(_ call: Call, of peer: Peer) -> MethodTable<HostMethod>.Method? {
        if case .client = peer.role { client[call] } else { table(of: peer)[call] }
    }

    /// The methods that a peer may call.
    func table(of peer: Peer) -> MethodTable<HostMethod> {
        switch peer.role {
        case .client: client
        case .control: control
        case .extension(let process):
            switch process.bundle.point {
            case .content, .service: content
            case .destination, .personalization: log
            }
        }
    }
}
