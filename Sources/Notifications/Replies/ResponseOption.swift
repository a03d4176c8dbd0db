internal import JSON
package import JSONRPC

/// What happens to a notification after a response: Apple's `UNNotificationContentExtensionResponseOption`.
package enum ResponseOption: String, CaseIterable, Sendable {
    case doNotDismiss
    case dismiss
    case dismissAndForward

    /// Apple's name of ``dismissAndForward``; Braze's guide uses the shorter name.
    private static let appleForward = "dismissAndForwardAction"

    /// The expected JSON value.
    package static let expected = ExpectedValue<ResponseOption>(
        "one of \((allCases.map(\.rawValue) + [appleForward]).joined(separator: ", "))"
    ) { value in
        value == .string(appleForward) ? .dismissAndForward : value.string.flatMap(ResponseOption.init)
    }
}
