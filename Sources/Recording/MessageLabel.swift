internal import JSON

/// What a message is about, in a few words: its method and the name, key or element that it names.
enum MessageLabel {
    /// The parameters that say what a call is about.
    private static let subjects = ["name", "key", "field", "element", "actionIdentifier"]

    /// The label of a call or a notification.
    static func call(_ method: String, _ params: JSON?) -> String {
        let values = subjects.lazy.compactMap { name in
            params.flatMap { MemberStep(to: name, of: method, in: $0)?.value(in: $0) }?.string
        }
        return values.first.map { "\(method) \($0)" } ?? method
    }
}
