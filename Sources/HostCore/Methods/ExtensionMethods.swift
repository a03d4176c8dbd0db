internal import Calls
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Notifications
internal import Presenting

extension MethodTable<HostMethod> {
    /// Adds the methods that an extension calls about its presentations.
    mutating func addPresentationMethods(
        _ presentations: Presentations,
        _ presenting: PresentationService,
        _ responses: ResponseService,
        _ publisher: Publisher
    ) {
        addFree("setView", ["notification", "view"]) { arguments, peer, _ in
            let presentation = try presentations.presentation(arguments, of: peer)
            let view = try arguments.value("view")
            do throws(ViewError) {
                presentation.view = try ViewTree(view)
            } catch {
                throw RPCError.invalidParams(path: arguments.path("view"), error.text)
            }
            publisher.publishChange(of: presentation)
            return [:]
        }
        addFree("setNotificationActions", ["notification", "actions"]) { arguments, peer, _ in
            let presentation = try presentations.presentation(arguments, of: peer)
            let path = arguments.path("actions")
            presentation.extensionActions = try OfferedAction.list(try arguments.array("actions"), path: path)
            publisher.publishChange(of: presentation)
            return [:]
        }
        for (method, isPlaying) in [("mediaPlayingStarted", true), ("mediaPlayingPaused", false)] {
            addFree(method, ["notification"]) { arguments, peer, _ in
                let presentation = try presentations.presentation(arguments, of: peer)
                guard presentation.media != nil else {
                    throw HostError.noMediaButton(
                        "the presentation has no media button: return one in a result first",
                        path: arguments.path("notification")
                    )
                }
                presentation.media?.isPlaying = isPlaying
                publisher.publishChange(of: presentation)
                return [:]
            }
        }
        addFree("dismissNotificationContentExtension", ["notification"]) { arguments, peer, _ in
            let presentation = try presentations.presentation(arguments, of: peer)
            presenting.end(presentation, reason: "dismissed by the extension")
            return [:]
        }
        addFree("performNotificationDefaultAction", ["notification", "url?"]) { arguments, peer, _ in
            let presentation = try presentations.presentation(arguments, of: peer)
            let url = try arguments.optional("url", ApplicationURL.expected)
            let tap = OfferedAction.defaultIdentifier
            responses.openApplication(presentation, tap, presentation.link(of: tap, url))
            presenting.end(presentation, reason: "the extension performed the default action")
            return [:]
        }
    }
}

extension Publisher {
    /// Notifies subscribers that an extension changed a view on its own initiative.
    fileprivate func publishChange(of presentation: Presentation) {
        publish(.viewDidChange) {
            JSON(present: ["notification": .string(presentation.identifier)] + presentation.shownMembers)
        }
    }
}

extension MethodTable<HostMethod> {
    /// Adds the method `log`, which every extension may call.
    mutating func addLog(_ parameters: [String], _ publisher: Publisher, _ logger: Logger) {
        addFree("log", parameters) { arguments, peer, _ in
            let name = try arguments.string("level")
            guard let level = Logger.Level(rawValue: name) else {
                let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                throw arguments.mistyped("level", "one of \(known)")
            }
            let message = try arguments.string("message")
            guard case .extension(let caller) = peer.role else { return [:] }
            let identifier = caller.identifier
            logger.log(level: level, "\(message)", metadata: ["extension": "\(identifier)"])
            publisher.publish(.log) {
                ["extension": .string(identifier), "level": .string(name), "message": .string(message)]
            }
            return [:]
        }
    }
}
