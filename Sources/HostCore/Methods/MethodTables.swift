internal import ExtensionHost
internal import JSONRPC

/// The methods of the contract, one table for each kind of caller.
struct MethodTables {
    let client: MethodTable<HostMethod>
    /// The methods for control connections.
    let control: MethodTable<HostMethod>
    /// The methods for extensions that show notifications or change them.
    let content: MethodTable<HostMethod>
    /// The methods for destinations and for extensions that render templates: `log` only.
    let log: MethodTable<HostMethod>

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
