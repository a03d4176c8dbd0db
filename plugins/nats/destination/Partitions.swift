internal import NATS
internal import PartitionLeases

/// The partitions of a stream: all records of a user are in one, so that one relay at a time delivers them.
///
/// The stream's own list of subjects says how many there are, so all hosts and relays agree.
enum Partitions {
    /// Reads the layout of a stream from its properties.
    ///
    /// - Throws: Why records must not be published to it, and what to change.
    static func layout(_ configuration: StreamConfiguration) throws(NATSError) -> StreamLayout {
        let name = configuration.name
        let layout = StreamLayout(stream: name, subjects: configuration.subjects)
        var faults: [String] = []
        if layout == nil {
            let first = configuration.subjects.sorted().prefix(3).joined(separator: ", ")
            faults.append("its subjects must be \(name).*.*.0, \(name).*.*.1 and so on, they are \(first)")
        }
        if !configuration.keepsAcknowledged { faults.append("its retention must be limits") }
        if configuration.dropsOld { faults.append("it must have no max_age and no max_msgs_per_subject") }
        if !configuration.discardsNew { faults.append("it must discard new messages when it is full, not old ones") }
        if !configuration.isStoredInFiles { faults.append("it must be stored in files") }
        if configuration.duplicates < .seconds(120) { faults.append("it must remember ids for at least 120 s") }
        guard let layout, faults.isEmpty else {
            let text = faults.joined(separator: "; ")
            throw NATSError(.invalid, "the stream \(name) cannot be used: \(text). Change it, or set NATS_STREAM")
        }
        return layout
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
