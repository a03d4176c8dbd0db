internal import Contract
package import JSON
internal import Platform

/// The first line of a recording: how the host was started.
package struct RecordingHeader: Sendable {
    /// The version of the contract that the host spoke.
    package var version: String
    /// The options except those that a replay chooses itself: the folders of suites and files, clock, seed and log.
    ///
    /// A relative path is relative to the folder of the recording.
    package var arguments: [String]
    /// The time at the start, in milliseconds since 1970.
    package var start: Int64
    /// Whether the clock was fixed to that time, so that a replay repeats every time.
    package var isClockFixed: Bool
    /// The seed of the random generator of the recorded run.
    package var seed: UInt64
    /// Whether each line waited for the reply to the line before, so that a replay repeats the order of replies.
    package var isLockStep: Bool
    /// Whether suites existed when the host started; a replay starts without any.
    package var hasEarlierSuites = false
    /// Further members that a replay does not compare: names, or JSON Pointers in which `*` matches any member.
    package var volatile: [String] = []

    /// A header for a new recording, with this version of the contract.
    package init(arguments: [String], start: Int64, isClockFixed: Bool, seed: UInt64, isLockStep: Bool) {
        version = ContractDocuments.version
        self.arguments = arguments
        self.start = start
        self.isClockFixed = isClockFixed
        self.seed = seed
        self.isLockStep = isLockStep
    }

    /// Reads a line; nil if it is not a header.
    package init?(_ line: JSON) {
        guard case .object(let members)? = line["session"],
            let version = members["version"]?.string,
            let start = (members["clock"] ?? members["started"])?.string.flatMap(Timestamp.parse),
            let seed = members["seed"].flatMap(Self.seed),
            let isLockStep = members["lockStep"]?.bool,
            let arguments = Self.texts(members["arguments"]),
            let volatile = Self.texts(members["volatile"] ?? [])
        else { return nil }
        self.version = version
        self.arguments = arguments
        self.start = start
        isClockFixed = members["clock"] != nil
        self.seed = seed
        self.isLockStep = isLockStep
        self.volatile = volatile
        hasEarlierSuites = members["earlierSuites"]?.bool == true
    }

    /// The line.
    package var json: JSON {
        let members: MemberList = [
            "version": .string(version),
            "arguments": JSON(arguments.map(JSON.string)),
            isClockFixed ? "clock" : "started": .string(Timestamp.format(start)),
            // A JSON integer holds at most Int64.max.
            "seed": Int64(exactly: seed).map(JSON.integer) ?? .string(String(seed)),
            "lockStep": .bool(isLockStep),
            "earlierSuites": hasEarlierSuites ? true : nil,
            "volatile": JSON(nonEmpty: volatile.map(JSON.string)),
        ]
        return ["session": JSON(present: members)]
    }

    private static func seed(_ value: JSON) -> UInt64? {
        value.integer.flatMap { UInt64(exactly: $0) } ?? value.string.flatMap { UInt64($0) }
    }

    private static func texts(_ value: JSON?) -> [String]? {
        guard let array = value?.array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }
}
