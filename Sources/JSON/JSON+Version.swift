internal import CJansson

extension JSON {
    /// The version of the loaded Jansson library.
    public static var janssonVersion: String { String(cString: jansson_version_str()) }

    /// Lets Jansson take and give back the memory of all values with other functions than malloc and free.
    ///
    /// Blocks that were taken before are given back to the new function.
    ///
    /// - Parameters:
    ///   - allocate: Returns a block of at least that many bytes, or NULL.
    ///   - free: Takes a block back; does nothing for NULL.
    public static func useMemory(
        allocate: @escaping @convention(c) (Int) -> UnsafeMutableRawPointer?,
        free: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
        json_set_alloc_funcs(allocate, free)
    }
}
