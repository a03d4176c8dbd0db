internal import JSON
internal import PropertyLists

/// The guide's `UserAttribute` as `PropertyListEncoder` writes it: a separate property list with one member, the field and
/// its value.
struct GuideUserAttribute {
    /// What `PropertyListEncoder` writes for nil, as property lists have no null.
    private static let null = "$null"
    /// Lower than usual: an import may contain many user attributes, and each has only one field.
    private static let limits = PropertyListLimits(depth: 64, sharedValues: 64, bytes: 1 << 20)

    let field: String
    let value: PropertyListValue

    /// Whether the value is null.
    var isNull: Bool { value == .string(Self.null) }

    /// Reads a user attribute from the bytes of its property list.
    init(reading bytes: [UInt8]) throws(PropertyListContentError) {
        let root = try PropertyListValue(reading: bytes, limits: Self.limits)
        guard !root.isArchive else {
            throw PropertyListContentError(
                "it is an archive made by NSKeyedArchiver, as the guide's Objective-C stores it"
            )
        }
        guard case .dictionary(let members) = root, members.count == 1 else {
            throw PropertyListContentError(
                "it is not a user attribute: it is \(root.typeName) and not a dictionary of one field"
            )
        }
        field = members[0].key
        value = members[0].value
    }

    /// Encodes a user attribute in the default format of `PropertyListEncoder`; a nil value becomes null.
    static func data(field: String, value: PropertyListValue?) -> PropertyListValue {
        .data(BinaryPropertyListWriter.write(.dictionary([.init(field, value ?? .string(null))])))
    }
}
