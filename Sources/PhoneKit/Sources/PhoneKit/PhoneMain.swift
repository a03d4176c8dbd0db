import Foundation
import PhoneRuntime
public import UIKit
public import UserNotifications
import UserNotificationsUI

/// The main program of an extension's process.
///
/// A bundle's `main.swift` is one call. With a storyboard, as Xcode's template has it:
///
/// ```swift
/// import PhoneKit
///
/// PhoneMain.run(
///     content: NotificationViewController.self,
///     storyboard: "MainInterface",
///     registrations: [{ NotificationViewController.registerWithPhoneKit() }]
/// )
/// ```
///
/// With `NSExtensionPrincipalClass`: `PhoneMain.run(content: { NotificationViewController() })`, and for a service
/// `PhoneMain.run(service: { NotificationService() })`. These are closures, since Swift on Linux can only call a
/// `required` initializer through a metatype.
@preconcurrency @MainActor
public enum PhoneMain {
    /// A function that tells ``PhoneObject`` about a class.
    public typealias Registration = @MainActor () -> Void

    /// Serves the host with a content extension whose principal class is named in the `Info.plist`.
    ///
    /// - Parameters:
    ///   - make: Makes the controller of one presentation.
    ///   - registrations: What the rewriter generated for the classes of the extension.
    public static func run(
        content make: @escaping @MainActor () -> UIViewController,
        registrations: [Registration] = []
    ) -> Never {
        for register in registrations { register() }
        let server = ContentServer(make)
        server.start(HostLink.standard())
        withExtendedLifetime(server) { loop() }
    }

    /// Serves the host with a content extension of a storyboard.
    ///
    /// - Parameters:
    ///   - type: The class of the controller, of which the storyboard makes an object.
    ///   - storyboard: The name of the storyboard.
    ///   - registrations: What the rewriter generated for the classes of the extension.
    public static func run(
        content type: UIViewController.Type,
        storyboard: String = "MainInterface",
        registrations: [Registration] = []
    ) -> Never {
        PhoneObject.register(type)
        run(content: { controller(of: storyboard) }, registrations: registrations)
    }

    /// Serves the host with a service extension.
    ///
    /// - Parameters:
    ///   - make: Makes the object for one notification.
    ///   - registrations: What the rewriter generated for the classes of the extension.
    public static func run(
        service make: @escaping @MainActor () -> UNNotificationServiceExtension,
        registrations: [Registration] = []
    ) -> Never {
        for register in registrations { register() }
        let server = ServiceServer(make)
        server.start(HostLink.standard())
        withExtendedLifetime(server) { loop() }
    }

    private static func controller(of name: String) -> UIViewController {
        guard let controller = UIStoryboard(name: name, bundle: nil).instantiateInitialViewController() else {
            fatalError("the storyboard \(name) has no initial view controller")
        }
        return controller
    }

    /// The main loop: the main queue, the main actor, and the timers and sources of Foundation.
    private static func loop() -> Never {
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}
