// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Has of a module of PhoneKit just what the tests need.

@_exported import Foundation
@_exported import PhoneRuntime

open class UNNotificationContent: NSObject {
    open var title: String { "" }
}

public final class UNMutableNotificationContent: UNNotificationContent {
    private var text = ""
    public override var title: String {
        get { text }
        set { text = newValue }
    }
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
