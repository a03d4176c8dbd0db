internal import CJansson

extension JSON {
    /// The version of the loaded Jansson library.
    public static var janssonVersion: String { String(cString: jansson_version_str()) }
}
