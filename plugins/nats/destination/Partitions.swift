internal import BrazeRules
internal import JSON
internal import NATS

/// The partitions of a stream: all records of a user are in one, so that one relay at a time delivers them.
///
/// The stream's own list of subjects says how many there are, so all hosts and relays agree.
struct Partitions: Equatable, Sendable {
    /// How many there are.
    let count: Int
    private let stream: String

    /// The partitions of a stream that this destination would create.
    init(stream: String, count: Int) {
        self.stream = stream
        self.count = count
    }

    /// Reads the partitions from the properties of a stream.
    ///
    /// - Throws: Why records must not be published to it, and what to change.
    init(_ configuration: StreamConfiguration) throws(NATSError) {
        stream = configuration.name
        count = configuration.subjects.count
        let name = stream
        let wanted = Set((0..<count).map { Self.subject(stream: name, suite: "*", $0) })
        var faults: [String] = []
        if count == 0 || wanted != Set(configuration.subjects) {
            let first = configuration.subjects.sorted().prefix(3).joined(separator: ", ")
            faults.append("its subjects must be \(name).*.0, \(name).*.1 and so on, they are \(first)")
        }
        if !configuration.keepsAcknowledged { faults.append("its retention must be limits") }
        if configuration.dropsOld { faults.append("it must have no max_age and no max_msgs_per_subject") }
        if !configuration.discardsNew { faults.append("it must discard new messages when it is full, not old ones") }
        if !configuration.isStoredInFiles { faults.append("it must be stored in files") }
        if configuration.duplicates < .seconds(120) { faults.append("it must remember ids for at least 120 s") }
        guard faults.isEmpty else {
            let text = faults.joined(separator: "; ")
            throw NATSError(.invalid, "the stream \(name) cannot be used: \(text). Change it, or set NATS_STREAM")
        }
    }

    /// The subject of a record.
    ///
    /// - Parameters:
    ///   - suite: The suite's name as a ``token(_:)``.
    ///   - key: The user's key, see ``userKey(_:identity:)``.
    /// - Returns: The subject.
    func subject(suite: String, key: String) -> String {
        Self.subject(stream: stream, suite: suite, Int(FNV.hash(key.utf8) % UInt64(count)))
    }

    static func subject(stream: String, suite: String, _ partition: Int) -> String { "\(stream).\(suite).\(partition)" }

    /// A text for each user: two users have the same one if Braze would use the same identifier for them.
    ///
    /// - Parameters:
    ///   - user: The user; nil for a record without one.
    ///   - identity: The suite's identity, whose records without a user are one user's.
    /// - Returns: The text.
    static func userKey(_ user: JSON.Object?, identity: String) -> String {
        guard let user, !user.isEmpty else { return identity }
        guard let known = try? Identity(user) else { return JSON.object(user).description }
        return JSON.object(JSON.Object([(known.name, known.value)])).description
    }

    /// A suite's name as one token of a subject, which has no dots, spaces and wildcards.
    static func token(_ suite: String) -> String {
        var token = ""
        for byte in suite.utf8 {
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "_-".contains(character) {
                token.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                token += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return token
    }
}

/// The hash FNV-1a of 64 bits, which is the same in all versions and on all machines.
enum FNV {
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
