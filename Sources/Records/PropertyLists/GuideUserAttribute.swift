internal import JSON
internal import PropertyLists

/// The guide's `UserAttribute`, a separate property list: in Swift `PropertyListEncoder` writes a dictionary of one member,
/// the field and its value, in Objective-C `NSKeyedArchiver` an object with `userField` and `attributeType`.
struct GuideUserAttribute: Equatable {
    /// What `PropertyListEncoder` and `NSKeyedArchiver` write for nil, as property lists have no null.
    private static let null = "$null"
    /// Lower than usual: an import may contain many user attributes, and each has only one field.
    private static let limits = PropertyListLimits(depth: 64, sharedValues: 64, bytes: 1 << 20)

    let field: String
    /// The value; nil if the field is unset, which only Objective-C can write.
    let value: PropertyListValue?

    /// Reads a user attribute from the bytes of its property list; nil if it is a Swift one without a value, which the
    /// guide's reader cannot decode, and skips.
    static func read(_ bytes: [UInt8]) throws(PropertyListContentError) -> GuideUserAttribute? {
        let root = try PropertyListValue(reading: bytes, limits: limits)
        guard !root.isArchive else { return try GuideUserAttribute(archive: root) }
        guard case .dictionary(let members) = root, members.count == 1 else {
            throw PropertyListContentError(
                "it is not a user attribute: it is \(root.typeName) and not a dictionary of one field"
            )
        }
        guard members[0].value != .string(null) else { return nil }
        return GuideUserAttribute(field: members[0].key, value: members[0].value)
    }

    init(field: String, value: PropertyListValue?) { (self.field, self.value) = (field, value) }

    /// Reads an object of the guide's Objective-C class.
    private init(archive root: PropertyListValue) throws(PropertyListContentError) {
        func object(_ reference: PropertyListValue?) -> PropertyListValue? {
            guard let number = reference?.archiveReference, let objects = root["$objects"]?.elements,
                number < objects.count
            else { return nil }
            return objects[Int(number)]
        }
        guard let attribute = object(root["$top"]?["root"]), let type = attribute["attributeType"],
            let field = object(attribute["userField"])
        else {
            throw PropertyListContentError(
                "it is an archive made by NSKeyedArchiver, but not one of the guide's userField and attributeType"
            )
        }
        guard type == .integer(0) else {
            throw PropertyListContentError(
                "its attributeType is not 0, and the guide's Objective-C has no other than the e-mail address"
            )
        }
        self.init(field: "email", value: field == .string(Self.null) ? nil : field)
    }

    /// Encodes a user attribute in the default format of `PropertyListEncoder`.
    static func data(field: String, value: PropertyListValue) -> PropertyListValue {
        .data(BinaryPropertyListWriter.write(.dictionary([.init(field, value)])))
    }
}

extension PropertyListValue {
    /// The number of the archived object to which a value refers; XML has a dictionary for it.
    fileprivate var archiveReference: UInt64? {
        switch self {
        case .uid(let number): number
        case .dictionary: if case .integer(let number) = self["CF$UID"] { UInt64(exactly: number) } else { nil }
        default: nil
        }
    }
}
