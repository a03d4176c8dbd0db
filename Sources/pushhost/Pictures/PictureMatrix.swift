internal import ArgumentParser
internal import Localization
internal import NotificationHTML
internal import Notifications
internal import Platform

/// The options that repeat: each source is drawn once for every combination of their values.
struct PictureMatrix: ParsableArguments {
    @Option(
        help: ArgumentHelp("Draw the texts in this locale, such as de; repeat for more.", valueName: "name"),
        completion: Completions.locales
    )
    var locale: [String] = []

    @Option(help: "Draw it light, dark, or as the reader prefers (auto); repeat for more.")
    var scheme: [HTMLRenderer.Scheme] = []

    @Option(help: ArgumentHelp("Use this text size, with simctl's names; repeat for more.", valueName: "size"))
    var textSize: [TextSize] = []

    @Option(help: ArgumentHelp("Draw it as wide as on this phone; repeat for more.", valueName: "phone"))
    var device: [Device] = []

    @Option(help: "Draw only this part; repeat for pictures of each.")
    var part: [HTMLRenderer.Part] = []

    func validate() throws {
        for locale in locale { try requireLocale(locale) }
        let axes = [
            ("--locale", locale), ("--scheme", scheme.map(\.rawValue)), ("--text-size", textSize.map(\.rawValue)),
            ("--device", device.map(\.rawValue)), ("--part", part.map(\.rawValue)),
        ]
        for (option, values) in axes where Set(values).count < values.count {
            throw ValidationError("\(option): one is given twice")
        }
    }

    /// The locales; nil for that of the host.
    var locales: [String?] { locale.isEmpty ? [nil] : locale }

    /// How one notification is drawn several times.
    var looks: [PictureLook] {
        Self.values(scheme).flatMap { scheme in
            Self.values(textSize).flatMap { size in
                Self.values(device).flatMap { device in
                    Self.values(part).map { PictureLook(scheme: scheme, textSize: size, device: device, part: $0) }
                }
            }
        }
    }

    /// The values of an option; nil if it is not given.
    private static func values<Value>(_ given: [Value]) -> [Value?] { given.isEmpty ? [nil] : given }

    /// An option's value that a picture shows.
    struct Label {
        let axis: String
        let value: String
    }
}

extension PictureLook {
    /// The values of the options that are given, which are in the name of the picture.
    func labels(_ locale: String?) -> [PictureMatrix.Label] {
        let values = [
            ("locale", locale), ("scheme", scheme?.rawValue), ("text size", textSize?.rawValue),
            ("device", device?.rawValue), ("part", part?.rawValue),
        ]
        return values.compactMap { axis, value in value.map { PictureMatrix.Label(axis: axis, value: $0) } }
    }
}
