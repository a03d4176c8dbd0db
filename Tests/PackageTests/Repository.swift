import Foundation
import TestSupport

/// The files of the repository, as listed by git.
enum Repository {
    /// The sorted paths, relative to the root, of all tracked and unignored files in the folders, or everywhere.
    static func files(under folders: [String] = []) throws -> [String] {
        let list = ["-C", repositoryRoot, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
        let git = try ChildProcess("git", list + folders)
        git.closeInput()
        let text = try git.readToEnd()
        guard try git.wait() == .code(0) else { throw TestFailure("git ls-files failed: \(git.standardError)") }
        return text.split(separator: "\0").map(String.init).filter { name in
            let path = URL(filePath: "\(repositoryRoot)/\(name)").resolvingSymlinksInPath().path
            // A file that was deleted but not yet committed is still listed. A link may lead to what was built.
            return FileManager.default.fileExists(atPath: path)
                && !path.dropFirst(repositoryRoot.count).hasPrefix("/plugins/nats/.build/")
        }.sorted()
    }

    /// The text of the file at a path relative to the root; invalid UTF-8 is replaced.
    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(repositoryRoot)/\(path)")), as: UTF8.self)
    }
}
