internal import ExtensionHost
internal import Platform

/// Finds what a copy of a bundle would lack: links that leave it, and files that cannot be read.
struct LinkValidator {
    private let bundle: ExtensionBundle
    /// The folder that holds the bundle; bundles beside each other may share a file, such as that of a kit.
    private let parent: String
    private(set) var findings: [BundleFinding] = []

    /// The validator of a bundle.
    init(_ bundle: ExtensionBundle) {
        self.bundle = bundle
        parent = Paths.parent(of: bundle.path)
    }

    /// Finds each file that would be missing.
    ///
    /// What a bundle does not need to run is not looked at: hidden files, sources in Swift, Python's caches.
    mutating func validate() { validate(bundle.path, as: "", above: []) }

    private mutating func validate(_ folder: String, as name: String, above: [String]) {
        let entries: [String]
        do throws(SystemError) { entries = try Folders.names(in: folder) } catch {
            return warn(name, "it cannot be read: \(error)")
        }
        for entry in entries where !entry.hasPrefix(".") && entry != "__pycache__" && !entry.hasSuffix(".swift") {
            validate(entry, in: folder, as: name.isEmpty ? entry : "\(name)/\(entry)", above: above + [folder])
        }
    }

    private mutating func validate(_ entry: String, in folder: String, as name: String, above: [String]) {
        let source = Paths.resolved("\(folder)/\(entry)")
        // The executable may be a link to anywhere, also to what is not built yet.
        if name == bundle.executable, source.map({ !Paths.lies($0, in: bundle.path) }) ?? true { return }
        var status = stat()
        guard let source, stat(source, &status) == 0 else {
            let error = SystemError.last
            let isMissing = error.number == ENOENT
            return warn(name, isMissing ? "it is a link to nothing" : "it cannot be read: \(error)")
        }
        let isWithin = Paths.lies(source, in: bundle.path)
        switch FileStamp(status).kind {
        case .folder where above.contains(source): warn(name, "it is a link to a folder that it is in")
        case .folder where isWithin: validate(source, as: name, above: above)
        case .file where isWithin || Paths.lies(source, in: parent):
            if access(source, R_OK) != 0 { warn(name, "it cannot be read: \(SystemError.last)") }
            guard !isWithin, !bundle.declaresReading(source) else { return }
            let advice = "add <string>\(name)</string> to Read in PushhostPermissions of Info.plist"
            warn(name, "it is a link out of the bundle, which the sandbox keeps from the extension: \(advice)")
        case .folder, .file:
            let advice = "a copy of the bundle elsewhere lacks it; put a copy of it into the bundle"
            warn(name, "it is a link that leaves the bundle, to \(source): \(advice)")
        case .other: warn(name, "it is not a regular file")
        }
    }

    private mutating func warn(_ name: String, _ message: String) {
        findings.append(BundleFinding(.warning, "incompleteCopy", name, message))
    }
}
