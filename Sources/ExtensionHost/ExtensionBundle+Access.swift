internal import Foundation
internal import Platform

extension ExtensionBundle {
    /// The first file or folder of the bundle that any user may write, which would let that user run programs as this one.
    public var writableByAnybody: BundleProblem? {
        // Entitlements that cannot be listed are not read either, which is a problem of the bundle already.
        let files = ["Info.plist", executable] + ((try? Self.entitlements(in: path)) ?? [])
        let paths = [path] + files.map { "\(path)/\($0)" } + folderOfLinkedExecutable
        return paths.lazy.compactMap { BundleProblem(ifWritableByAnybody: $0) }.first
    }

    /// The folder of the executable if that is a link out of the bundle: who may write there may replace the executable.
    private var folderOfLinkedExecutable: [String] {
        guard let real = Paths.resolved("\(path)/\(executable)"), !Paths.lies(real, in: path) else { return [] }
        return [Paths.parent(of: real)]
    }
}

extension BundleProblem {
    /// The problem of a file or a folder that any user may write.
    ///
    /// Write access of the group is no problem: many systems give each user an own group and files its write permission.
    init?(ifWritableByAnybody path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IWOTH != 0 else { return nil }
        self.init(
            path: path,
            message: "any user may write into it, and run programs as you with it; chmod o-w it, or allow it with "
                + "--allow-writable-plugins"
        )
    }
}
