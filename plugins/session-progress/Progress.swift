import ExtensionKit

/// What a notification says about the sessions of a course.
struct Progress {
    /// As many sessions as a course may have; each is drawn.
    private static let limit = 1_000
    private static let columns = 4

    private let completed: Int
    private let total: Int
    private let nextName: String
    private let nextDate: String

    /// Judges the key-value pairs.
    init(_ userInfo: UserInfo) throws(ExtensionError) {
        completed = try userInfo.integer("completed_session_count", in: 0...Progress.limit)
        total = try userInfo.integer("total_session_count", in: 1...Progress.limit)
        nextName = try userInfo.optionalString("next_session_name") ?? ""
        nextDate = try userInfo.optionalString("next_session_complete_date") ?? ""
    }

    /// A mark for each session, and the next one; more sessions completed than there are means all.
    var view: View {
        let sessions = (1...total).map { number in
            View.text(id: "session-\(number)", (number <= completed ? "●" : "○") + " \(number)")
        }
        return .stack([
            .text(id: "count", "\(completed)/\(total)"),
            .progress(id: "progress", value: min(completed, total), total: total),
            .grid(id: "sessions", columns: Progress.columns, sessions),
            .text(id: "next-name", nextName),
            .text(id: "next-date", nextDate),
        ])
    }
}
