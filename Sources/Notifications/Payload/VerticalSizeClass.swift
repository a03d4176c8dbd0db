internal import JSON
package import JSONRPC

/// How much height a view has, in the words of Apple's `UIUserInterfaceSizeClass`.
package enum VerticalSizeClass: String, CaseIterable, Sendable {
    /// Little: a phone held sideways.
    case compact
    case regular
}

extension Arguments {
    /// The size class that a call names; nil if it names none.
    package func verticalSizeClass() throws(RPCError) -> VerticalSizeClass? {
        try optional(
            "verticalSizeClass",
            ExpectedValue("compact or regular") { value in
                value.string.flatMap(VerticalSizeClass.init)
            }
        )
    }
}
