internal import JSON
package import JSONRPC

/// The height available to a view, as in Apple's `UIUserInterfaceSizeClass`.
package enum VerticalSizeClass: String, CaseIterable, Sendable {
    /// Little height, as on a phone in landscape orientation.
    case compact
    case regular
}

extension Arguments {
    /// The size class in the call's arguments; nil if it is absent.
    package func verticalSizeClass() throws(RPCError) -> VerticalSizeClass? {
        try optional(
            "verticalSizeClass",
            ExpectedValue("compact or regular") { value in
                value.string.flatMap(VerticalSizeClass.init)
            }
        )
    }
}
