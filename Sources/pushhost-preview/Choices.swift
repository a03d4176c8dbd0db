internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient

/// What is chosen beside the payload.
struct Choices {
    /// What a change makes necessary.
    enum Effect {
        case nothing, picture, part, push, flush, host
        /// The value cannot be chosen, and why.
        case refused(String)
    }

    /// Why a choice cannot be used.
    struct Problem: Error {
        let message: String
    }

    var locale: String
    /// What is known about the user, as the text of a JSON object; empty if the payload is no template.
    var profile = ""
    /// The time to which the clock is fixed; empty for the system's.
    var clock: String
    var scheme = HTMLRenderer.Scheme.automatic
    /// What the user wants to see: an edit while the notification is expanded shows it expanded again.
    var part = HTMLRenderer.Part.banner
    var textSize = TextSize.large
    /// Which pictures are shown side by side in place of the phone.
    var sheet = Sheet.none
    /// How the page draws the phone, by the name of the choice; all windows have the same phone.
    private var looks = ["device": "iphone-16", "icons": "normal", "wallpaper": "aurora"]
    /// Where a flush would send records; nil for the first destination that a bundle has.
    var destination: String?

    /// The app whose extension shows the notification, and the folder whose images stand for those on the web; they
    /// follow from the payload, and are needed wherever the choices are.
    var app: AppIdentity?
    /// The languages in which the bundle has texts.
    var languages: [String] = []
    var images: String?

    init(_ settings: PreviewSettings) { (locale, clock) = (settings.locale, settings.clock) }

    /// Chooses a value.
    mutating func choose(_ name: String, _ value: String) -> Effect {
        switch name {
        case "locale": return Self.set(&locale, value, .push)
        case "profile": return Self.set(&profile, value, .push)
        case "clock":
            let time = String(value.trimmed)
            guard time.isEmpty || Timestamp.parse(time) != nil else {
                let forms = "a time such as 9:41 or 2026-01-01T09:41:00Z"
                return .refused("Clock: write \(forms), or nothing for the system's clock")
            }
            return Self.set(&clock, time, .host)
        case "destination": return Self.set(&destination, value, .flush)
        case "scheme": return HTMLRenderer.Scheme(rawValue: value).map { Self.set(&scheme, $0, .picture) } ?? .nothing
        case "part":
            // What is seen may be something else, because the extension failed: the same choice is another attempt.
            part = HTMLRenderer.Part(rawValue: value) ?? part
            return .part
        case "sheet": return Sheet(rawValue: value).map { Self.set(&sheet, $0, .nothing) } ?? .nothing
        case "textSize": return TextSize(rawValue: value).map { Self.set(&textSize, $0, .picture) } ?? .nothing
        default:
            if looks[name] != nil { looks[name] = String(value.prefix(40)) }
            return .nothing
        }
    }

    private static func set<Value: Equatable>(_ place: inout Value, _ value: Value, _ effect: Effect) -> Effect {
        guard place != value else { return .nothing }
        place = value
        return effect
    }

    /// The params of `didReceive` except the payload.
    func params() throws(Problem) -> MemberList {
        // As on a phone, a banner that is not opened runs no extension.
        let params: MemberList = ["locale": JSON(nonEmpty: locale), "expand": part == .banner ? false : nil]
        guard !profile.allSatisfy(\.isWhitespace) else { return params }
        let value: JSON
        do throws(JSONParseError) {
            value = try JSON(authored: profile)
        } catch {
            throw Problem(message: "the profile is not JSON: \(error)")
        }
        guard value.object != nil else {
            throw Problem(message: "the profile must be a JSON object, it is \(value.typeName)")
        }
        return params + ["profile": value]
    }

    /// The params of `checkPayload` except the payload.
    var checkParams: MemberList {
        ["locale": JSON(nonEmpty: locale), "template": profile.allSatisfy(\.isWhitespace) ? nil : true]
    }

    /// The message for the windows, without its type; the first destination is chosen by default.
    func members(_ destinations: [String]) -> [(String, JSON)] {
        [
            ("locale", .string(locale)), ("profile", .string(profile)), ("clock", .string(clock)),
            ("scheme", .string(scheme.rawValue)), ("part", .string(part.rawValue)),
            ("textSize", .string(textSize.rawValue)), ("destination", JSON(destination ?? destinations.first)),
            ("textSizes", JSON(TextSize.allCases.map { .string($0.rawValue) })),
            ("sheet", .string(sheet.rawValue)), ("locales", JSON(languages.map(JSON.string))),
            // The time on the phone is the host's, wherever the browser is.
            ("zone", .string(TimeZone.current.identifier)),
        ] + looks.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }
    }
}
