internal import ArgumentParser
internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient
internal import Recording
internal import Terminal

/// A film and a recording for terminals of what a session showed.
struct SessionPictures: ParsableArguments {
    /// More scenes than this are too many for one picture.
    private static let limit = 300

    @Option(
        help: ArgumentHelp("Write a film of what the session showed; - for stdout.", valueName: "file"),
        completion: .file()
    )
    var svg: String?

    @Option(
        help: ArgumentHelp(
            "Write what the session showed as an asciicast for terminals; - for stdout.",
            valueName: "file"
        ),
        completion: .file()
    )
    var cast: String?

    @Option(help: "Draw the film light or dark; by default as the reader prefers.")
    var scheme: HTMLRenderer.Scheme?

    @Option(help: ArgumentHelp("Show this app name in the film.", valueName: "text"))
    var appName: String?

    /// The files that are written, `-` for stdout.
    var files: [(name: String, format: PictureFile.Format)] {
        (svg.map { [($0, .svg)] } ?? []) + (cast.map { [($0, .cast)] } ?? [])
    }

    func validate() throws {
        for file in files where file.name.isEmpty {
            throw ValidationError("--\(file.format.rawValue): its value is empty; name a file, or - for stdout")
        }
        if let svg, svg == cast { throw ValidationError("--svg and --cast: both name \(svg); name a file for each") }
        guard svg == nil else { return }
        if scheme != nil { throw ValidationError("--scheme: it is about the film; add --svg FILE") }
        if appName != nil { throw ValidationError("--app-name: it is about the film; add --svg FILE") }
    }

    /// Whether a file is stdout, where nothing else may be printed then.
    var useOutput: Bool { files.contains { $0.name == "-" } }

    /// Opens the files before the session runs.
    ///
    /// - Throws: Why one cannot be written.
    func open() throws(ClientError) -> [PictureFile] {
        try files.map { file throws(ClientError) in try PictureFile(file.name, file.format) }
    }

    /// Writes what a session showed into the files.
    ///
    /// - Throws: That it showed nothing, or why a file cannot be written.
    func write(_ session: RecordedSession, to files: [PictureFile]) throws(ClientError) {
        let scenes = SessionScenes(session)
        guard let first = scenes.scenes.first else {
            throw .failed("\(session.path): it shows no notification, so there is nothing to draw; add a didReceive")
        }
        guard scenes.scenes.count <= Self.limit else {
            throw .failed(
                "\(session.path): it has \(scenes.scenes.count) steps, and at most \(Self.limit) are drawn; keep only those "
                    + "that you want to show"
            )
        }
        let title = first.shown.content["title"]?.string ?? ""
        for file in files {
            let text =
                switch file.format {
                case .cast: SessionCast(scenes).text(title: title, start: session.settings.start)
                case .html, .svg: film(scenes).svg(title: title.isEmpty ? "Notification" : title)
                }
            try file.write(text)
        }
    }

    /// A film: a notification that arrives is a banner, which is then opened.
    private func film(_ scenes: SessionScenes) -> Film {
        var settings = HTMLRenderer.Settings()
        settings.scheme = scheme ?? settings.scheme
        settings.appName = appName
        settings.images = LocalImages(allowsRemote: false).source
        var film: [Film.Scene] = []
        for (scene, length) in zip(scenes.scenes, scenes.lengths) {
            if !film.isEmpty { film[film.count - 1].touched = scene.touched }
            let saved = scene.saved.map(Self.text)
            let isOpen = scene.shown.isExpanded
            if scene.isNew {
                film.append(
                    Film.Scene(
                        scene.shown,
                        .banner,
                        language: scene.language,
                        caption: scene.caption,
                        saved: saved,
                        milliseconds: isOpen ? 1_600 : length
                    )
                )
                guard isOpen else { continue }
                film[film.count - 1].touched = .action(OfferedAction.defaultIdentifier)
            }
            film.append(
                Film.Scene(
                    scene.shown,
                    isOpen ? .expanded : .banner,
                    language: scene.language,
                    caption: scene.isNew ? "Open the notification" : scene.caption,
                    saved: saved,
                    milliseconds: length
                )
            )
        }
        return Film(film, settings)
    }

    private static func text(_ saved: PushSession.SavedRecord) -> String {
        let record = saved.record
        let text = { (name: String) in record[name].map { $0.string ?? $0.description } ?? "" }
        switch record["kind"]?.string {
        case "customEvent": return text("name")
        case "customAttribute": return "\(text("key")): \(text("value"))"
        case "userAttribute": return "\(text("field")): \(text("value"))"
        default: return text("kind")
        }
    }
}

/// What a session showed as an asciicast (version 2), drawn as `pushhost push` draws it.
private struct SessionCast {
    private static let width = 100

    private let scenes: SessionScenes

    init(_ scenes: SessionScenes) { self.scenes = scenes }

    /// The file; `start` is when the session began, in milliseconds since 1970.
    func text(title: String, start: Int64) -> String {
        let frames = scenes.scenes.map(frame)
        let height = max(24, (frames.map(\.count).max() ?? 0) + 1)
        let header: JSON = [
            "version": 2, "width": JSON(Self.width), "height": JSON(height), "timestamp": .integer(start / 1_000),
            "title": .string(title), "env": ["TERM": "xterm-256color"],
        ]
        var (lines, time) = ([header.description], 0)
        // The cursor is hidden, as a screen that is played hides it.
        for (frame, length) in zip(frames, scenes.lengths) {
            let output = "\u{1B}[?25l\u{1B}[H\u{1B}[2J" + frame.joined(separator: "\r\n")
            lines.append(event(time, output))
            time += length
        }
        lines.append(event(time, "\r\n\u{1B}[?25h"))
        return lines.joined(separator: "\n") + "\n"
    }

    private func event(_ milliseconds: Int, _ output: String) -> String {
        let seconds = "\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
        return "[\(seconds),\"o\",\(JSON.string(output))]"
    }

    private func frame(_ scene: SessionScenes.Scene) -> [String] {
        let palette = TerminalPalette(.dark)
        let drawer = BoxDrawer(.unicode, focus: nil, ids: .hidden)
        let frame = PushFrame(drawer: drawer, width: Self.width, showsErrorLines: true)
        let drawing = frame.draw(scene.shown, scene.diagnostics, scene.errorLines, scene.saved)
        let caption = Drawing(PlainText.escaped(scene.caption), .title)
        return Drawing.below([caption, drawing]).lines.map(palette.text)
    }
}
