import Foundation
import TestSupport

/// The files of the repository as git knows them.
enum Repository {
    /// The paths, from the root, of all files in the folders, or anywhere, that are tracked or could be; sorted.
    static func files(under folders: [String] = []) throws -> [String] {
        let list = ["-C", repositoryRoot, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
        let git = try ChildProcess("git", list + folders)
        git.closeInput()
        let text = try git.readToEnd()
        guard try git.wait() == .code(0) else { throw TestFailure("git ls-files failed: \(git.standardError)") }
        // A file that was deleted but not yet committed is still listed.
        return text.split(separator: "\0").map(String.init).filter {
            FileManager.default.fileExists(atPath: "\(repositoryRoot)/\($0)")
        }.sorted()
    }

    /// The text of the file at a path from the root; bytes that are no UTF-8 are replaced.
    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(repositoryRoot)/\(path)")), as: UTF8.self)
    }
}
