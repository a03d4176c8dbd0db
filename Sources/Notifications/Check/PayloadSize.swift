package import JSON

/// How many bytes a payload has, and which of its keys have them.
package struct PayloadSize {
    /// The share of one key.
    package struct Share: Equatable {
        package let key: String
        /// The bytes of the key and its value in compact form.
        package let bytes: Int
    }

    /// The bytes of the payload in compact form, as Apple counts them.
    package let bytes: Int
    /// The share of each key of the payload, the largest first.
    package let shares: [Share]

    package init(_ payload: JSON) {
        bytes = payload.bytes.count
        let shares = (payload.object.map(Array.init) ?? []).map { name, value in
            // A colon stands between them.
            Share(key: name, bytes: JSON.string(name).bytes.count + 1 + value.bytes.count)
        }
        self.shares = shares.enumerated()
            .sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }.map(\.element)
    }

    /// The finding for a payload that is too large to be delivered; nil if it is not.
    func finding(isTemplate: Bool) -> PayloadFinding? {
        guard bytes > Payload.limit else { return nil }
        let largest = shares.prefix(3).map { "\($0.key) \($0.bytes)" }.joined(separator: ", ")
        return PayloadFinding(
            // What a template has before it is rendered says little.
            isTemplate ? .warning : .error,
            "payloadTooLarge",
            "",
            "the payload has \(bytes) bytes, Apple delivers at most \(Payload.limit); the largest keys: \(largest)",
            "remove \(bytes - Payload.limit) bytes"
        )
    }
}
