internal import ArgumentParser
internal import Foundation
internal import JSON
internal import Recording

/// Writes what the processes of an extension wrote, as soon as the host has sent what they had read before.
struct ExtensionPlayer {
    /// How a line begins that reports a difference in what the host sends; the report of the replay shows these.
    static let mark = "pushhost replay: "

    private let identifier: String
    private let folder: String
    private let processes: Int
    /// What is still to come of the process that it is.
    private var events: RecordedEvents?
    /// How many processes there were, this one included.
    private var count = 0
    /// The ids of the host's calls now, by those in the recording.
    private var ids: [String: JSON] = [:]

    /// A process of an extension.
    ///
    /// - Parameters:
    ///   - identifier: The extension.
    ///   - folder: Holds the events of each of its processes in the recording, and a file that grows by a byte with
    ///     each of them now.
    ///   - processes: How many there are in the recording.
    init(_ identifier: String, events folder: String, processes: Int) {
        self.identifier = identifier
        self.folder = folder
        self.processes = processes
    }

    /// Speaks until the process of the recording ended.
    mutating func run() throws {
        try begin()
        while let event = events?.next() {
            switch event {
            case .heard(let line): try hear(line)
            case .said(let line): try write(line, translated(line), to: .standardOutput)
            case .complained(let line): try write(line, line.bytes, to: .standardError)
            default: try end(event)
            }
        }
        // The recording was cut here. The host's calls would be waited for in vain.
        while let message = next() {
            if message["method"] != nil, message["id"] != nil { try fail(message, "the recording ends") }
        }
    }

    /// Becomes the next process: the first has the number 1.
    private mutating func begin() throws {
        let descriptor = open("\(folder)/starts", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard Foundation.write(descriptor, ".", 1) == 1 else { throw ExitCode(EX_IOERR) }
        count = Int(lseek(descriptor, 0, SEEK_CUR))
        guard count <= processes else {
            complain("the host starts it \(count) times, and \(processes) times in the recording")
            throw ExitCode(EX_PROTOCOL)
        }
        events = RecordedEvents(path: "\(folder)/\(count)", identifier: identifier)
    }

    // MARK: The host

    private func next() -> JSON? {
        guard let text = readLine(strippingNewline: true) else { return nil }
        return (try? JSON(parsing: text)) ?? .null
    }

    /// Waits for what the host said then: what it says now must be the same call.
    private mutating func hear(_ recorded: WireLine) throws {
        guard let message = next() else { throw ExitCode.success }
        try match(recorded, message)
    }

    private mutating func match(_ recorded: WireLine, _ message: JSON) throws {
        let then = recorded.json
        if message["method"] != then?["method"] {
            guard then?["method"] == "deactivate", count < processes else {
                try fail(message, "\(Self.name(then)) is recorded (line \(recorded.number))")
            }
            return try resume(message)
        }
        if let id = then?["id"], then?["method"] != nil { ids[id.description] = message["id"] }
    }

    /// Continues as the next process: the recorded one was stopped when it was idle, and a replay has no pauses.
    private mutating func resume(_ message: JSON) throws {
        try begin()
        var activation: JSON?
        while let event = events?.next() {
            switch event {
            case .heard(let line) where activation == nil: activation = line.json?["id"]
            case .heard(let line): return try match(line, message)
            case .said(let line) where line.json?["id"] == activation && line.json?["method"] == nil: break
            case .said(let line): try write(line, line.bytes, to: .standardOutput)
            case .complained(let line): try write(line, line.bytes, to: .standardError)
            default: try end(event)
            }
        }
        try fail(message, "the recording ends")
    }

    // MARK: The extension

    /// A line of then, an answer under the id that the call has now.
    private func translated(_ line: WireLine) -> [UInt8] {
        guard let object = line.json?.object, object["method"] == nil, let then = object["id"],
            let now = ids[then.description], now != then
        else { return line.bytes }
        return JSON.object(object.setting("id", to: now)).bytes
    }

    private func write(_ line: WireLine, _ bytes: [UInt8], to file: FileHandle) throws {
        try file.write(contentsOf: Data(bytes + (line.isPartial ? [] : [UInt8(ascii: "\n")])))
    }

    /// Ends, or only its stdout, as it did then.
    private func end(_ event: RecordedRun.Event) throws {
        switch event {
        case .heard, .said, .complained: break
        case .closed: close(STDOUT_FILENO)
        case .exited(let code): throw ExitCode(code)
        case .killed(let number):
            signal(number, SIG_DFL)
            kill(getpid(), number)
        // The host's signal comes again too.
        case .stopped: while true { pause() }
        }
    }

    // MARK: What is otherwise

    private func fail(_ message: JSON, _ recorded: String) throws -> Never {
        complain("the host sends \(Self.name(message)) where \(recorded)")
        throw ExitCode(EX_PROTOCOL)
    }

    private static func name(_ message: JSON?) -> String {
        message?["method"]?.string.map { "the call \($0)" } ?? "an answer"
    }

    private func complain(_ text: String) { FileHandle.standardError.write(Data("\(Self.mark)\(text)\n".utf8)) }
}
