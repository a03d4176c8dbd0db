internal import ExtensionHost
internal import Platform

/// Finds what a copy of a bundle would lack: links that leave it, and files that cannot be read.
struct LinkValidator {
    private let bundle: ExtensionBundle
    /// The folder that holds the bundle; bundles beside each other may share a file, such as that of a kit.
    private let parent: String

    /// The validator of a bundle.
    init(_ bundle: ExtensionBundle) {
        self.bundle = bundle
        parent = Paths.parent(of: bundle.path)
    }

    /// Adds a warning for each file that would be missing.
    ///
    /// What a bundle does not need to run is not looked at: hidden files, sources in Swift, Python's caches.
    func validate(_ report: CheckReport) { validate(bundle.path, as: "", above: [], report) }

    private func validate(_ folder: String, as name: String, above: [String], _ report: CheckReport) {
        let entries: [String]
        do throws(SystemError) { entries = try Folders.names(in: folder) } catch {
            return warn(name, "it cannot be read: \(error)", report)
        }
        for entry in entries where !entry.hasPrefix(".") && entry != "__pycache__" && !entry.hasSuffix(".swift") {
            validate(entry, in: folder, as: name.isEmpty ? entry : "\(name)/\(entry)", above: above + [folder], report)
        }
    }

    private func validate(
        _ entry: String,
        in folder: String,
        as name: String,
        above: [String],
        _ report: CheckReport
    ) {
        let source = Paths.resolved("\(folder)/\(entry)")
        // The executable may be a link to anywhere, also to what is not built yet.
        if name == bundle.executable, source.map({ !Paths.lies($0, in: bundle.path) }) ?? true { return }
        var status = stat()
        guard let source, stat(source, &status) == 0 else {
            let error = SystemError.last
            let isMissing = error.number == ENOENT
            return warn(name, isMissing ? "it is a link to nothing" : "it cannot be read: \(error)", report)
        }
        let isWithin = Paths.lies(source, in: bundle.path)
        switch FileStamp(status).kind {
        case .folder where above.contains(source): warn(name, "it is a link to a folder that it is in", report)
        case .folder where isWithin: validate(source, as: name, above: above, report)
        case .file where isWithin || Paths.lies(source, in: parent):
            if access(source, R_OK) != 0 { warn(name, "it cannot be read: \(SystemError.last)", report) }
        case .folder, .file:
            let advice = "a copy of the bundle elsewhere lacks it; put a copy of it into the bundle"
            warn(name, "it is a link that leaves the bundle, to \(source): \(advice)", report)
        case .other: warn(name, "it is not a regular file", report)
        }
    }

    private func warn(_ name: String, _ message: String, _ report: CheckReport) {
        report.addFinding(.warning, name.isEmpty ? bundle.path : name, message)
    }
}
