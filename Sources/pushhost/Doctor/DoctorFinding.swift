internal import JSON
internal import Platform

/// What a check of `doctor` found.
struct DoctorFinding {
    enum Level: String, CaseIterable { case ok, warning, error }

    /// What was checked, in a word or two.
    let check: String
    let level: Level
    /// What was found.
    let message: String
    /// What to do; nil if nothing is to be done.
    let advice: String?

    static func ok(_ check: String, _ message: String) -> DoctorFinding {
        DoctorFinding(check: check, level: .ok, message: message, advice: nil)
    }

    static func warning(_ check: String, _ message: String, _ advice: String? = nil) -> DoctorFinding {
        DoctorFinding(check: check, level: .warning, message: message, advice: advice)
    }

    static func error(_ check: String, _ message: String, _ advice: String? = nil) -> DoctorFinding {
        DoctorFinding(check: check, level: .error, message: message, advice: advice)
    }

    /// The finding as a line for people.
    var line: String {
        let level = level.rawValue.padding(to: 7)
        return PlainText.escaped("\(level)  \(check): \(message)\(advice.map { "; \($0)" } ?? "")")
    }

    var json: JSON {
        JSON(present: [
            "check": .string(check), "level": .string(level.rawValue), "message": .string(message),
            "advice": advice.map(JSON.string),
        ])
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
