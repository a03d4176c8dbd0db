internal import ExtensionKit
internal import NATS

/// Why the source cannot work now, as the host shows it.
extension ExtensionError {
    /// An error of NATS.
    init(_ error: NATSError) {
        self.init(reason: "sourceUnavailable", error.text.prefix(1).uppercased() + error.text.dropFirst() + ".")
    }
}
