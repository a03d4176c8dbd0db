internal import ArgumentParser
internal import CSystem
internal import Foundation
internal import HostClient
internal import Platform

/// A command that is a client of a host, which it starts as a child process.
protocol ClientCommand: ParsableCommand {
    /// Does the work of the command.
    ///
    /// - Parameter signals: The signals to this process, which interrupt waiting.
    /// - Returns: The exit code.
    /// - Throws: Why the work could not be done.
    func run(_ signals: SignalSource) throws(ClientError) -> Int32

    /// The exit code if the host cannot be used.
    static var failureCode: Int32 { get }
}

extension ClientCommand {
    static var failureCode: Int32 { EX_SOFTWARE }

    func run() throws {
        // The environment may hold secrets that only one extension may see.
        csystem_hide_memory()
        // Before a folder or a host exists that a signal would leave behind.
        let signals = SignalSource()
        var code: Int32
        do throws(ClientError) {
            code = try run(signals)
        } catch {
            switch error {
            case .interrupted(let signal): code = 128 + signal
            case .failed: code = Self.failureCode
            case .refused: code = 1
            }
            if code <= 128 {
                Terminal.writeError(error.text)
            }
        }
        guard code == 0 else { throw ExitCode(code) }
    }
}
