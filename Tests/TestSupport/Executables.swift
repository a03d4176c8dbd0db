import Foundation

/// Makes an executable file of a text.
///
/// A child of its own writes it. Were it this process, a child that another test
/// starts meanwhile could hold the file open for writing, and the system starts
/// no file that somebody writes.
public func writeExecutable(_ text: String, to path: String) throws {
    let child = try ChildProcess("/bin/sh", ["-c", #"cat > "$0" && chmod 755 "$0""#, path])
    try child.write(text.utf8)
    child.closeInput()
    guard try child.wait() == .code(0) else { throw TestFailure("cannot write \(path): \(child.standardError)") }
}

/// Copies an executable file, for the same reason through a child.
public func copyExecutable(_ source: String, to path: String) throws {
    let child = try ChildProcess("/bin/cp", [source, path])
    guard try child.wait() == .code(0) else { throw TestFailure("cannot copy \(source): \(child.standardError)") }
}
