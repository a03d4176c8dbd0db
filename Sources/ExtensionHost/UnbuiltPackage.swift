internal import Platform

/// A SwiftPM package that has not built an executable.
struct UnbuiltPackage {
    /// What to do, as the end of a sentence.
    let advice: String

    /// Finds the package of a link; nil if it leads to no build folder of a package.
    ///
    /// - Parameters:
    ///   - link: The target of the link that leads to the executable, such as `../.build/release/coupon`.
    ///   - folder: The folder of the link.
    init?(link: String, in folder: String) {
        let base = URL(filePath: folder, directoryHint: .isDirectory)
        let path = URL(filePath: link, relativeTo: base).absoluteURL.standardized.path
        guard let root = ExtensionBundle.package(ofBuildFolder: path) else { return nil }
        self.init(root: root, isRelease: path.contains("/release/"))
    }

    /// The package that a bundle lies in; nil if it does not name the executable.
    init?(around bundle: ExtensionBundle) {
        guard let root = bundle.enclosingPackage else { return nil }
        self.init(root: root, isRelease: false, product: bundle.executable)
    }

    private init?(root: String, isRelease: Bool, product: String? = nil) {
        guard
            let bytes = try? NamedFile.contents(at: "\(root)/Package.swift", limit: 1 << 20)
        else { return nil }
        let manifest = String(decoding: bytes, as: UTF8.self)
        if let product, !manifest.contains("\"\(product)\"") { return nil }
        let build = "swift build \(isRelease ? "-c release " : "")--package-path \(root)"
        // The packages of the system that SwiftPM's manifest names for Debian and Ubuntu.
        let lists = manifest.matches(of: /\.apt\(\[([^\]]*)\]\)/).map { String($0.1) }
        let packages = lists.joined(separator: ",").matches(of: /"([^"]+)"/).map { String($0.1) }
        let needs = packages.isEmpty ? "" : "apt-get install \(packages.joined(separator: " ")) && "
        advice = "; build it: \(needs)\(build)"
    }
}

extension ExtensionBundle {
    /// The root of the SwiftPM package that the bundle lies in; `nil` if there is none.
    var enclosingPackage: String? {
        var folder = path
        while folder != "/" {
            if FileStamp(of: "\(folder)/Package.swift")?.kind == .file { return folder }
            folder = Paths.parent(of: folder)
        }
        return nil
    }

    /// The executables that the package around the bundle has built, the newest first.
    ///
    /// Whoever may write into a folder above the bundle could make a package there, so those of other users and those
    /// that any user may write do not count.
    func builtExecutables() -> [String] {
        var owner = stat()
        guard let package = enclosingPackage, stat(path, &owner) == 0 else { return [] }
        let found = ["release", "debug"].compactMap { configuration -> (path: String, time: Int64)? in
            let path = "\(package)/.build/\(configuration)/\(executable)"
            var status = stat()
            guard let real = Paths.resolved(path), stat(real, &status) == 0, FileStamp(status).kind == .file,
                [owner.st_uid, 0, geteuid()].contains(status.st_uid),
                [real, Paths.parent(of: real)].allSatisfy({ BundleProblem(ifWritableByAnybody: $0) == nil })
            else { return nil }
            return (path, FileStamp(status).modified)
        }
        return found.sorted { $0.time > $1.time }.map(\.path)
    }
}
