internal import HostClient
internal import Platform

/// Makes PNG files of pictures with the Chromium that is installed.
struct PictureScreenshots {
    private static let programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

    /// The path of the browser.
    private let program: String

    /// The browser in `PATH`; nil without one.
    init?() {
        let folders = CommandContext.current.environment["PATH"]?.split(separator: ":") ?? []
        let paths = Self.programs.flatMap { name in folders.map { "\($0)/\(name)" } }
        guard let program = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
        self.program = program
    }

    /// Writes a picture as PNG beside its SVG, at twice its size.
    ///
    /// - Throws: That the browser made none.
    func write(_ svg: String, to png: String, _ signals: SignalSource) throws(ClientError) {
        let size = svg.firstMatch(of: /width="(?<width>\d+)" height="(?<height>\d+)"/)
        guard let size else { throw .failed("\(png): the picture has no size") }
        let folder = try TemporaryFolder.create(prefix: "pushhost-pictures")
        defer { folder.remove() }
        // Another name, because a comma or a per cent sign in a path is read in another way.
        var arguments = [
            "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--force-device-scale-factor=2",
            "--user-data-dir=\(folder.path)/profile", "--screenshot=\(folder.path)/picture.png",
            "--window-size=\(size.output.width),\(size.output.height)",
        ]
        // The browser's sandbox refuses to start for root. It shows only a picture that has no script.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        do {
            try Data(svg.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/picture.svg"))
            arguments.append(URL(fileURLWithPath: "\(folder.path)/picture.svg").absoluteString)
            // Relative, because Chromium makes a socket there, whose path may not have more than about 100 characters.
            let own = ["HOME": folder.path, "TMPDIR": "."]
            let environment = CommandContext.current.environment.merging(own) { $1 }
            let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
            defer { close(nowhere) }
            let browser = try ChildProgram(
                Program(path: program, arguments: arguments, environment: environment, directory: folder.path),
                input: nowhere,
                output: nowhere,
                error: nowhere
            )
            let end = try browser.wait(signals)
            browser.killGroup()
            guard let data = FileManager.default.contents(atPath: "\(folder.path)/picture.png") else {
                throw ClientError.failed("\(program) did not make \(png), and ended \(end.explanation)")
            }
            try data.write(to: URL(fileURLWithPath: png), options: .atomic)
        } catch let error as ClientError {
            throw error
        } catch {
            throw .failed("\(png) cannot be written: \(SystemError.text(of: error))")
        }
    }
}
