import ExtensionKit
import JSON

/// The records of a registration; each is saved once, even if the registration is retried.
struct Registration {
    private var isEventSaved = false
    private var savedAttribute: EmailAddress?
    private var savedField: EmailAddress?

    /// Saves what was not saved yet; an address that differs from the saved one replaces it.
    mutating func save(_ email: EmailAddress, through context: ExtensionContext) throws(ExtensionError) {
        if !isEventSaved {
            try context.saveCustomEvent("Registered for Certification")
            isEventSaved = true
        }
        if savedAttribute != email {
            try context.saveCustomAttribute("Certification Registration Email", .string(email.text))
            savedAttribute = email
        }
        if savedField != email {
            try context.saveUserAttribute("email", .string(email.text))
            savedField = email
        }
    }
}
