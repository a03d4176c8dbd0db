internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC

/// What an extension answers to a call about a presentation; what is absent stays as it was.
struct ExtensionReply {
    /// What becomes of the notification; only of a response.
    let option: ResponseOption?
    /// What the app is to open; only of a response that forwards.
    let applicationURL: ApplicationURL?
    let view: View?
    let actions: [NotificationAction]?
    let title: String?
    let media: MediaControl.Change?
    /// What the extension remarks for whoever asked.
    let diagnostics: [Diagnostic]

    /// Judges the result of a call.
    ///
    /// - Parameters:
    ///   - value: The result; null is taken for no change at all.
    ///   - needsOption: Whether it must say what becomes of the notification.
    /// - Throws: What the contract does not allow.
    init(_ value: JSON, needsOption: Bool) throws(ReplyError) {
        guard value.object != nil || value.isNull else { throw ReplyError("the result must be an object") }
        option = needsOption ? try ResponseOption(reading: value["option"]) : nil
        applicationURL = try option.flatMap { option throws(ReplyError) in try Self.url(value["url"], option) }
        view = try Self.view(value["view"])
        actions = try Self.actions(value["actions"])
        if let title = value["title"] {
            guard let text = title.string else { throw ReplyError("title must be a string") }
            self.title = text
        } else {
            title = nil
        }
        media = try Self.media(value["media"])
        diagnostics = try Diagnostic.list(value["diagnostics"])
    }

    private static func url(_ json: JSON?, _ option: ResponseOption) throws(ReplyError) -> ApplicationURL? {
        guard let json else { return nil }
        guard option == .dismissAndForward else {
            throw ReplyError("url needs the option dismissAndForward, which opens the app; the option is \(option)")
        }
        guard let url = json.string.flatMap(ApplicationURL.init) else {
            throw ReplyError("url must be \(ApplicationURL.needed), it is \(json.excerpt())")
        }
        return url
    }

    private static func media(_ json: JSON?) throws(ReplyError) -> MediaControl.Change? {
        guard let json else { return nil }
        return try MediaControl.Change(json)
    }

    private static func view(_ json: JSON?) throws(ReplyError) -> View? {
        guard let json else { return nil }
        do throws(ViewError) {
            return try View(json)
        } catch {
            throw ReplyError(error.text)
        }
    }

    private static func actions(_ json: JSON?) throws(ReplyError) -> [NotificationAction]? {
        guard let json else { return nil }
        guard let array = json.array else { throw ReplyError("actions must be an array") }
        do throws(RPCError) {
            return try NotificationAction.list(array, path: "/result/actions")
        } catch {
            throw ReplyError(error.message)
        }
    }
}

/// What becomes of a notification after a response, as Apple's `UNNotificationContentExtensionResponseOption` has it.
enum ResponseOption: String, CaseIterable {
    case doNotDismiss
    case dismiss
    case dismissAndForward

    /// Apple's name of ``dismissAndForward``; the guide's is the short one.
    private static let appleForward = "dismissAndForwardAction"

    /// Reads what an extension answered.
    fileprivate init(reading json: JSON?) throws(ReplyError) {
        let word = json?.string ?? ""
        guard let option = word == Self.appleForward ? .dismissAndForward : ResponseOption(rawValue: word) else {
            let known = Self.allCases.map(\.rawValue) + [Self.appleForward]
            throw ReplyError("option must be one of \(known.joined(separator: ", "))")
        }
        self = option
    }
}

extension Presentation {
    /// Takes what an extension's answer changes.
    func apply(_ reply: ExtensionReply) {
        if let newView = reply.view { view = newView }
        if let newActions = reply.actions { ownActions = newActions }
        if let change = reply.media { media = MediaControl(change, wasPlaying: media?.isPlaying ?? false) }
        if let newTitle = reply.title {
            if process?.bundle.overridesDefaultTitle == true {
                title = newTitle
            } else {
                let text =
                    "the extension's title is not shown: its Info.plist lacks UNNotificationExtensionOverridesDefaultTitle"
                note(Diagnostic("titleIgnored", text))
            }
        }
        for diagnostic in reply.diagnostics { note(diagnostic) }
    }
}
