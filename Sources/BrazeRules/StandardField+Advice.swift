internal import JSON
internal import Spelling

extension StandardField {
    /// Other names of a field in other systems and in Braze's SDKs, in lower case without separators.
    private static let otherNames: [String: StandardField] = [
        "phonenumber": .phone, "mobile": .phone, "mobilenumber": .phone, "emailaddress": .email, "mail": .email,
        "dateofbirth": .birthday, "birthday": .birthday, "birthdate": .birthday, "city": .homeCity,
        "givenname": .firstName, "surname": .lastName, "familyname": .lastName,
        "emailnotificationsubscriptiontype": .emailSubscribe, "pushnotificationsubscriptiontype": .pushSubscribe,
        "emailsubscriptionstate": .emailSubscribe, "pushnotificationsubscriptionstate": .pushSubscribe,
    ]

    /// The advice for a name that is not a standard field.
    ///
    /// - Parameter name: The name that was given.
    /// - Returns: A sentence without a full stop.
    static func advice(for name: String) -> String {
        if let member = ControlMember(rawValue: name) { return member.advice }
        let text = "\(name.excerpt()) is no standard field of a user"
        if let field = meant(by: name) { return "\(text); the field is \(field.rawValue)" }
        guard let near = EditDistance.nearest(name, in: names.sorted()) else {
            return "\(text); save it as a custom attribute"
        }
        return "\(text); did you mean \(near)? Save anything else as a custom attribute"
    }

    /// The field of that name, or for which the name is another spelling or a known synonym, such as `phoneNumber`.
    public static func meant(by name: String) -> StandardField? {
        let key = plain(name)
        return allCases.first { plain($0.rawValue) == key } ?? otherNames[key]
    }

    /// The name without case and separators: the same for `firstName`, `First Name` and `first-name`.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { !"_- ".contains($0) }
    }
}
