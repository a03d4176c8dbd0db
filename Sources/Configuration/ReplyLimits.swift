/// The limits for the size of a reply.
package enum ReplyLimits {
    /// The greatest size of records in the guide's flat form, in bytes.
    package static let flatBytes: Int64 = 16 << 20
    /// The greatest size of a page of records or of a flush to the caller, in bytes.
    package static let pageBytes: Int64 = 8 << 20
    /// The greatest number of records in a page or a flush to the caller.
    package static let records: Int64 = 1_000
}
