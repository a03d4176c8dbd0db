internal import ArgumentParser
internal import Foundation
internal import Platform

/// Why something cannot be installed or removed.
struct InstallError: Error {
    let message: String
    /// Commands to type, one per line.
    var commands: [String] = []
    /// The exit code, one of `sysexits.h`.
    let code: Int32

    init(_ message: String, commands: [String] = [], code: Int32) {
        (self.message, self.commands, self.code) = (message, commands, code)
    }

    /// A failure of the system with a file.
    init(_ action: String, _ path: String, _ reason: SystemError, code: Int32 = EX_CANTCREAT) {
        let isDenied = [EACCES, EPERM, EROFS].contains(reason.number)
        let advice = isDenied ? "; choose a folder in which you may write with --prefix, or run this as root" : ""
        self.init("cannot \(action) \(path): \(reason)\(advice)", code: code)
    }

    /// Does something, and ends the process with a message if it throws this error.
    static func report(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as InstallError {
            Terminal.writeError(error.message)
            for command in error.commands { Terminal.writeToError("  \(command)\n") }
            throw ExitCode(error.code)
        }
    }
}
