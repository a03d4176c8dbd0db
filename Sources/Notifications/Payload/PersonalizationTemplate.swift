package import JSON

/// A payload whose texts are templates, and the profile to render them with.
package struct PersonalizationTemplate {
    package let payload: JSON.Object
    /// The data that Braze has about the user and the message, by the names that its templates use.
    package let profile: JSON.Object

    package init(payload: JSON.Object, profile: JSON.Object) {
        self.payload = payload
        self.profile = profile
    }
}
