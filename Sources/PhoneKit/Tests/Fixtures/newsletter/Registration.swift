import PhoneKit
import PhoneRuntime
import UIKit

// What the rewriter would append to NotificationViewController.swift.
extension NotificationViewController {
    static func registerWithPhoneKit() {
        PhoneObject.register(
            NotificationViewController.self,
            outlets: [
                "headerLabel": { PhoneObject.set(\NotificationViewController.headerLabel, of: $0, to: $1) },
                "detailLabel": { PhoneObject.set(\NotificationViewController.detailLabel, of: $0, to: $1) },
                "emailTextField": { PhoneObject.set(\NotificationViewController.emailTextField, of: $0, to: $1) },
                "formStackView": { PhoneObject.set(\NotificationViewController.formStackView, of: $0, to: $1) },
                "thanksLabel": { PhoneObject.set(\NotificationViewController.thanksLabel, of: $0, to: $1) },
                "topicButtons": { PhoneObject.set(\NotificationViewController.topicButtons, of: $0, to: $1) },
            ],
            actions: [
                "topicTapped:": { object, arguments in
                    guard let object = object as? NotificationViewController, let sender = arguments[0] as? UIButton
                    else {
                        return
                    }
                    object.topicTapped(sender)
                }
            ]
        )
    }
}
