internal import ArgumentParser
internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient

extension HTMLRenderer.Scheme: ExpressibleByArgument {}
extension HTMLRenderer.Part: ExpressibleByArgument {}
extension TextSize: ExpressibleByArgument {}
extension Device: ExpressibleByArgument {}

/// How a notification is drawn; what is nil is as usual.
struct PictureLook {
    var scheme: HTMLRenderer.Scheme?
    var textSize: TextSize?
    var device: Device?
    var part: HTMLRenderer.Part?

    /// How it is rendered.
    ///
    /// - Parameters:
    ///   - appName: The name that the user chose.
    ///   - app: The app whose extension shows it.
    ///   - images: Where its images come from.
    /// - Returns: The settings.
    func settings(appName: String?, _ app: AppIdentity?, images: LocalImages) -> HTMLRenderer.Settings {
        var settings = HTMLRenderer.Settings()
        settings.scheme = scheme ?? settings.scheme
        settings.textSize = textSize ?? settings.textSize
        settings.device = device ?? settings.device
        settings.parts = part.map { [$0] } ?? settings.parts
        settings.appName = appName ?? app?.name
        settings.appIcon = app?.icon
        settings.images = images.source
        return settings
    }
}

/// Pictures of a notification as a phone shows it, and how they look.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write a page for browsers instead of the drawing; - for stdout.", valueName: "file"),
        completion: .file()
    )
    var html: String?

    @Option(
        help: ArgumentHelp("Write a picture instead of the drawing; - for stdout.", valueName: "file"),
        completion: .file()
    )
    var svg: String?

    @Option(help: "Draw it light or dark; by default as the reader prefers.")
    var scheme: HTMLRenderer.Scheme?

    @Option(help: ArgumentHelp("Use this text size of the phone, with simctl's names.", valueName: "size"))
    var textSize: TextSize?

    @Option(help: ArgumentHelp("Draw it as wide as on this phone.", valueName: "phone"))
    var device: Device?

    @Option(help: "Draw only this part.")
    var part: HTMLRenderer.Part?

    @Option(help: ArgumentHelp("Show this app name; by default the one in the bundle's Info.plist.", valueName: "text"))
    var appName: String?

    @Flag(help: "Let the reader's browser fetch remote images.")
    var remoteImages = false

    /// The files that are written, `-` for stdout.
    var files: [(name: String, format: PictureFile.Format)] {
        (html.map { [($0, .html)] } ?? []) + (svg.map { [($0, .svg)] } ?? [])
    }

    func validate() throws {
        guard !files.isEmpty else { return try validateAbsence() }
        for file in files where file.name.isEmpty {
            throw ValidationError("--\(file.format.rawValue): its value is empty; name a file, or - for stdout")
        }
        guard html != svg else {
            throw ValidationError("--html and --svg: both name \(html ?? ""); name a file for each")
        }
    }

    /// Checks that no option is given that has no effect without a picture.
    private func validateAbsence() throws {
        let options = [
            ("--scheme", scheme != nil), ("--text-size", textSize != nil), ("--device", device != nil),
            ("--part", part != nil), ("--app-name", appName != nil), ("--remote-images", remoteImages),
        ]
        guard let option = options.first(where: \.1)?.0 else { return }
        throw ValidationError("\(option): it is about pictures; add --html FILE or --svg FILE")
    }

    /// How the notification of a payload is rendered.
    ///
    /// - Parameters:
    ///   - app: The app whose extension shows it.
    ///   - payload: The file of the payload; nil for stdin.
    /// - Returns: The settings.
    func settings(_ app: AppIdentity?, payload: String?) -> HTMLRenderer.Settings {
        let images = LocalImages(allowsRemote: remoteImages, standIns: payload.map(LocalImages.folder))
        return PictureLook(scheme: scheme, textSize: textSize, device: device, part: part)
            .settings(appName: appName, app, images: images)
    }
}

/// A file that shows notifications.
struct PictureFile {
    /// The format of the file.
    enum Format: String {
        case html, svg
        /// An asciicast, which a terminal plays.
        case cast
    }

    /// Where it is; nil for stdout.
    private let target: URL?
    let format: Format

    /// A file of the command line, or stdout for `-`.
    ///
    /// - Throws: Why it could not be written; checked here, before the work is done.
    init(_ name: String, _ format: Format) throws(ClientError) {
        target = name == "-" ? nil : URL(filePath: Paths.absolute(name)).resolvingSymlinksInPath()
        self.format = format
        if let target { try WholeFile.check(target) }
    }

    /// Writes notifications side by side.
    ///
    /// - Throws: Why they were not written; a file keeps its old content.
    func write(_ figures: [HTMLRenderer.Figure], _ renderer: HTMLRenderer) throws(ClientError) {
        let titles = figures.map { $0.shown.content["title"]?.string ?? "" }
        let title = titles.first { !$0.isEmpty } ?? "Notification"
        try write(format == .html ? renderer.page(figures, title: title) : renderer.svg(figures, title: title))
    }

    /// Writes a text.
    ///
    /// - Throws: Why it was not written; a file keeps its old content.
    func write(_ text: String) throws(ClientError) {
        do {
            if let target {
                try WholeFile.write(Data(text.utf8), to: target)
            } else {
                console.write(text)
            }
        } catch {
            throw .failed("\(target?.path ?? "stdout") cannot be written: \(SystemError.text(of: error))")
        }
    }
}
