// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. There are no widgets: nothing has a timeline.

@_exported public import Foundation

public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()
    private init() {}

    public func reloadTimelines(ofKind kind: String) {}
    public func reloadAllTimelines() {}
    public func invalidateConfigurationRecommendations() {}
    public func getCurrentConfigurations(_ completion: @escaping (Result<[WidgetInfo], any Error>) -> Void) {
        completion(.success([]))
    }
    public func currentConfigurations() async throws -> [WidgetInfo] { [] }
}

public struct WidgetInfo: Sendable {
    public let kind: String
}
