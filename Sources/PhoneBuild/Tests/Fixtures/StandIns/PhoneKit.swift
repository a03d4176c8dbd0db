// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Has of a module of PhoneKit just what the tests need.

import PhoneRuntime
import UIKit
import UserNotifications

/// Registers, makes the principal object and prints what there is.
@preconcurrency @MainActor
public enum PhoneMain {
    public static func run(
        content make: @escaping @MainActor () -> UIViewController,
        registrations: [@MainActor () -> Void] = []
    ) -> Never { show("\(make())", registrations) }

    public static func run(
        content type: UIViewController.Type,
        storyboard: String = "MainInterface",
        registrations: [@MainActor () -> Void] = []
    ) -> Never { show("\(type) of \(storyboard)", registrations) }

    public static func run(
        service make: @escaping @MainActor () -> UNNotificationServiceExtension,
        registrations: [@MainActor () -> Void] = []
    ) -> Never { show("\(type(of: make()))", registrations) }

    private static func show(_ principal: String, _ registrations: [@MainActor () -> Void]) -> Never {
        for register in registrations { register() }
        print(principal)
        for line in PhoneObject.registered { print(line) }
        exit(0)
    }
}
