internal import Foundation

/// Where the machine has the packages that a project or another package names by their URL.
///
/// Xcode and SwiftPM keep them in a folder `checkouts` each; nothing is fetched.
struct PackageCheckouts {
    private let folders: [String]

    /// The checkouts beside projects and packages.
    ///
    /// - Parameter roots: The folders of the projects and of the packages in folders beside them.
    init(near roots: [String]) {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let derived = roots.map { "\($0)/DerivedData" } + ["\(home)/Library/Developer/Xcode/DerivedData"]
        let builds = derived.flatMap { folder in FolderFiles.folders(in: folder).map { "\(folder)/\($0)" } }
        let packages = (roots + roots.map { "\($0)/build" } + derived + builds).map { "\($0)/SourcePackages" }
        folders = (packages + roots.map { "\($0)/.build" }).map { "\($0)/checkouts" }.filter(FolderFiles.isFolder)
    }

    /// The folder of a package.
    ///
    /// - Parameter url: Its URL; the last part is the name of the folder, without the ending `.git`.
    /// - Returns: nil if the machine does not have it.
    func folder(of url: String) -> String? {
        let last = url.split(separator: "/").last.map(String.init) ?? url
        let name = (last.hasSuffix(".git") ? String(last.dropLast(4)) : last).lowercased()
        return folders.lazy.compactMap { folder in
            FolderFiles.folders(in: folder).first { $0.lowercased() == name }.map { "\(folder)/\($0)" }
        }.first
    }
}
