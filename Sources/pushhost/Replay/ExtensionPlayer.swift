internal import ArgumentParser
internal import Foundation
internal import JSON
internal import Recording

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
        Terminal.writeToError("\(Self.errorPrefix)\(text)\n")
    }
}
