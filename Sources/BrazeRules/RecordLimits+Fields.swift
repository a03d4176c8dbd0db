public import JSON

extension RecordLimits {
    private static let place = RecordPlace("value")

    /// Checks a standard field; if Braze only recommends a form, any text is accepted.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value; `null` unsets the field.
    /// - Throws: The first broken rule; for an unknown field, the message suggests the field that was probably meant.
    public func checkField(_ name: String, value: JSON) throws(RecordError) {
        guard let field = StandardField(rawValue: name) else {
            throw RecordError(StandardField.advice(for: name), RecordPlace("field"))
        }
        if value.isNull { return try checkRemoval(of: field) }
        switch field {
        case .firstName, .lastName, .homeCity, .phone, .country, .timeZone, .imageURL: try checkText(value, field)
        case .aliasName, .aliasLabel:
            try checkText(value, field)
            try check(value.string?.isEmpty == false, value, field, "a text that is not empty")
        case .email:
            guard value.string.map(StandardField.isEmail) == true else {
                throw RecordError("\(value.excerpt(80)) is no e-mail address", Self.place)
            }
        case .birthday:
            try check(value.string.flatMap(BrazeDate.init)?.isDay, value, field, "a day as YYYY-MM-DD")
        case .gender: try checkWord(value, field, ["M", "F", "O", "N", "P"])
        case .language:
            let isCode = value.string.map { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isLetter } }
            try check(isCode, value, field, "a language of ISO 639-1 in two letters")
        case .emailSubscribe, .pushSubscribe: try checkWord(value, field, ["opted_in", "subscribed", "unsubscribed"])
        case .emailOpenTrackingDisabled, .emailClickTrackingDisabled:
            try check(value.bool != nil, value, field, "true or false")
        case .dateOfFirstSession, .dateOfLastSession, .markedEmailAsSpamAt:
            let isDate = value.string.flatMap(BrazeDate.init)?.isStored
            try check(isDate, value, field, "a date of ISO 8601 in the years 0 to 3000")
        case .currentLocation: try checkLocation(value)
        case .pushTokens: try checkElements(value, field, FieldMember.pushToken)
        case .subscriptionGroups: try checkElements(value, field, FieldMember.subscriptionGroup)
        case .facebook: try checkMembers(value, field, FieldMember.facebook)
        case .twitter: try checkMembers(value, field, FieldMember.twitter)
        }
        // A form does not limit the length, in particular that of an e-mail address.
        if case .string(let text) = value { try check(text: text, "a text", "value") }
    }

    /// `null` unsets a field, except lists and states.
    private func checkRemoval(of field: StandardField) throws(RecordError) {
        switch field {
        case .emailSubscribe, .pushSubscribe, .pushTokens, .subscriptionGroups, .aliasName, .aliasLabel:
            throw RecordError("\(field.rawValue) cannot be unset with null", Self.place)
        default: return
        }
    }

    private func check(
        _ isRight: Bool?,
        _ value: JSON,
        _ field: StandardField,
        _ needed: String
    ) throws(RecordError) {
        guard isRight != true else { return }
        throw RecordError("\(field.rawValue) must be \(needed), not \(value.excerpt(80))", Self.place)
    }

    private func checkText(_ value: JSON, _ field: StandardField) throws(RecordError) {
        try check(value.string != nil, value, field, "a text")
    }

    private func checkWord(_ value: JSON, _ field: StandardField, _ words: [String]) throws(RecordError) {
        try check(value.string.map(words.contains), value, field, "one of \(words.joined(separator: ", "))")
    }

    private func checkLocation(_ value: JSON) throws(RecordError) {
        for (name, limit) in [("longitude", 180.0), ("latitude", 90.0)] {
            guard let number = value[name]?.number, abs(number) <= limit else {
                let text = "current_location has the numbers longitude (-180 to 180) and latitude (-90 to 90)"
                throw RecordError(text, value[name] == nil ? Self.place : RecordPlace("value", name))
            }
        }
    }

    // MARK: Objects

    private func checkElements(
        _ value: JSON,
        _ field: StandardField,
        _ members: [FieldMember]
    ) throws(RecordError) {
        guard let array = value.array, !array.isEmpty else {
            throw RecordError("\(field.rawValue) must be an array of objects, not \(value.excerpt(80))", Self.place)
        }
        for (index, element) in array.enumerated() {
            try inside(String(index)) { () throws(RecordError) in try checkMembers(element, field, members) }
        }
    }

    private func checkMembers(
        _ value: JSON,
        _ field: StandardField,
        _ members: [FieldMember]
    ) throws(RecordError) {
        guard let object = value.object else {
            throw RecordError("\(field.rawValue) takes objects, not \(value.excerpt(80))", Self.place)
        }
        for member in members {
            guard let value = object[member.name] else {
                guard member.isRequired else { continue }
                throw RecordError("\(field.rawValue) lacks the member \(member.name)", Self.place)
            }
            guard member.isRight(value) else {
                let text = "\(member.name) of \(field.rawValue) must be \(member.needed), not \(value.excerpt(80))"
                throw RecordError(text, RecordPlace("value", member.name))
            }
        }
    }
}
