import ExtensionKit

/// The progress in a course, from a notification.
struct Progress {
    /// How many sessions have a mark at most, because a payload may name any number.
    private static let markLimit = 10_000

    private let completed: Int
    private let total: Int
    private let nextName: String
    private let nextDate: String
    private let isCompact: Bool

    /// Reads the key-value pairs.
    init(_ request: NotificationRequest) throws(ExtensionError) {
        let userInfo = request.content.userInfo
        completed = try userInfo.integer("completed_session_count")
        total = try userInfo.integer("total_session_count", in: 1 ... .max)
        nextName = try userInfo.optionalString("next_session_name") ?? ""
        nextDate = try userInfo.optionalString("next_session_complete_date") ?? ""
        isCompact = request.verticalSizeClass == .compact
    }

    /// The counts, a mark for each session, and the next one, each with its caption.
    ///
    /// If more sessions are completed than exist, all are marked; if the number is negative, none is. The label shows the
    /// number unchanged.
    func view(_ context: ExtensionContext) -> View {
        func caption(_ id: String, _ key: String) -> View { .text(context.localizedString(forKey: key), id: id) }
        return .stack([
            caption("count-caption", "CAPTION_COMPLETED"),
            .text("\(completed)/\(total)", id: "count"),
            .progress(value: min(max(completed, 0), total), total: total, id: "progress"),
            .grid(marks, columns: isCompact ? 6 : 4, id: "sessions"),
            caption("next-name-caption", "CAPTION_NEXT"),
            .text(nextName, id: "next-name"),
            caption("next-date-caption", "CAPTION_DATE"),
            .text(nextDate, id: "next-date"),
        ])
    }

    private var marks: [View] {
        let marks = (1...min(total, Progress.markLimit)).map { number in
            View.text((number <= completed ? "●" : "○") + " \(number)", id: "session-\(number)")
        }
        guard total > Progress.markLimit else { return marks }
        return marks + [.text("+\(total - Progress.markLimit)", id: "more-sessions")]
    }
}
