import Foundation

/// Creates an executable file from a text.
///
/// A child process writes it. If this process did, a child that another test
/// starts meanwhile could hold the file open for writing, and the system refuses
/// to execute a file that is open for writing.
public func writeExecutable(_ text: String, to path: String) throws {
    let child = try ChildProcess("/bin/sh", ["-c", #"cat > "$0" && chmod 755 "$0""#, path])
    try child.write(text.utf8)
    child.closeInput()
    guard try child.wait() == .code(0) else { throw TestFailure("cannot write \(path): \(child.standardError)") }
}

/// Copies an executable file; a child process does it, for the reason that ``writeExecutable(_:to:)`` gives.
public func copyExecutable(_ source: String, to path: String) throws {
    let child = try ChildProcess("/bin/cp", [source, path])
    guard try child.wait() == .code(0) else { throw TestFailure("cannot copy \(source): \(child.standardError)") }
}
