internal import Calls
internal import ExtensionHost
internal import JSONRPC

/// The methods of the contract, one table for each kind of caller; each but the client's is made for its first caller.
final class MethodTables {
    typealias Table = MethodTable<HostMethod>

    let client: Table
    /// The methods for control connections.
    private(set) lazy var control = makeControl()
    /// The methods for extensions that show notifications or change them.
    private(set) lazy var content = makeContent()
    /// The methods for destinations and for extensions that render templates: `log` only.
    private(set) lazy var log = makeLog()
    /// The methods and notifications for sources.
    private(set) lazy var source = makeSource()

    private let makeControl: () -> Table
    private let makeContent: () -> Table
    private let makeLog: () -> Table
    private let makeSource: () -> Table

    init(
        client: Table,
        control: @escaping () -> Table,
        content: @escaping () -> Table,
        log: @escaping () -> Table,
        source: @escaping () -> Table
    ) {
        self.client = client
        (makeControl, makeContent, makeLog, makeSource) = (control, content, log, source)
    }

    /// The methods that an extension may call.
    func table(of process: ExtensionProcess) -> Table {
        switch process.bundle.point {
        case .content, .service: content
        case .destination, .personalization: log
        case .source: source
        }
    }
}
