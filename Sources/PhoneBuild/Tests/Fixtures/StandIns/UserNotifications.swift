// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Has of a module of PhoneKit just what the tests need.

@_exported import Foundation
@_exported import PhoneRuntime

open class UNNotificationContent: NSObject {
    open var title: String { "" }
    open var userInfo: [AnyHashable: Any] { [:] }
    open override func mutableCopy() -> Any { UNMutableNotificationContent() }
    public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent { self }
}

public protocol UNNotificationContentProviding {}

public final class UNMutableNotificationContent: UNNotificationContent {
    public var subtitle = ""
    public var body = ""
    public var attachments: [UNNotificationAttachment] = []
}

public final class UNNotificationAttachment: NSObject {
    public init(identifier: String, url: URL, options: [AnyHashable: Any]?) throws {}
}

public final class UNNotificationRequest: NSObject {
    public let content = UNNotificationContent()
}

public final class UNNotification: NSObject {
    public let request = UNNotificationRequest()
}

open class UNNotificationServiceExtension: NSObject {
    public override init() {}
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}
    open func serviceExtensionTimeWillExpire() {}
}
