// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

/// A value that views report to those around them.
public protocol PreferenceKey {
    associatedtype Value
    static var defaultValue: Value { get }
    static func reduce(value: inout Value, nextValue: () -> Value)
}

/// What the views inside another one report.
@MainActor
final class Preferences {
    private var values: [ObjectIdentifier: Any] = [:]
    private let outer: Preferences?

    init(outer: Preferences? = nil) { self.outer = outer }

    func report<K: PreferenceKey>(_ value: K.Value, _ key: K.Type) {
        var total = self.value(key)
        K.reduce(value: &total) { value }
        values[ObjectIdentifier(key)] = total
        outer?.report(value, key)
    }

    func value<K: PreferenceKey>(_ key: K.Type) -> K.Value {
        values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue
    }
}

extension View {
    public func preference<K: PreferenceKey>(key: K.Type, value: K.Value) -> some View {
        modified { context, content in
            context.preferences.report(value, key)
            return content(context)
        }
    }
    public func onPreferenceChange<K: PreferenceKey>(
        _ key: K.Type,
        perform action: @escaping (K.Value) -> Void
    ) -> some View where K.Value: Equatable {
        modified { context, content in
            var inner = context
            inner.preferences = Preferences(outer: context.preferences)
            let views = content(inner)
            let value = inner.preferences.value(key)
            if context.slot.exchange("value", value) ?? K.defaultValue != value {
                context.graph.afterUpdate { action(value) }
            }
            return views
        }
    }
}
