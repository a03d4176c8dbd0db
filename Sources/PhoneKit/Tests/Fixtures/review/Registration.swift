import Foundation
import PhoneRuntime
import UIKit

// What the rewriter would append to NotificationViewController.swift.
extension NotificationViewController {
    static func registerWithPhoneKit() {
        PhoneObject.register(
            NotificationViewController.self,
            actions: [
                "photoTapped:": { object, arguments in
                    guard let object = object as? NotificationViewController,
                        let recognizer = arguments[0] as? UITapGestureRecognizer
                    else { return }
                    object.photoTapped(recognizer)
                },
                "moodChanged": { object, _ in (object as? NotificationViewController)?.moodChanged() },
                "sendTapped": { object, _ in (object as? NotificationViewController)?.sendTapped() },
                "reviewSent:": { object, arguments in
                    guard let object = object as? NotificationViewController,
                        let notification = arguments[0] as? Foundation.Notification
                    else { return }
                    object.reviewSent(notification)
                },
            ]
        )
    }
}
