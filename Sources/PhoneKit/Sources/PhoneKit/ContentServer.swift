import Foundation
package import JSON
import JSONRPC
import PhoneRuntime
import UIKit
import UserNotifications
import UserNotificationsUI

/// A content extension's process: passes each call of the host to the controller of its presentation, and shows the
/// host what the controllers' views became.
@MainActor
final class ContentServer {
    /// How long to wait for a response's completion, in seconds of the clock and of real time.
    static var completionLimit = 5.0

    private let make: @MainActor () -> UIViewController
    private let calls = CallQueue()
    private var presentations: [String: Presentation] = [:]
    /// The presentation of the call that is not answered yet: its answer tells what changed.
    private var busy: Presentation?
    private var link: HostLink?

    init(_ make: @escaping @MainActor () -> UIViewController) {
        self.make = make
        calls.add("activate", ["version", "bundle", "locale", "clock?", "seed?", "suites", "texts?"]) {
            arguments,
            done in
            done(.success(try Activation.apply(arguments)))
        }
        calls.add("didReceive", ["notification", "request", "actions?", "texts?"]) { [unowned self] arguments, done in
            try didReceive(arguments, done)
        }
        calls.add("didReceiveResponse", ["notification", "actionIdentifier", "userText?"]) {
            [unowned self] arguments, done in
            try didReceiveResponse(arguments, done)
        }
        calls.add("interact", ["notification", "element", "value?"]) { [unowned self] arguments, done in
            try interact(arguments, done)
        }
        calls.add("mediaPlay", ["notification"]) { [unowned self] arguments, done in
            try media(arguments, done) { $0.mediaPlay() }
        }
        calls.add("mediaPause", ["notification"]) { [unowned self] arguments, done in
            try media(arguments, done) { $0.mediaPause() }
        }
        calls.add("advanceClock", ["notification", "time"]) { [unowned self] arguments, done in
            let presentation = try presentation(arguments)
            guard let time = Timestamp.parse(try arguments.string("time")) else {
                throw arguments.mistyped("time", "an RFC 3339 time")
            }
            MainClock.shared.advance(to: time) { [self] in settle(presentation, then: done) }
        }
        calls.add("didDismiss", ["notification"]) { [unowned self] arguments, done in
            let identifier = try arguments.string("notification")
            if let presentation = presentations.removeValue(forKey: identifier) {
                CurrentPresentation.notification = identifier
                presentation.controller.disappear()
            }
            done(.success([:]))
        }
        calls.add("deactivate", []) { _, done in done(.success([:])) }
    }

    func start(_ link: HostLink) {
        self.link = link
        HostLink.current = link
        ViewChanges.send = { [unowned self] in sendChanges() }
        calls.onAnswer = { [unowned self] in sendChanges() }
        link.start { [unowned self] in
            calls.take($0)
        } onEnd: {
            exit(0)
        }
    }

    // MARK: Calls about a presentation

    private typealias Done = @MainActor (Result<JSON, RPCError>) -> Void

    private func didReceive(_ arguments: Arguments, _ done: @escaping Done) throws {
        let identifier = try arguments.string("notification")
        let request = JSON.object(try arguments.object("request"))
        let known = presentations[identifier]
        CurrentPresentation.notification = identifier
        let vertical: UIUserInterfaceSizeClass = request["verticalSizeClass"]?.string == "compact" ? .compact : .regular
        UITraitCollection.current = UITraitCollection(verticalSizeClass: vertical)
        let notification = UNNotification(
            date: UNNotificationRequest.date(request),
            request: UNNotificationRequest(request, notification: identifier)
        )
        ImageURL.attachments = notification.request.content.attachments.map(\.url)
        LocalizedTexts.set(arguments["texts"] ?? Activation.texts)
        if known == nil, let seed = Activation.seed { PhoneRandomGenerator.start(seed: seed, notification: identifier) }
        let presentation = try known ?? Presentation(identifier, make)
        if let actions = arguments["actions"]?.array { presentation.offer(actions.map(UNNotificationAction.make)) }
        presentation.notification = notification
        presentations[identifier] = presentation
        busy = presentation
        presentation.controller.loadViewIfNeeded()
        presentation.content.didReceive(notification)
        if known == nil { presentation.controller.appear() }
        settle(presentation, then: done)
    }

    private func interact(_ arguments: Arguments, _ done: @escaping Done) throws {
        let presentation = try presentation(arguments)
        let element = try arguments.string("element")
        guard let target = presentation.drawing?.targets[element] else {
            throw HostError(reason: "untouchable", "the element \(element) does nothing when it is touched")
        }
        target(arguments["value"])
        settle(presentation, then: done)
    }

    private func media(
        _ arguments: Arguments,
        _ done: @escaping Done,
        _ body: @MainActor (any UNNotificationContentExtension) -> Void
    ) throws {
        let presentation = try presentation(arguments)
        MissingRequirement.media = false
        body(presentation.content)
        guard !MissingRequirement.media else {
            busy = nil
            return done(.failure(.methodNotFound(arguments.signature.name)))
        }
        settle(presentation, then: done)
    }

    private func didReceiveResponse(_ arguments: Arguments, _ done: @escaping Done) throws {
        let presentation = try presentation(arguments)
        guard let notification = presentation.notification else { throw presentation.unknown }
        let action = try arguments.string("actionIdentifier")
        let response =
            try arguments.optionalString("userText").map {
                UNTextInputNotificationResponse(notification: notification, actionIdentifier: action, userText: $0)
            } ?? UNNotificationResponse(notification: notification, actionIdentifier: action)
        MissingRequirement.response = false
        let completion = Completion(action: action)
        presentation.context.onEnd = { completion.abandon() }
        presentation.content.didReceive(response) { completion.complete($0) }
        let showMeanwhile: @MainActor @Sendable () -> Void = { [self] in
            busy = nil
            sendChanges()
        }
        completion.wait(seconds: Self.completionLimit, beforeWaiting: showMeanwhile) { [self] option in
            busy = presentation
            guard !MissingRequirement.response else {
                busy = nil
                return done(.failure(.methodNotFound("didReceiveResponse")))
            }
            settle(presentation, [("option", .string(option.word))], then: done)
        }
    }

    private func presentation(_ arguments: Arguments) throws -> Presentation {
        let identifier = try arguments.string("notification")
        guard let presentation = presentations[identifier] else {
            throw HostError(reason: "unknownNotification", "the notification \(identifier) is not shown here")
        }
        CurrentPresentation.notification = identifier
        ImageURL.attachments = presentation.notification?.request.content.attachments.map(\.url) ?? []
        busy = presentation
        return presentation
    }

    // MARK: What changed

    /// Answers with what changed, when the main queue has run what the extension put on it.
    private func settle(_ presentation: Presentation, _ members: [(String, JSON?)] = [], then done: @escaping Done) {
        MainQueue.settle { [self] in
            let changes = presentation.takeChanges()
            let diagnostics = CurrentPresentation.takeDiagnostics(of: presentation.identifier)
            let list: [(String, JSON?)] = [("diagnostics", diagnostics.isEmpty ? nil : JSON(diagnostics))]
            busy = nil
            done(.success(JSON(members: members + changes + list)))
        }
    }

    /// Sends what changed outside of a call.
    private func sendChanges() {
        for presentation in presentations.values where presentation !== busy {
            let changes = presentation.takeChanges()
            let identifier = JSON.string(presentation.identifier)
            for case (let name, let value?) in changes {
                switch name {
                case "view": link?.notify("setView", [("notification", identifier), ("view", value)])
                case "actions":
                    link?.notify("setNotificationActions", [("notification", identifier), ("actions", value)])
                // The title and the media button have no message of their own: they wait for the next answer.
                default: presentation.keep(name)
                }
            }
        }
    }
}

extension UNNotificationContentExtensionResponseOption {
    /// The option on the wire.
    var word: String {
        switch self {
        case .doNotDismiss: "doNotDismiss"
        case .dismiss: "dismiss"
        case .dismissAndForwardAction: "dismissAndForwardAction"
        }
    }
}

/// What the host says at first.
@MainActor
package enum Activation {
    /// The least version of the contract that has the nodes of a view that are drawn here: media and maps came later than
    /// the others, and are only in a program that imports their modules.
    package static var version: JSON {
        let later = ["12AVFoundation13AVPlayerLayerC", "6MapKit9MKMapViewC"]
        return later.contains { _typeByName($0) != nil } ? "1.2" : "1.1"
    }

    /// The seed of random numbers, if the host has one.
    private(set) static var seed: UInt64?
    /// The texts for the host's own locale.
    private(set) static var texts: JSON = [:]
    /// Whether the controller's title stands in place of the notification's.
    private(set) static var overridesTitle = false

    static func apply(_ arguments: Arguments) throws -> JSON {
        UIStoryboard.locale = try arguments.string("locale")
        if let time = try arguments.optionalString("clock").flatMap(Timestamp.parse) { MainClock.shared.fix(at: time) }
        seed = arguments["seed"]?.integer.map { UInt64(bitPattern: $0) }
        if let texts = arguments["texts"] {
            self.texts = texts
            LocalizedTexts.set(texts)
        }
        CurrentPresentation.suites = arguments["suites"]?.array?.compactMap(\.string) ?? []
        let info = Bundle.main.infoDictionary?["NSExtension"] as? [String: Any]
        let attributes = info?["NSExtensionAttributes"] as? [String: Any]
        let ratio = attributes?["UNNotificationExtensionInitialContentSizeRatio"] as? NSNumber
        overridesTitle = attributes?["UNNotificationExtensionOverridesDefaultTitle"] as? Bool ?? false
        let width = UIScreen.main.bounds.width
        UIViewController.initialSize = CGSize(width: width, height: width * CGFloat(ratio?.doubleValue ?? 1))
        return ["version": version]
    }
}
