/// The command that starts the built host; its wires are recorded and compared with the contract at the test's end.
///
/// - Parameters:
///   - arguments: The command line.
///   - reason: Why this host writes no recording: for tests of what a recording would change, and for
///     command lines that serve nobody.
/// - Returns: The program's path, and what follows it.
/// - Throws: Where the suite of the test does not carry the trait `wire`.
public func hostCommand(_ arguments: [String] = [], unchecked reason: String? = nil) throws -> [String] {
    let program = try hostProgram()
    if let reason {
        guard !reason.isEmpty else { throw TestFailure("say why the wires of this host are not checked") }
        return [program] + arguments
    }
    return [program] + arguments + ["--record", try wireLog().file()]
}

/// An executable that behaves as the built host, for programs that start hosts themselves; its wires are checked too.
public func hostExecutable() throws -> String {
    try wireLog().executable(of: try hostProgram())
}

/// A command as a shell reads it.
public func quoted(_ command: [String]) -> String {
    command.map { "'\($0.replacing("'", with: #"'\''"#))'" }.joined(separator: " ")
}

private func wireLog() throws -> WireLog {
    guard let log = WireLog.current else {
        throw TestFailure("a suite that starts hosts carries the trait .wire, which checks what they say")
    }
    return log
}
