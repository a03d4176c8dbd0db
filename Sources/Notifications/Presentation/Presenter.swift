/// The extension that shows a presentation, as far as the presentation must know it.
package protocol Presenter: AnyObject {
    /// The identifier of the extension's bundle.
    var identifier: String { get }
    /// `UNNotificationExtensionInitialContentSizeRatio`: height over width.
    var initialContentSizeRatio: Double { get }
    /// `UNNotificationExtensionDefaultContentHidden`.
    var defaultContentHidden: Bool { get }
    /// `UNNotificationExtensionOverridesDefaultTitle`.
    var overridesDefaultTitle: Bool { get }
}
