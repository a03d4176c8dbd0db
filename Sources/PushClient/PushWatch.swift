package import HostClient
internal import JSON
internal import Platform

/// Notices that a payload or a bundle was saved.
package final class PushWatch {
    /// A bundle of more folders is watched in part.
    private static let folderLimit = 512

    private let watch = FileWatch()
    private var files: [String]
    private var stamps: [FileStamp?]
    /// When to look without being told, on the monotonic clock; never if the descriptor tells.
    package private(set) var deadline: Int64
    /// The paths of all bundles that were ever there.
    private var bundles: Set<String> = []
    /// What was wrong with bundles at the last look; nil before.
    private var problems: JSON?

    /// Watches files and the bundles of a session's host.
    ///
    /// - Parameters:
    ///   - files: The absolute paths of the files.
    ///   - session: The session.
    ///   - folders: Further folders: those of the executables of this package's own bundles.
    /// - Throws: Why the host cannot be used.
    package init(_ files: [String], _ session: PushSession, folders: [String]) throws(ClientError) {
        self.files = files
        stamps = files.map { FileStamp(of: $0) }
        deadline = .max
        for file in files { watch.add(folder: URL(filePath: file).deletingLastPathComponent().path) }
        for folder in folders { watch.add(folder: folder) }
        try addBundles(session)
        setDeadline()
    }

    /// Watches a further file.
    package func add(file: String) {
        guard !files.contains(file) else { return }
        files.append(file)
        stamps.append(FileStamp(of: file))
        watch.add(folder: Paths.parent(of: file))
    }

    /// Watches every bundle, where a damaged one is, and the folders in which bundles may be removed and made again.
    private func addBundles(_ session: PushSession) throws(ClientError) {
        let found = try session.host.result("extensions")
        if problems == nil { problems = found["problems"] }
        let paths = { (name: String) in found[name]?.array?.compactMap { $0["path"]?.string } ?? [] }
        for path in paths("problems") + paths("extensions") { watch.add(folder: Paths.parent(of: path)) }
        for path in paths("problems") { watch.add(folder: path) }
        bundles.formUnion(paths("extensions"))
        for path in bundles { add(bundle: path) }
    }

    private func add(bundle: String) {
        watch.add(folder: bundle)
        var count = 0
        Folders.walk(bundle) { path in
            if FileStamp(of: path)?.kind == .folder {
                watch.add(folder: path)
                count += 1
            }
            return count < Self.folderLimit
        }
    }

    /// What to wait for.
    package var descriptors: [Int32] { watch.descriptor.map { [$0] } ?? [] }

    /// Whether it is time to look.
    package func isDue(_ ready: Set<Int32>) -> Bool {
        watch.descriptor.map(ready.contains) ?? (Clock.monotonic() >= deadline)
    }

    /// Looks whether a file or a bundle changed since this was asked last; the host reads changed bundles again.
    package func hasChanged(_ session: PushSession) throws(ClientError) -> Bool {
        watch.reset()
        setDeadline()
        let now = files.map { FileStamp(of: $0) }
        defer { stamps = now }
        // A bundle that was made again is another folder. The watch tells what happens in it from now on, and the host
        // finds the rest.
        for path in bundles { add(bundle: path) }
        let result = try session.host.result("reloadExtensions")
        let hasNews = problems != nil && problems != result["problems"]
        problems = result["problems"]
        let isOther = hasNews || ["added", "changed", "removed"].contains { result[$0]?.array?.isEmpty == false }
        if isOther { try addBundles(session) }
        return isOther || now != stamps
    }

    private func setDeadline() { deadline = watch.interval.map { Clock.monotonic() + $0 } ?? .max }
}
