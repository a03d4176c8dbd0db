internal import ArgumentParser
internal import Contract
internal import Foundation
internal import HostClient
internal import JSON
internal import Recording

/// Bundles that play the recorded extensions of a session, so that it runs without the real ones.
struct RecordedExtensions {
    private let session: RecordedSession
    private let root: String
    private let program: String

    /// Finds the recorded extensions of a session, for a run in the folder `root`.
    init(_ session: RecordedSession, root: String, _ folders: StandardFolders) throws(ClientError) {
        guard session.hasExtensions else {
            throw .failed("its extensions are not recorded: it has only requests and replies")
        }
        guard let program = realpath(folders.program, nil) else {
            throw .failed("the file of this program no longer exists")
        }
        defer { free(program) }
        self.program = String(cString: program)
        self.session = session
        self.root = root
    }

    /// Writes the bundles, as they were when the host first read them.
    ///
    /// - Returns: The folders that hold them, one for each bundle, because two bundles may have folders of the same name.
    /// - Throws: Why they cannot be written.
    func write() throws -> [String] {
        var known: Set<String> = []
        let bundles = session.bundles.filter { known.insert($0.identifier).inserted }
        let folders = bundles.indices.map { "\(root)/plugins/\($0)" }
        for (bundle, folder) in zip(bundles, folders) {
            let isStarted = session.lines.contains { $0.peer == bundle.identifier }
            try bundle.write(into: folder, program: isStarted ? program(for: bundle, events: "\(folder)-events") : nil)
        }
        // A host without bundles needs an empty folder, or it would use the standard ones.
        try FileManager.default.createDirectory(atPath: "\(root)/plugins", withIntermediateDirectories: true)
        return folders.isEmpty ? ["\(root)/plugins"] : folders
    }

    /// The script that a bundle's executable consists of; the events of each process are in a file named by its number.
    private func program(for bundle: RecordedBundle, events folder: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let runs = RecordedRun.runs(of: bundle.identifier, in: session)
        for (index, run) in runs.enumerated() { try RecordedEvents.write(run, to: "\(folder)/\(index + 1)") }
        let words = [program, ExtensionPlayerCommand.name, folder, String(runs.count), bundle.identifier]
        return "#!/bin/sh\nexec \(words.map(\.quotedForShell).joined(separator: " "))\n"
    }
}

/// The events of one recorded process, read one at a time from a file of their own.
///
/// ``ExtensionPlayer`` must begin to answer at once, however long the recording is.
private final class RecordedEvents {
    private let file: UnsafeMutablePointer<FILE>
    private let identifier: String
    private var line: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    /// The events in a file that ``write(_:to:)`` made; nil if there is no such file.
    init?(path: String, identifier: String) {
        guard let file = fopen(path, "re") else { return nil }
        self.file = file
        self.identifier = identifier
    }

    deinit {
        fclose(file)
        free(line)
    }

    /// Writes the events of a process to a file.
    static func write(_ run: RecordedRun, to path: String) throws {
        var text: [UInt8] = []
        for event in run.events { text += json(event).bytes + [UInt8(ascii: "\n")] }
        try Data(text).write(to: URL(fileURLWithPath: path))
    }

    private static func json(_ event: RecordedRun.Event) -> JSON {
        func json(_ name: String, _ line: WireLine) -> JSON {
            [
                .string(name), JSON(line.number), .bool(line.isPartial),
                .string(Data(line.bytes).base64EncodedString()),
            ]
        }
        return switch event {
        case .received(let line): json("received", line)
        case .wroteOutput(let line): json("wroteOutput", line)
        case .wroteError(let line): json("wroteError", line)
        case .closedOutput: ["closedOutput"]
        case .exited(let code): ["exited", JSON(Int(code))]
        case .killed(let signal): ["killed", JSON(Int(signal))]
        case .stopped: ["stopped"]
        }
    }

    /// The next event; nil after the last one.
    func next() -> RecordedRun.Event? {
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else { return nil }
        guard let json = try? JSON(parsing: UnsafeRawBufferPointer(start: line, count: count)) else { return nil }
        let number = json[1]?.integer.map { Int32(truncatingIfNeeded: $0) } ?? 0
        return switch json[0]?.string {
        case "received": .received(wireLine(json, from: Participant.host, to: identifier))
        case "wroteOutput": .wroteOutput(wireLine(json, from: identifier, to: Participant.host))
        case "wroteError": .wroteError(wireLine(json, from: identifier, to: Participant.standardError))
        case "closedOutput": .closedOutput
        case "exited": .exited(number)
        case "killed": .killed(number)
        default: .stopped
        }
    }

    private func wireLine(_ json: JSON, from: String, to: String) -> WireLine {
        WireLine(
            number: Int(json[1]?.integer ?? 0),
            from: from,
            to: to,
            bytes: json[3]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? [],
            isPartial: json[2]?.bool == true
        )
    }
}

/// Plays the recorded processes of an extension: writes each recorded line after the host has sent what preceded it.
struct ExtensionPlayer {
    /// The beginning of a line on stderr that reports an unexpected message of the host; the replay's report shows it.
    static let errorPrefix = "pushhost replay: "

    private let identifier: String
    private let folder: String
    private let processes: Int
    /// The remaining events of the current process.
    private var events: RecordedEvents?
    /// The number of the current process, from 1.
    private var count = 0
    /// The ids of the host's calls in this run, by their ids in the recording.
    private var ids: [String: JSON] = [:]

    /// - Parameters:
    ///   - identifier: The bundle identifier of the extension.
    ///   - folder: Holds a file with the events of each recorded process, and a file that grows by a byte with each
    ///     process of this run.
    ///   - processes: The number of recorded processes.
    init(_ identifier: String, events folder: String, processes: Int) {
        self.identifier = identifier
        self.folder = folder
        self.processes = processes
    }

    /// Plays the events until the recorded process ends.
    mutating func run() throws {
        try beginProcess()
        while let event = events?.next() {
            switch event {
            case .received(let line): try awaitMessage(line)
            case .wroteOutput(let line): try write(line, translated(line), to: .standardOutput)
            case .wroteError(let line): try write(line, line.bytes, to: .standardError)
            default: try performEnd(event)
            }
        }
        // The recording is cut off here, so a further call of the host can never be answered.
        while let message = readMessage() {
            if message["method"] != nil, message["id"] != nil { try fail(message, "the recording ends") }
        }
    }

    /// Counts the process and opens its events.
    private mutating func beginProcess() throws {
        let descriptor = open("\(folder)/starts", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard Foundation.write(descriptor, ".", 1) == 1 else { throw ExitCode(EX_IOERR) }
        count = Int(lseek(descriptor, 0, SEEK_CUR))
        guard count <= processes else {
            reportError("the host started it \(count) times, but \(processes) times in the recording")
            throw ExitCode(EX_PROTOCOL)
        }
        events = RecordedEvents(path: "\(folder)/\(count)", identifier: identifier)
    }

    // MARK: The host

    private func readMessage() -> JSON? {
        guard let text = readLine(strippingNewline: true) else { return nil }
        return (try? JSON(parsing: text)) ?? .null
    }

    /// Waits for the host's message, which must be the recorded call or an answer if that is recorded.
    private mutating func awaitMessage(_ recorded: WireLine) throws {
        guard let message = readMessage() else { throw ExitCode.success }
        try match(recorded, message)
    }

    private mutating func match(_ recorded: WireLine, _ message: JSON) throws {
        let expected = recorded.json
        if message["method"] != expected?["method"] {
            guard expected?["method"] == "deactivate", count < processes else {
                try fail(message, "\(Self.name(expected)) is recorded (line \(recorded.number))")
            }
            return try resume(message)
        }
        if let id = expected?["id"], expected?["method"] != nil { ids[id.description] = message["id"] }
    }

    /// Continues as the next recorded process: the host stopped the recorded one because it was idle, but a replay has no
    /// pauses in which this one could be idle.
    private mutating func resume(_ message: JSON) throws {
        try beginProcess()
        var activation: JSON?
        while let event = events?.next() {
            switch event {
            case .received(let line) where activation == nil: activation = line.json?["id"]
            case .received(let line): return try match(line, message)
            case .wroteOutput(let line) where line.json?["id"] == activation && line.json?["method"] == nil: break
            case .wroteOutput(let line): try write(line, line.bytes, to: .standardOutput)
            case .wroteError(let line): try write(line, line.bytes, to: .standardError)
            default: try performEnd(event)
            }
        }
        try fail(message, "the recording ends")
    }

    // MARK: The extension

    /// The bytes of a recorded line; an answer gets the id that the call has in this run.
    private func translated(_ line: WireLine) -> [UInt8] {
        guard let object = line.json?.object, object["method"] == nil, let recorded = object["id"],
            let current = ids[recorded.description], current != recorded
        else { return line.bytes }
        return JSON.object(object.setting("id", to: current)).bytes
    }

    private func write(_ line: WireLine, _ bytes: [UInt8], to file: FileHandle) throws {
        try file.write(contentsOf: Data(bytes + (line.isPartial ? [] : [UInt8(ascii: "\n")])))
    }

    /// Ends this process, or only its stdout, as the recorded one did.
    private func performEnd(_ event: RecordedRun.Event) throws {
        switch event {
        case .received, .wroteOutput, .wroteError: break
        case .closedOutput: close(STDOUT_FILENO)
        case .exited(let code): throw ExitCode(code)
        case .killed(let number):
            signal(number, SIG_DFL)
            kill(getpid(), number)
        // The host sends its signal in this run too.
        case .stopped: while true { pause() }
        }
    }

    // MARK: Errors

    private func fail(_ message: JSON, _ recorded: String) throws -> Never {
        reportError("the host sends \(Self.name(message)) where \(recorded)")
        throw ExitCode(EX_PROTOCOL)
    }

    private static func name(_ message: JSON?) -> String {
        message?["method"]?.string.map { "the call \($0)" } ?? "an answer"
    }

    private func reportError(_ text: String) {
        Console.writeToError("\(Self.errorPrefix)\(text)\n")
    }
}

/// Plays a recorded extension; the host of a replay starts it in place of the extension.
struct ExtensionPlayerCommand: ParsableCommand {
    static let name = "recorded-extension"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Write the recorded output of an extension.",
        shouldDisplay: false
    )

    @Argument(help: "A folder with the events of the extension's processes.")
    var events: String

    @Argument(help: "The number of the extension's processes in the recording.")
    var processes: Int

    @Argument(help: "The bundle identifier of the extension.")
    var identifier: String

    func run() throws {
        var player = ExtensionPlayer(identifier, events: events, processes: processes)
        try player.run()
    }
}
