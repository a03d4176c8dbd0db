internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications

extension MethodTable<HostMethod> {
    /// Every method that an extension may call; each names the presentation that it is about.
    static var `extension`: MethodTable<HostMethod> {
        var table = MethodTable()
        table.addSaveMethods(notification: "notification")
        table.addStorageMethods(extra: ["notification"])
        table.addPresentationMethods()
        table.addLog(["notification?", "level", "message"])
        return table
    }

    private mutating func addPresentationMethods() {
        addFree("setView", ["notification", "view"]) { host, call in
            let presentation = try host.notifications.presentation(call.arguments, of: call.peer)
            let view = try call.arguments.value("view")
            do throws(ViewError) {
                presentation.view = try View(view)
            } catch {
                throw RPCError.invalidParams(path: call.arguments.path("view"), error.text)
            }
            host.tellChange(of: presentation)
            return .done([:])
        }
        addFree("setNotificationActions", ["notification", "actions"]) { host, call in
            let presentation = try host.notifications.presentation(call.arguments, of: call.peer)
            let path = call.arguments.path("actions")
            presentation.extensionActions = try NotificationAction.list(try call.arguments.array("actions"), path: path)
            host.tellChange(of: presentation)
            return .done([:])
        }
        for (method, isPlaying) in [("mediaPlayingStarted", true), ("mediaPlayingPaused", false)] {
            addFree(method, ["notification"]) { host, call in
                let presentation = try host.notifications.presentation(call.arguments, of: call.peer)
                guard presentation.media != nil else {
                    throw HostError.noMediaButton(
                        "nothing shows what plays: give a media button in a result first",
                        path: call.arguments.path("notification")
                    )
                }
                presentation.media?.isPlaying = isPlaying
                host.tellChange(of: presentation)
                return .done([:])
            }
        }
        addFree("dismissNotificationContentExtension", ["notification"]) { host, call in
            let presentation = try host.notifications.presentation(call.arguments, of: call.peer)
            host.end(presentation, reason: "dismissed by the extension")
            return .done([:])
        }
        addFree("performNotificationDefaultAction", ["notification", "url?"]) { host, call in
            let presentation = try host.notifications.presentation(call.arguments, of: call.peer)
            let url = try call.arguments.optional("url", ApplicationURL.expected)
            host.openApplication(presentation, NotificationAction.defaultIdentifier, url: url)
            host.end(presentation, reason: "the extension performed the default action")
            return .done([:])
        }
    }
}

extension NotificationCenter {
    /// The presentation that a call names; an extension sees only its own.
    func presentation(_ arguments: Arguments, of peer: Peer) throws(RPCError) -> Presentation {
        let presentation = try presentation(arguments)
        if case .extension(let process) = peer.role, presentation.process !== process {
            throw HostError.unknownNotification(
                "the notification \(presentation.identifier) is shown by another extension",
                path: arguments.path("notification")
            )
        }
        return presentation
    }
}

extension Host {
    /// Tells those who subscribed that a view changed without being asked.
    fileprivate func tellChange(of presentation: Presentation) {
        publish(.viewDidChange) {
            .object(JSON.Object([("notification", .string(presentation.identifier))] + presentation.shownMembers))
        }
    }
}
