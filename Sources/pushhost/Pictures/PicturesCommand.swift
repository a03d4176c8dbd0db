internal import ArgumentParser
internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Platform
internal import PushClient

/// The group of commands for pictures that are reviewed.
struct PicturesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pictures",
        abstract: "Draw many notifications, compare them with accepted pictures, and accept the new ones.",
        examples: [
            "pushhost pictures payloads --locale en --locale de",
            "pushhost pictures payloads --baseline accepted",
            "pushhost pictures accept --baseline accepted",
        ],
        subcommands: [PicturesDrawCommand.self, PicturesAcceptCommand.self],
        defaultSubcommand: PicturesDrawCommand.self
    )
}

/// Draws payloads, and compares the pictures with accepted ones.
struct PicturesDrawCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Draw payloads in every locale, scheme and text size, and compare the pictures with accepted ones.",
        prose: """
            You can leave out the word draw. In a folder every file whose name ends in .apns is drawn. The pictures \
            are SVG files in the folder of --output, and index.html there shows all of them. Each of --locale, \
            --scheme, --text-size, --device and --part may be repeated, and each payload is drawn in every combination.

            The steps, such as --press, are done to every notification before it is drawn. A recorded session \
            (.jsonl) in place of a payload draws its last notification as the session leaves it.

            The same input gives the same bytes: clock and seed are fixed, and no picture depends on another one. \
            With --baseline the bytes of each picture are compared with those of the accepted one.
            """,
        examples: [
            "pushhost pictures payloads --locale en --locale de --scheme dark",
            "pushhost pictures payloads --baseline accepted --summary summary.md",
        ],
        exitCodes: """
            0 if everything was drawn and nothing differs from the baseline, 1 if a picture is changed, new or \
            gone, or a payload cannot be drawn, 64 for a wrong command line, 66 if there is no payload, 70 if the host \
            or Chromium cannot be used or the project of --from cannot be built, 73 if a file cannot be written.
            """
    )

    @Argument(
        help: ArgumentHelp("Payloads, recorded sessions, bundles, or folders of them.", valueName: "file"),
        completion: .file()
    )
    var files: [String]

    @OptionGroup(title: "Matrix")
    var matrix: PictureMatrix

    @OptionGroup(title: "Steps")
    var steps: PushStepOptions

    @OptionGroup(title: "Review")
    var folders: PictureFolderOptions

    @Option(
        help: ArgumentHelp("Also write the results as JUnit XML for CI servers.", valueName: "file"),
        completion: .file()
    )
    var junit: String?

    @Option(
        help: ArgumentHelp("Also write the results as Markdown, for the summary of a CI job.", valueName: "file"),
        completion: .file()
    )
    var summary: String?

    @Flag(help: "Also write PNG files; this needs Chromium.")
    var png = false

    @Option(help: ArgumentHelp("Show this app name; by default the one in the bundle's Info.plist.", valueName: "text"))
    var appName: String?

    @Option(help: ArgumentHelp("Fix the time of the host, such as 2026-01-01T00:00:00Z.", valueName: "time"))
    var clock = "2026-01-01T00:00:00Z"

    @OptionGroup var notification: NotificationOptions

    @Option(
        help: ArgumentHelp("Find extension bundles in this folder; repeat for more.", valueName: "dir"),
        completion: .directory
    )
    var plugins: [String] = []

    @OptionGroup var sandbox: SandboxOptions

    @OptionGroup(title: "Xcode projects")
    var project: ProjectOptions

    func validate() throws {
        _ = try clockTime(clock)
        try requireBundles(plugins)
        if notification.profile == "-" { throw ValidationError("--profile -: name a file") }
        if let word = files.first(where: { $0 == "-" }) {
            throw ValidationError("\(word): a picture is named after its file; name a file or a folder")
        }
        for (option, file) in [("junit", junit), ("summary", summary)] {
            if let file { try requireFile(option, file) }
        }
    }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        do {
            return try draw(signals)
        } catch let problem as PushFile.Problem {
            console.writeError(problem.message)
            return problem.code
        } catch let problem as PictureFolder.Problem {
            console.writeError(problem.text)
            return problem.code
        } catch let error as ClientError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }

    private func draw(_ signals: SignalSource) throws -> Int32 {
        for file in files where FileStamp(of: Paths.absolute(file)) == nil {
            throw PictureFolder.Problem(text: "\(file): there is no such file", code: EX_NOINPUT)
        }
        let sources = PictureSource.all(files)
        guard !sources.isEmpty else {
            let text =
                "\(files.joined(separator: ", ")): there is no payload, that is, no file whose name ends in .apns"
            throw PictureFolder.Problem(text: text, code: EX_NOINPUT)
        }
        let (output, baseline) = (folders.outputFolder, folders.baselineFolder)
        // Before the work, so that it is not done in vain.
        try output.prepare()
        let review = try PictureReview(pictures(of: sources, signals), baseline: baseline, output: output)
        try output.write(review)
        if png { try writeScreenshots(review, output, signals) }
        if let summary { try output.write(review.markdown, to: Paths.absolute(summary)) }
        if let junit {
            do throws(ClientError) {
                var report = try JUnitReport(of: "pictures", path: Paths.absolute(junit), relativeTo: "")
                review.add(to: &report)
                try report.write()
            } catch {
                throw PictureFolder.Problem(text: error.text, code: EX_CANTCREAT)
            }
        }
        for picture in review.open { console.print(PlainText.escaped(picture.line)) }
        console.print(PlainText.escaped("\(review.summary); see \(output.word)/index.html"))
        if let acceptance = review.acceptance, review.open.contains(where: { $0.state != .failed }) {
            console.print(PlainText.escaped("accept all of them with: \(acceptance)"))
        }
        return review.open.isEmpty ? 0 : 1
    }

    /// Draws every source in every combination of the matrix.
    private func pictures(of sources: [PictureSource], _ signals: SignalSource) throws -> [Picture] {
        let profile = try notification.profile.map { try PushFile($0).object() }
        var host = try HostOptions.parse(sandbox.serveArguments)
        host.plugins = try (project.build()?.bundles ?? []) + plugins
        host = host.usingBundles(of: sources.map { Paths.absolute($0.path) }, rendering: profile != nil)
        let arguments = ["--ephemeral", "--clock", clock, "--seed", String(notification.seed ?? 1)]
        var own = notification
        own.seed = nil
        let painter = PicturePainter(
            steps: try steps.steps(),
            params: ["profile": profile],
            appName: appName
        ) { [host, own] () throws(ClientError) in
            try host.start(arguments + own.serveArguments, signals)
        }
        defer { painter.stop() }
        var (pictures, status) = ([Picture](), StatusLine())
        defer { status.remove() }
        for (index, source) in sources.enumerated() {
            status.show("\(index) of \(sources.count) payloads: \(source.name)")
            let content = Result { try source.content() }
            let images = LocalImages.folder(besides: Paths.absolute(source.path))
            // Most remarks are the same in every locale.
            var written: Set<String> = []
            for locale in matrix.locales {
                let (drawn, remarks) = try draw(source, locale) {
                    try painter.draw(content.get(), locale, matrix.looks, images: images)
                }
                pictures += drawn
                for remark in remarks where written.insert(remark).inserted {
                    status.remove()
                    if drawn[0].state == .failed { console.writeError(remark) } else { console.writeWarning(remark) }
                }
            }
        }
        return pictures
    }

    /// The pictures of a source in a locale, and what is said about it; a mistake of the source is the result.
    private func draw(
        _ source: PictureSource,
        _ locale: String?,
        _ body: () throws -> (pictures: [String], remarks: [String])
    ) throws -> ([Picture], remarks: [String]) {
        var pictures = matrix.looks.map { look in
            let labels = look.labels(locale)
            let name = ([source.name] + labels.map(\.value)).joined(separator: ".")
            return Picture(name: name, source: source.name, labels: labels)
        }
        do {
            let (drawn, remarks) = try body()
            for (index, svg) in drawn.enumerated() { pictures[index].svg = svg }
            return (pictures, remarks.map { "\(source.path): \($0)" })
        } catch {
            if case .interrupted? = error as? ClientError { throw error }
            let mistake = Self.text(of: error, source)
            for index in pictures.indices { (pictures[index].state, pictures[index].mistake) = (.failed, mistake) }
            return (pictures, [mistake])
        }
    }

    /// Why a source cannot be drawn.
    private static func text(of error: any Error, _ source: PictureSource) -> String {
        switch error {
        case let problem as PushFile.Problem: return problem.message
        case let refusal as PushSession.Refusal:
            let reasons = [refusal.message] + refusal.diagnostics.map(PushCommand.text(of:))
            return "\(source.path): \(reasons.joined(separator: "; "))"
        case let error as ClientError: return "\(source.path): \(error.text)"
        // A problem of a session has its path.
        default: return "\(error)"
        }
    }

    private func writeScreenshots(_ review: PictureReview, _ output: PictureFolder, _ signals: SignalSource) throws {
        guard let browser = PictureScreenshots.installed else {
            return console.writeWarning("no Chromium is in PATH, so there are only SVG files; install chromium for PNG")
        }
        let pictures = review.pictures.compactMap { picture in
            picture.svg.map { (svg: $0, png: output.file(picture.name, suffix: "png")) }
        }
        if !pictures.isEmpty { try PictureScreenshots(browser, signals).write(pictures) }
    }
}

/// The folders of pictures.
struct PictureFolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the pictures.", valueName: "dir"), completion: .directory)
    var output = "pictures"

    @Option(help: ArgumentHelp("The folder of the accepted pictures.", valueName: "dir"), completion: .directory)
    var baseline: String?

    var outputFolder: PictureFolder { PictureFolder(output) }
    var baselineFolder: PictureFolder? { baseline.map(PictureFolder.init) }

    func validate() throws {
        try requireFolder("output", output)
        guard let baseline else { return }
        try requireFolder("baseline", baseline)
        if baselineFolder?.path == outputFolder.path {
            throw ValidationError("--baseline \(baseline): it is the folder of --output; name another one")
        }
    }
}
