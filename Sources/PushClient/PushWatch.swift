internal import Foundation
package import HostClient
internal import JSON
internal import Platform

/// Notices that a payload or a bundle was saved.
package final class PushWatch {
    /// A bundle of more folders is watched in part.
    private static let folderLimit = 512

    private let watch = FileWatch()
    private let files: [String]
    private var stamps: [FileStamp?]
    private var nextLook: Int64

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
        nextLook = .max
        for file in files { watch.add(folder: URL(filePath: file).deletingLastPathComponent().path) }
        for folder in folders { watch.add(folder: folder) }
        let bundles = try session.host.result("extensions")["extensions"]?.array.map { Array($0) } ?? []
        for path in bundles.compactMap({ $0["path"]?.string }) { add(bundle: path) }
        setDeadline()
    }

    private func add(bundle: String) {
        watch.add(folder: bundle)
        var count = 0
        let all = FileManager.default.enumerator(atPath: bundle)
        while count < Self.folderLimit, let name = all?.nextObject() as? String {
            let last = name.split(separator: "/").last ?? ""
            if last.hasPrefix(".") || last == "__pycache__" {
                all?.skipDescendants()
            } else if FileStamp(of: "\(bundle)/\(name)")?.kind == .folder {
                watch.add(folder: "\(bundle)/\(name)")
                count += 1
            }
        }
    }

    /// What to wait for.
    package var descriptors: [Int32] { watch.descriptor.map { [$0] } ?? [] }

    /// When to look without being told, on the monotonic clock; never if the descriptor tells.
    package var deadline: Int64 { nextLook }

    /// Whether it is time to look.
    package func isDue(_ ready: Set<Int32>) -> Bool {
        watch.descriptor.map(ready.contains) ?? (Clock.monotonic() >= nextLook)
    }

    /// Looks whether a file or a bundle changed since this was asked last; the host reads changed bundles again.
    package func hasChanged(_ session: PushSession) throws(ClientError) -> Bool {
        watch.reset()
        setDeadline()
        let now = files.map { FileStamp(of: $0) }
        defer { stamps = now }
        let result = try session.host.result("reloadExtensions")
        let bundles = ["added", "changed", "removed"].contains { result[$0]?.array?.isEmpty == false }
        return bundles || now != stamps
    }

    private func setDeadline() { nextLook = watch.interval.map { Clock.monotonic() + $0 } ?? .max }
}
