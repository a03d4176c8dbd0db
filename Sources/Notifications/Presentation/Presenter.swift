/// The extension that shows a presentation: the properties that the presentation needs.
package protocol Presenter: AnyObject {
    /// The identifier of the extension's bundle.
    var identifier: String { get }
    /// `UNNotificationExtensionInitialContentSizeRatio`: height divided by width.
    var initialContentSizeRatio: Double { get }
    /// `UNNotificationExtensionDefaultContentHidden`.
    var defaultContentHidden: Bool { get }
    /// `UNNotificationExtensionOverridesDefaultTitle`.
    var overridesDefaultTitle: Bool { get }
}
