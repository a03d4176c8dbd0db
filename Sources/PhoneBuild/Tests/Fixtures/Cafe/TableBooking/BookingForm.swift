import Foundation

/// What a guest fills in, and what is missing in it.
struct BookingForm {
    enum Problem {
        case nameMissing
        case emailInvalid

        var text: String {
            switch self {
            case .nameMissing:
                return NSLocalizedString("name_missing", comment: "The field of the name is empty")
            case .emailInvalid:
                return NSLocalizedString("email_invalid", comment: "The email has no valid form")
            }
        }
    }

    var name = ""
    var email = ""
    var guests = 2

    var problem: Problem? {
        if name.trimmingCharacters(in: .whitespaces).isEmpty {
            return .nameMissing
        }
        let pattern = "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}"
        let isEmail = NSPredicate(format: "SELF MATCHES %@", pattern).evaluate(with: email)
        return isEmail ? nil : .emailInvalid
    }
}
