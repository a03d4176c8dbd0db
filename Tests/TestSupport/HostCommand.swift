/// The command that starts the built host, whose messages are recorded and compared with the contract when the test ends.
///
/// - Parameters:
///   - arguments: The command line.
///   - reason: Why this host writes no recording. Tests of behaviour that a recording would change need one, and
///     command lines that serve no client.
/// - Returns: The program's path, followed by its arguments.
/// - Throws: If the suite of the test does not have the trait `wire`.
public func hostCommand(_ arguments: [String] = [], unchecked reason: String? = nil) throws -> [String] {
    let program = try hostProgram()
    if let reason {
        guard !reason.isEmpty else { throw TestFailure("give a reason why the messages of this host are not checked") }
        return [program] + arguments
    }
    return [program] + arguments + ["--record", try wireLog().newRecordingPath()]
}

/// An executable that behaves as the built host, for programs that start hosts themselves; its messages are checked too.
public func hostExecutable() throws -> String {
    try wireLog().recordingScript(for: try hostProgram())
}

/// The command line in a shell's syntax.
public func quoted(_ command: [String]) -> String {
    command.map { "'\($0.replacing("'", with: #"'\''"#))'" }.joined(separator: " ")
}

private func wireLog() throws -> WireLog {
    guard let log = WireLog.current else {
        throw TestFailure("a suite that starts hosts needs the trait .wire, which checks their messages")
    }
    return log
}
