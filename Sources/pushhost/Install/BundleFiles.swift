internal import ExtensionHost
internal import Platform

/// The files of a bundle that `pushhost install` copies, and why some of them cannot be copied.
///
/// An installation may be for all users of the machine, so it must not show them what they cannot read where it is: links
/// are followed only within the bundle and to files in the folder that holds it, and a copy keeps stricter permissions.
struct BundleFiles {
    struct File {
        /// The path in the bundle.
        let name: String
        /// The file to copy, links resolved.
        let source: String
        /// The permissions of the copy.
        let mode: UInt32
    }

    struct Problem {
        /// The path in the bundle; empty for the bundle itself.
        let name: String
        /// What is wrong and what to do.
        let message: String
    }

    /// The files, without those that a bundle does not need to run: hidden ones, sources in Swift, Python's caches.
    private(set) var files: [File] = []
    private(set) var problems: [Problem] = []
    private let bundle: ExtensionBundle
    /// The folder that holds the bundle, such as a folder of bundles that share the file of a kit.
    private let parent: String

    init(of bundle: ExtensionBundle) {
        self.bundle = bundle
        parent = Paths.parent(of: bundle.path)
        add(bundle.path, as: "", above: [])
    }

    private mutating func add(_ folder: String, as name: String, above: [String]) {
        let entries: [String]
        do throws(SystemError) { entries = try Folders.names(in: folder) } catch {
            return refuse(name, "it cannot be read: \(error)")
        }
        for entry in entries where !entry.hasPrefix(".") && entry != "__pycache__" && !entry.hasSuffix(".swift") {
            add(entry, in: folder, as: name.isEmpty ? entry : "\(name)/\(entry)", above: above + [folder])
        }
    }

    private mutating func add(_ entry: String, in folder: String, as name: String, above: [String]) {
        let source = Paths.resolved("\(folder)/\(entry)")
        // The executable may be a link to anywhere, also to what is not built yet.
        if name == bundle.executable, source.map({ !Paths.lies($0, in: bundle.path) }) ?? true { return }
        var status = stat()
        guard let source, stat(source, &status) == 0 else {
            let error = SystemError.last
            return refuse(name, error.number == ENOENT ? "it is a link to nothing" : "it cannot be read: \(error)")
        }
        let isWithin = Paths.lies(source, in: bundle.path)
        switch FileStamp(status).kind {
        case .folder where above.contains(source): refuse(name, "it is a link to a folder that it is in")
        case .folder where isWithin: add(source, as: name, above: above)
        case .file where isWithin || Paths.lies(source, in: parent):
            guard access(source, R_OK) == 0 else { return refuse(name, "it cannot be read: \(SystemError.last)") }
            files.append(File(name: name, source: source, mode: permissions(of: source, status)))
        case .folder, .file:
            refuse(name, "it is a link that leaves the bundle, to \(source); put a copy into the bundle")
        case .other: refuse(name, "it is not a regular file")
        }
    }

    private mutating func refuse(_ name: String, _ message: String) {
        problems.append(Problem(name: name, message: message))
    }

    /// The permissions of a file, without those that are of no use because of the folders that it is in.
    private func permissions(of source: String, _ status: stat) -> UInt32 {
        var mode = UInt32(status.st_mode) & 0o755
        var folder = Paths.parent(of: source)
        while folder != parent {
            var status = stat()
            guard stat(folder, &status) == 0 else { return mode & 0o700 }
            if status.st_mode & S_IXGRP == 0 { mode &= ~0o070 }
            if status.st_mode & S_IXOTH == 0 { mode &= ~0o007 }
            folder = Paths.parent(of: folder)
        }
        return mode
    }
}
