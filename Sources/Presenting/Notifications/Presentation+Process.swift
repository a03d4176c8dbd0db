package import ExtensionHost
internal import Notifications

extension ExtensionProcess: Presenter {
    /// The bundle's ratio of height to width.
    package var initialContentSizeRatio: Double { bundle.initialContentSizeRatio }
    /// Whether the bundle hides the system's own texts.
    package var defaultContentHidden: Bool { bundle.defaultContentHidden }
    /// Whether the bundle may replace the title.
    package var overridesDefaultTitle: Bool { bundle.overridesDefaultTitle }
}

extension Presentation {
    /// The process of the extension that shows the presentation; nil if the system shows it.
    package var process: ExtensionProcess? { presenter as? ExtensionProcess }
}
