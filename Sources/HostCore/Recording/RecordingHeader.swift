public import JSON

/// The first line of a recording: how the host was started.
public struct RecordingHeader: Sendable {
    /// The version of the contract that the host spoke.
    public var version: String
    /// The options, but for those that a replay chooses by itself: the folders of suites and files, clock, seed, log.
    ///
    /// A relative path is relative to the folder of the recording.
    public var arguments: [String]
    /// The time at the start, in RFC 3339.
    public var clock: String
    /// What all chance came from.
    public var seed: UInt64
    /// Whether each line waited for the reply to the one before, so that times and order come again.
    public var isLockStep: Bool
    /// Further members of replies that a replay does not compare: names, or JSON Pointers in which `*` is any member.
    public var volatile: [String]

    /// A header of this version of the contract.
    public init(arguments: [String], clock: String, seed: UInt64, isLockStep: Bool, volatile: [String] = []) {
        version = Contract.version
        self.arguments = arguments
        self.clock = clock
        self.seed = seed
        self.isLockStep = isLockStep
        self.volatile = volatile
    }

    /// The header of a line; nothing where it is none.
    public init?(_ line: JSON) {
        guard case .object(let members)? = line["session"],
            let version = members["version"]?.string,
            let clock = members["clock"]?.string,
            let seed = members["seed"].flatMap(Self.seed),
            let isLockStep = members["lockStep"].flatMap(Self.bool),
            let arguments = Self.texts(members["arguments"]),
            let volatile = members["volatile"].map(Self.texts) ?? []
        else { return nil }
        self.version = version
        self.arguments = arguments
        self.clock = clock
        self.seed = seed
        self.isLockStep = isLockStep
        self.volatile = volatile
    }

    /// The line.
    public var json: JSON {
        var members: [(String, JSON)] = [
            ("version", .string(version)),
            ("arguments", JSON(arguments.map(JSON.string))),
            ("clock", .string(clock)),
            // Past int64 there is no integer in JSON here.
            ("seed", Int64(exactly: seed).map(JSON.integer) ?? .string(String(seed))),
            ("lockStep", .bool(isLockStep)),
        ]
        if !volatile.isEmpty { members.append(("volatile", JSON(volatile.map(JSON.string)))) }
        return ["session": .object(JSON.Object(members))]
    }

    private static func seed(_ value: JSON) -> UInt64? {
        value.integer.flatMap { UInt64(exactly: $0) } ?? value.string.flatMap { UInt64($0) }
    }

    private static func bool(_ value: JSON) -> Bool? {
        guard case .bool(let bool) = value else { return nil }
        return bool
    }

    private static func texts(_ value: JSON?) -> [String]? {
        guard case .array(let array)? = value else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }
}
