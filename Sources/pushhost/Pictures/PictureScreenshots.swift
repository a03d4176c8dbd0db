internal import HostClient
internal import JSON
internal import Platform

/// Makes PNG files of pictures with the Chromium that is installed, in one process, several pictures at once.
final class PictureScreenshots {
    private static let programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    /// So many pictures are loaded at once: a browser uses further processors for each of them anyway.
    private static let pages = 4
    /// How long the browser may take for its next step, in milliseconds.
    private static let patience: Int64 = 60_000

    /// A picture to be made, and a page that loads it.
    private struct Job {
        let svg: String
        let png: String
    }

    /// The path of the browser.
    private let program: String
    private let folder: TemporaryFolder
    private let connection: LineConnection
    private var lastID: Int64 = 0
    /// The pictures that wait, the next one last.
    private var waiting: [Job] = []
    /// The pictures that pages are loading, by the session of the page.
    private var loading: [String: Job] = [:]
    /// The pictures that are made, by the number of the call.
    private var capturing: [Int64: (session: String, job: Job)] = [:]

    /// The path of the browser in `PATH`; nil without one.
    static var installed: String? {
        let folders = CommandContext.current.environment["PATH"]?.split(separator: ":") ?? []
        return programs.flatMap { name in folders.map { "\($0)/\(name)" } }.first { access($0, X_OK) == 0 }
    }

    /// Starts a browser.
    init(_ program: String, _ signals: SignalSource) throws(ClientError) {
        self.program = program
        folder = try TemporaryFolder.create(prefix: "pushhost-pictures")
        var arguments = [
            "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
            "--user-data-dir=\(folder.path)/profile",
        ]
        // The browser's sandbox refuses to start for root. It shows only pictures, which have no scripts.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        // The browser reads commands from descriptor 3, and answers on 4.
        let shell = ["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null", program] + arguments
        // Relative, because Chromium makes a socket there, whose path may not have more than about 100 characters.
        let own = ["HOME": folder.path, "TMPDIR": "."]
        let environment = CommandContext.current.environment.merging(own) { $1 }
        let launch = Program(path: "/bin/sh", arguments: shell, environment: environment, directory: folder.path)
        do throws(ClientError) {
            connection = try LineConnection(launch, signals: signals, readsErrors: false, delimiter: 0)
        } catch {
            folder.remove()
            throw error
        }
    }

    deinit {
        connection.program.killGroup()
        _ = try? connection.waitForEnd(until: Clock.monotonic() + Self.patience)
        folder.remove()
    }

    /// Writes pictures as PNG, at twice their size.
    ///
    /// - Throws: That the browser made one of them not.
    func write(_ pictures: [(svg: String, png: String)]) throws(ClientError) {
        waiting = pictures.reversed().map(Job.init)
        for _ in 0..<min(Self.pages, pictures.count) {
            let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? .null
            let session = try call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
            guard let session = session?.string else { throw failure("has no page") }
            _ = try call("Page.enable", session: session)
            try loadNext(session)
        }
        while !loading.isEmpty || !capturing.isEmpty { try handle(try message()) }
    }

    /// Loads the next picture into a page.
    private func loadNext(_ session: String) throws(ClientError) {
        guard let job = waiting.popLast() else { return }
        let size = job.svg.firstMatch(of: /width="(?<width>\d+)" height="(?<height>\d+)"/)
        guard let size, let width = Int64(size.output.width), let height = Int64(size.output.height) else {
            throw .failed("\(job.png): the picture has no size")
        }
        // A name of its own, because a comma or a per cent sign in a path is read in another way.
        let file = URL(fileURLWithPath: "\(folder.path)/\(session).svg")
        do {
            try Data(job.svg.utf8).write(to: file)
        } catch {
            throw .failed("\(file.path) cannot be written: \(SystemError.text(of: error))")
        }
        let metrics: JSON = [
            "width": .integer(width), "height": .integer(height), "deviceScaleFactor": 2, "mobile": false,
        ]
        send("Emulation.setDeviceMetricsOverride", metrics, session: session)
        send("Page.navigate", ["url": .string(file.absoluteString)], session: session)
        loading[session] = job
    }

    private func handle(_ message: JSON) throws(ClientError) {
        if message["method"] == "Page.loadEventFired", let session = message["sessionId"]?.string,
            let job = loading.removeValue(forKey: session)
        {
            capturing[send("Page.captureScreenshot", ["format": "png"], session: session)] = (session, job)
        } else if let id = message["id"]?.integer, let (session, job) = capturing.removeValue(forKey: id) {
            guard let text = message["result"]?["data"]?.string, let data = Data(base64Encoded: text) else {
                throw failure("did not make \(job.png)")
            }
            do {
                try data.write(to: URL(fileURLWithPath: job.png), options: .atomic)
            } catch {
                throw .failed("\(job.png) cannot be written: \(SystemError.text(of: error))")
            }
            try loadNext(session)
        }
    }

    // MARK: Messages

    /// Calls a method of the Chrome DevTools Protocol, and waits for the result.
    private func call(_ method: String, _ params: JSON = [:], session: String? = nil) throws(ClientError) -> JSON {
        let id = send(method, params, session: session)
        while true {
            let message = try message()
            if message["id"]?.integer == id { return message["result"] ?? .null }
            try handle(message)
        }
    }

    @discardableResult
    private func send(_ method: String, _ params: JSON, session: String?) -> Int64 {
        lastID += 1
        let message = JSON(present: [
            "id": .integer(lastID), "method": .string(method), "params": params, "sessionId": session.map(JSON.string),
        ])
        connection.write(Array(message.description.utf8) + [0])
        return lastID
    }

    private func message() throws(ClientError) -> JSON {
        let line = try connection.nextLine(until: Clock.monotonic() + Self.patience)
        guard let line, let message = try? JSON(parsing: line) else { throw failure("ended, or does not answer") }
        return message
    }

    private func failure(_ text: String) -> ClientError {
        .failed("\(program) \(text); see whether it starts, or leave out --png")
    }
}
