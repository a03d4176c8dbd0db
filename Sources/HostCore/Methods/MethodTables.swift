internal import ExtensionHost
internal import JSONRPC

/// The methods of the contract, by who may call them.
struct MethodTables {
    let client: MethodTable<HostMethod>
    /// Those of extensions that show notifications or change them.
    let content: MethodTable<HostMethod>
    /// Those of destinations and of extensions that render templates.
    let log: MethodTable<HostMethod>

    /// The methods that a peer may call.
    func table(of peer: Peer) -> MethodTable<HostMethod> {
        switch peer.role {
        case .client: client
        case .extension(let process):
            switch process.bundle.point {
            case .content, .service: content
            case .destination, .personalization: log
            }
        }
    }
}
