import JSON

extension WireRecording {
    /// Words by which the host says that it did not take an answer, or not all of it.
    private static let words = [
        "badExtensionReply", "serviceFailed", "ignoredMember", "ignoredAttachment", "requestCancelled", "stopping",
    ]

    /// Whether the host refuses, later in the recording, what a bundle answered: in a reply or a diagnostic, or by
    /// ending its process; or whether the recording stops before the host could say so.
    func tellsOfFault(of bundle: String, after number: Int) -> Bool {
        let later = records.drop { $0.number <= number }
        return later.contains { record in
            if record.from == bundle, record.isEnd { return true }
            guard record.from == "host", record.to == "client", let raw = record.json["raw"]?.string else {
                return false
            }
            return Self.words.contains { raw.contains($0) }
        } || !later.contains { $0.from == "host" && $0.to == "client" }
    }
}
