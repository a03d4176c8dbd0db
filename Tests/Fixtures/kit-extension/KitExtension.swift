import ExtensionKit
import Foundation
import JSON

/// An extension that uses every part of the kit, also incorrectly; each touch names the behaviour.
///
/// The behaviours have the names of those in the programs of the other kits.
@main
final class KitExtension: NotificationContentExtension, NotificationResponseHandler, InteractionHandler, MediaHandler,
    DismissalHandler
{
    private static let ways = [
        "once", "twice", "later", "never", "refusedAfterwards", "nonsense", "linked", "linkedNowhere",
    ]
    static let contractVersion = "1.2"
    static let completionLimit = Duration.milliseconds(500)

    private let context: ExtensionContext

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: DeliveredNotification) throws {
        let content = notification.request.content
        switch content.title {
        case "offered":
            context.notificationActions = context.notificationActions
            show(context.notificationActions.map(\.identifier).joined(separator: " "))
        case "members":
            let members = [content as Any, notification.request, notification].flatMap {
                Mirror(reflecting: $0).children
            }
            let userInfo = "userInfo=\(JSON.object(content.userInfo.json))"
            show(([userInfo] + members.map { "\($0.label ?? "")=\($0.value)" }).joined(separator: "\n"))
        case "integer": show(String(try content.userInfo.integer("number", in: 1...10)))
        default:
            show(content.title == "refuse" ? "refused" : "shown")
            if content.title == "refuse" { throw ExtensionError(reason: "notToday", "not today") }
            let field = NotificationAction.TextInput(buttonTitle: "Send", placeholder: "Text")
            context.notificationActions = Self.ways.map { way in
                NotificationAction(
                    identifier: way,
                    title: way,
                    options: [.foreground],
                    textInput: way == "once" ? field : nil
                )
            }
        }
    }

    func didReceive(
        _ response: NotificationResponse,
        completionHandler completion: @escaping @Sendable (NotificationContentExtensionResponseOption) -> Void
    ) throws {
        let way = response.actionIdentifier
        show([way, response.userText].compactMap(\.self).joined(separator: " "))
        switch way {
        case "asked":
            show(
                "\(response.userText ?? "") \(response.notification.request.content.title) \(response.notification.date)"
            )
            completion(.doNotDismiss)
        case "once": completion(.dismissAndForwardAction)
        case "linked", "linkedNowhere":
            context.applicationURL = "https://example.com/a?b=c"
            completion(way == "linked" ? .dismissAndForwardAction : .doNotDismiss)
        case "twice":
            completion(.doNotDismiss)
            completion(.dismiss)
        case "later":
            let context = context
            Thread.detachNewThread {
                // The main thread, which waits for the completion, sends the request.
                let saved: Void? = try? context.saveCustomEvent("Later")
                completion(saved == nil ? .doNotDismiss : .dismiss)
            }
        case "refusedAfterwards":
            completion(.dismiss)
            throw ExtensionError(reason: "notNow", "not now")
        default: break
        }
    }

    func mediaPlay() { show("plays") }

    func mediaPause() throws { show("pauses") }

    func didDismiss() { context.log(.notice, "dismissed") }

    private func show(_ text: String) { Self.show(text, in: context) }

    private static func show(_ text: String, in context: ExtensionContext) {
        context.view = .stack([.text(text, id: "text"), .field(id: "way")])
    }

    // MARK: Touches

    func interact(_ interaction: Interaction) throws {
        let way = interaction.value?.string ?? ""
        guard try use(way) || save(way) || change(way) else { throw ExtensionError(reason: "unknownWay", way) }
    }

    /// Behaviours that use the process, the clock and the texts.
    private func use(_ way: String) throws -> Bool {
        switch way {
        case "prints": try printEverywhere()
        case "fails":
            show("not shown")
            throw Failure(description: "boom in fails")
        case "random": show((0..<5).map { _ in String(context.random.next()) }.joined(separator: " "))
        case "time":
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            // The style cuts digits off, so a time just below a millisecond would lose that millisecond.
            let times = [context.now, context.now].map { $0.addingTimeInterval(0.000_1).formatted(style) }
            show(times.joined(separator: " "))
        case "texts":
            var texts = [
                context.localizedString(forKey: "GREETING", "Ada"), context.localizedString(forKey: "ORDER", 1, 2),
            ]
            texts += ["ONLY_ENGLISH", "ONLY_BASE", "NOWHERE"].map { context.localizedString(forKey: $0) }
            texts += [0, 1, 2, 5, 1022, -1].map { context.localizedString(forKey: "GOALS", "Ada", $0) }
            show((texts + [context.localizedString(forKey: "GOALS", "Ada", "many")]).joined(separator: "|"))
        case "logs": context.log(.warning, "a line")
        case "waits":
            Self.waitAtGate()
            show("waited")
        case "later":
            let context = context
            Thread.detachNewThread {
                Self.waitAtGate()
                Self.show("shown later", in: context)
                context.notificationActions = []
                try? context.saveCustomEvent("Later")
                context.log(.info, "later")
            }
        default: return false
        }
        return true
    }

    /// Behaviours that store something, and that end the presentation.
    private func save(_ way: String) throws -> Bool {
        let user: JSON.Object = ["external_id": "grace"]
        switch way {
        case "stores":
            let value: JSON = ["a": [1, .null]]
            try context.store(value, forKey: "key")
            let found = try context.retrieve(forKey: "key")
            try context.removeObject(forKey: "key")
            show(
                "\(found == value ? "True" : "False") \(try context.retrieve(forKey: "key") == nil ? "True" : "False")"
            )
        case "guide": try followGuide()
        case "saves":
            do throws(ExtensionError) {
                try context.saveCustomEvent("", properties: ["a": 1])
            } catch {
                show("\(error.reason) \(error.path ?? "")")
            }
            try context.saveCustomEvent("Saved", properties: ["a": 1])
            try context.saveCustomAttribute("b", .null)
            try context.saveUserAttribute("email", "ada@example.com")
        case "fails_to_save": try context.saveUserAttribute("shoe_size", 38)
        case "saves_with_options":
            let time = Date(timeIntervalSince1970: 1_735_693_200)
            try context.saveCustomEvent("Dated", time: time, user: user, idempotencyKey: "once")
            try context.saveCustomAttribute("merged", ["a": 1], merge: true, user: user, idempotencyKey: "c")
            try context.saveUserAttribute("email", .null, user: user, idempotencyKey: "u")
        case "saves_nan":
            try context.saveCustomEvent("E", properties: ["list": [1, ["a/b": .real(.nan)]]])
        case "opens": try context.performNotificationDefaultAction(url: "myapp://home")
        case "opens_nowhere": try context.performNotificationDefaultAction(url: "nowhere")
        case "ends": try context.dismissNotificationContentExtension()
        case "started": try context.mediaPlayingStarted()
        case "paused": try context.mediaPlayingPaused()
        default: return false
        }
        return true
    }

    /// Appends to each list as Braze's guide does, and drops one.
    private func followGuide() throws {
        let elements: [(key: String, element: JSON)] = [
            ("pending_custom_events", ["event_name": "Waved", "hand": "left"]),
            ("pending_custom_attributes", ["level": 2]), ("pending_user_attributes", ["email": "ada@example.com"]),
        ]
        for (key, element) in elements {
            if let pending = try context.retrieve(forKey: key)?.array {
                try context.store(JSON(pending + [element]), forKey: key)
            } else {
                try context.store([element], forKey: key)
            }
        }
        do throws(ExtensionError) {
            try context.store([], forKey: "pending_custom_events")
        } catch {
            show("\(error.reason) \(error.path ?? "")")
        }
    }

    /// Behaviours that change what is shown.
    private func change(_ way: String) throws -> Bool {
        switch way {
        case "refuses":
            context.notificationActions = []
            show("not shown")
            throw ExtensionError(reason: "notNow", "not now", path: "/params/value")
        case "changes": show("changed inside")
        case "appearance":
            context.title = "A title"
            let frame = MediaButton.Frame(x: 1, y: 2, width: 3, height: 4)
            context.media = MediaButton(.overlay, frame: frame, tintColor: "#ff0000", playing: false)
        case "no_media": context.media = MediaButton(.none)
        case "no_title": context.title = nil
        case "same_title": context.title = context.title ?? "none"
        case "frames_infinity":
            context.media = MediaButton(.overlay, frame: .init(x: .infinity, y: 0, width: 1, height: 1))
        case "remarks": context.addDiagnostic(reason: "pageLeftOut", "page 2 has no image")
        case "remarks_and_refuses":
            context.addDiagnostic(reason: "forgotten", "the error says it all")
            throw ExtensionError(reason: "notNow", "not now")
        case "nodes":
            let rest: [View] = [
                .grid([.card(id: "card", face: "A", isMatched: true)], columns: 2, background: "#111111"),
                .field(id: "field", value: "v", placeholder: "p"), .progress(value: 1, total: 2, color: "#00ff00"),
                .media("a.mp4", kind: .video, state: .paused, time: 1.5, duration: 3.5, id: "film", alt: "A dance"),
                .map(
                    latitude: 1.5,
                    longitude: -2.5,
                    span: View.MapSpan(latitude: 0.5, longitude: 0.25),
                    annotations: [View.MapAnnotation("Here", latitude: 1.5, longitude: 2.5)]
                ),
            ]
            let pages: [View] = [
                .text("Heading", style: .title, alignment: .center, color: "#ff0000", isBold: true),
                .image("https://example.com/a.png", alt: "A cat"),
                .row(
                    [
                        .button("Back", id: "back", color: "#ffffff", isBold: true, background: "#0000ff"),
                        .text("plain"),
                    ],
                    id: "row",
                    background: View.Color(light: "#ffffff", dark: "#000000")
                ), .stack(rest, background: "#222222"),
            ]
            context.view = .carousel(pages, id: "pages", page: 2, background: "#333333")
        default: return false
        }
        return true
    }

    private func printEverywhere() throws {
        print("a print of the author's")
        let raw = FileHandle(fileDescriptor: 1)
        try raw.write(contentsOf: Data(#"{"jsonrpc":"2.0","id":1,"result":{"raw":"no line end"}}half a line"#.utf8))
        let child = Process()
        child.executableURL = URL(filePath: "/bin/sh")
        child.arguments = ["-c", #"echo "a child's print" >&2; cat"#]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let found = try output.fileHandleForReading.readToEnd() ?? Data()
        child.waitUntilExit()
        show("read '\(String(decoding: found, as: UTF8.self))'")
    }

    /// Waits until the test writes a byte into the pipe `gate`.
    private static func waitAtGate() { _ = try? FileHandle(forReadingFrom: URL(filePath: "gate")).read(upToCount: 1) }
}

/// A mistake of the author.
private struct Failure: Error, CustomStringConvertible {
    let description: String
}
