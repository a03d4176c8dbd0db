internal import ArgumentParser
internal import Foundation
internal import JSON

/// Speaks for an extension, as it spoke when it was recorded; the host of a replay starts it in the extension's place.
struct StandInCommand: ParsableCommand {
    static let name = "recorded-extension"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Says what a recording has of an extension.",
        shouldDisplay: false
    )

    @Argument(help: "The recording.")
    var recording: String

    @Argument(help: "The bundle identifier of the extension.")
    var identifier: String

    @Argument(help: "A file that grows by a byte with each start.")
    var starts: String

    func run() throws {
        let session = try RecordedSession(path: recording)
        let number = try countStart()
        let runs = RecordedRun.runs(of: identifier, in: session)
        guard number <= runs.count else {
            complain("the host starts it \(number) times, and \(runs.count) times in the recording")
            throw ExitCode(EX_PROTOCOL)
        }
        try perform(runs[number - 1])
    }

    /// Counts this start of the extension: the first has the number 1.
    private func countStart() throws -> Int {
        let descriptor = open(starts, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard write(descriptor, ".", 1) == 1 else { throw ExitCode(EX_IOERR) }
        return Int(lseek(descriptor, 0, SEEK_CUR))
    }

    private func perform(_ run: RecordedRun) throws {
        for event in run.events {
            switch event {
            case .heard(let line): try hear(line)
            case .said(let line):
                let end = line.isPartial ? [] : [UInt8(ascii: "\n")]
                try FileHandle.standardOutput.write(contentsOf: Data(line.bytes + end))
            case .complained(let line): complain(String(decoding: line.bytes, as: UTF8.self))
            case .ended(let code):
                if let code { throw ExitCode(code) }
                // A signal ended it, so somebody will send one; until then it is there.
                while true { pause() }
            }
        }
        // What the host says past the recording's end nobody hears.
        while readLine(strippingNewline: true) != nil {}
    }

    /// Waits for what the host said then: what it says now must be the same call.
    private func hear(_ recorded: WireLine) throws {
        guard let text = readLine(strippingNewline: true) else { throw ExitCode.success }
        let expected = recorded.json?["method"]?.string
        let method = (try? JSON(parsing: text))?["method"]?.string
        guard method == expected else {
            let name = { (method: String?) in method.map { "the call \($0)" } ?? "an answer" }
            complain("the host sends \(name(method)) where \(name(expected)) is recorded (line \(recorded.number))")
            throw ExitCode(EX_PROTOCOL)
        }
    }

    private func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
