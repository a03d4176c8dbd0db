import AirshipNotificationServiceExtension
import BrazeNotificationService
import CTNotificationService
import Foundation
import JSON
import OneSignalExtension
import Testing
import UserNotifications

/// The classes that stand in for those of vendors, as an extension inherits from them or calls them.
struct VendorTests {
    /// A service as the documentation of OneSignal shows it.
    private final class OneSignalService: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let content = request.content.mutableCopy() as? UNMutableNotificationContent
            OneSignalExtension.didReceiveNotificationExtensionRequest(
                request,
                with: content,
                withContentHandler: contentHandler
            )
        }
    }

    private static let services: [String: @Sendable () -> UNNotificationServiceExtension] = [
        "Airship": { UANotificationServiceExtension() },
        "Braze": { BrazeNotificationService.NotificationService() },
        "CleverTap": { CTNotificationServiceExtension() },
        "OneSignal": { OneSignalService() },
    ]

    @Test(arguments: [
        ("Airship", #"{"com.urbanairship.media_attachment": {"url": ["URL"], "content": {"body": "New"}}}"#, "New"),
        ("Braze", #"{"ab": {"att": {"url": "URL", "type": "png"}}}"#, "Body"),
        ("CleverTap", #"{"ct_mediaUrl": "URL", "ct_mediaType": "image"}"#, "Body"),
        ("OneSignal", #"{"att": {"picture": "URL"}}"#, "Body"),
    ])
    func aFileOfThePayloadIsAttached(vendor: String, payload: String, body: String) async throws {
        let server = try PictureServer()
        let content = try await received(vendor, payload.replacing("URL", with: server.address))
        #expect(content.body == body)
        #expect(content.attachments.map(\.type) == ["public.png"])
    }

    @Test(arguments: services.keys.sorted())
    func withoutAFileTheContentIsPassedOn(vendor: String) async throws {
        let content = try await received(vendor, #"{"aps": {}}"#)
        #expect(content.body == "Body")
        #expect(content.attachments.isEmpty)
    }

    @Test func whenTheTimeIsOverTheContentIsPassedOnOnce() async throws {
        // Nobody accepts the connection, so the file does not come.
        let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(silent) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(silent, $0, length)
                _ = listen(silent, 8)
                _ = getsockname(silent, $0, &length)
            }
        }
        let url = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))/picture.png"
        let service = CTNotificationServiceExtension()
        service.mediaUrlKey = "picture"
        let request = try request(#"{"picture": "\#(url)"}"#)
        let answers = AsyncStream<UNNotificationContent> { stream in
            service.didReceive(request) { stream.yield($0) }
            service.serviceExtensionTimeWillExpire()
            service.serviceExtensionTimeWillExpire()
            stream.finish()
        }
        var contents: [UNNotificationContent] = []
        for await content in answers { contents.append(content) }
        #expect(contents.map(\.body) == ["Body"])
        #expect(contents.first?.attachments.isEmpty == true)
    }

    private func received(_ vendor: String, _ payload: String) async throws -> UNNotificationContent {
        let make = try #require(Self.services[vendor])
        let service = make()
        let request = try request(payload)
        let answers = AsyncStream<UNNotificationContent> { stream in
            service.didReceive(request) {
                stream.yield($0)
                stream.finish()
            }
        }
        for await content in answers { return content }
        throw CancellationError()
    }

    private func request(_ payload: String) throws -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.body = "Body"
        let object = try JSONSerialization.jsonObject(with: Data(payload.utf8))
        content.userInfo = try #require(object as? [String: Any])
        return UNNotificationRequest(identifier: "1", content: content, trigger: nil)
    }
}
