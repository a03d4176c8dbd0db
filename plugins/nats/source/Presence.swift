internal import JSON
internal import NATS

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The key by which a relay shows that it is alive; its value changes at each renewal.
struct Presence {
    private static let prefix = "relay."

    private let relay: Relay
    private var revision: UInt64?
    /// How often the key was renewed, for people who look at the bucket.
    private var count = 0

    init(_ relay: Relay) { self.relay = relay }

    /// The relay whose key this is; nil if it is the key of something else.
    static func relay(of key: String) -> String? { key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil }

    /// The key of a relay.
    static func key(of relay: String) -> String { prefix + relay }

    /// When the stream stored the oldest record that a relay has fetched and not settled; nil if it has none.
    static func oldest(_ entry: KeyValueStore.Entry) -> Int64? { (try? JSON(parsing: entry.value))?["oldest"]?.integer }

    private var key: String { Self.key(of: relay.identifier) }
    private var bucket: KeyValueStore { relay.cluster.relays }

    /// In which of its partitions records wait, as a relay says.
    static func busy(_ entry: KeyValueStore.Entry) -> Set<Int> {
        Set((try? JSON(parsing: entry.value))?["busy"]?.array?.integers?.map { Int($0) } ?? [])
    }

    /// Changes the key, or creates it.
    ///
    /// - Throws: Why the servers did not store it.
    mutating func renew() throws(NATSError) {
        count += 1
        let process = ProcessInfo.processInfo
        let (partitions, busy) = relay.board.read { (Set($0.leases.keys), $0.busy) }
        let value: JSON = [
            "host": .string(process.hostName), "process": .integer(Int64(process.processIdentifier)),
            "count": JSON(count), "partitions": JSON(partitions.sorted().map { JSON($0) }),
            "busy": JSON(busy.intersection(partitions).sorted().map { JSON($0) }),
            "oldest": relay.oldest.map(JSON.integer) ?? .null,
        ]
        do throws(NATSError) {
            try write(value.bytes)
        } catch  where error.kind == .conflict {
            // An earlier attempt was stored though the server did not answer, or another relay deleted the key.
            revision = try bucket.get(key)?.revision
            try write(value.bytes)
        }
    }

    private mutating func write(_ value: [UInt8]) throws(NATSError) {
        revision =
            if let revision {
                try bucket.update(key, value, revision: revision)
            } else {
                try bucket.create(key, value)
            }
    }

    /// Deletes the key.
    ///
    /// - Throws: Why it is not deleted.
    func remove() throws(NATSError) {
        if let revision { try bucket.delete(key, revision: revision) }
    }

    /// Deletes the keys of relays that ended long ago without deleting their key.
    func removeDead(_ relays: [String: UInt64]) {
        for (relay, revision) in relays {
            // Another relay may do it at the same time.
            try? bucket.delete(Self.key(of: relay), revision: revision)
        }
    }
}
