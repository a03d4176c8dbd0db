internal import JSON
internal import PropertyLists

/// The guide's `UserAttribute` as `PropertyListEncoder` writes it: a property list of its own with one member,
/// the field and its value.
struct GuideUserAttribute {
    /// What `PropertyListEncoder` writes for nil, as property lists have no null.
    private static let null = "$null"
    /// An import may hold many of them, and each has one field.
    private static let limits = PropertyListLimits(depth: 64, sharedValues: 64, bytes: 1 << 20)

    let field: String
    let value: PropertyListValue

    /// Whether the value is null.
    var isNull: Bool { value == .string(Self.null) }

    /// Reads the data of one.
    init(reading bytes: [UInt8]) throws(PropertyListProblem) {
        let root = try PropertyListValue(reading: bytes, limits: Self.limits)
        guard !root.isArchive else {
            throw PropertyListProblem("it is an archive made by NSKeyedArchiver, as the guide's Objective-C stores it")
        }
        guard case .dictionary(let members) = root, members.count == 1 else {
            throw PropertyListProblem("it is no user attribute: \(root.typeName) and not one field with its value")
        }
        field = members[0].key
        value = members[0].value
    }

    /// Encodes one in the default format of `PropertyListEncoder`; nil becomes null.
    static func data(field: String, value: PropertyListValue?) -> PropertyListValue {
        .data(BinaryPropertyListWriter.write(.dictionary([.init(field, value ?? .string(null))])))
    }
}
