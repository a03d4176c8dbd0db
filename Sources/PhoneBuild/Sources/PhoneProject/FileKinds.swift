internal import Foundation

/// What a target does with a file, by the ending of its name.
enum FileKind {
    case source, objectiveC, resource, ignored

    /// The kind of a file or of a folder that is one thing to Xcode.
    init(path: String) {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "swift": self = .source
        case "m", "mm", "c", "cc", "cpp": self = .objectiveC
        case "h", "hh", "hpp", "pch", "modulemap", "entitlements", "xcconfig", "xctestplan", "docc", "xcdatamodeld",
            "xcdatamodel", "mlmodel", "metal", "intentdefinition", "appex", "framework", "xcframework", "a", "tbd",
            "xcodeproj",
            "xcworkspace":
            self = .ignored
        default: self = .resource
        }
    }

    /// Whether a folder is one thing to Xcode, such as an asset catalog.
    static func isOpaque(_ name: String) -> Bool {
        let endings: Set = [
            "appex", "appiconset", "bundle", "docc", "framework", "icon", "playground", "rtfd", "scnassets",
            "xcassets", "xcdatamodel", "xcdatamodeld", "xcframework", "xcodeproj", "xcworkspace", "xcstickers",
        ]
        return endings.contains(URL(fileURLWithPath: name).pathExtension.lowercased())
    }
}

/// Lists the files of folders.
enum FolderFiles {
    /// Folders that have the code of others or what a build made.
    private static let foreign: Set = ["build", "Carthage", "DerivedData", "node_modules", "Pods", "SourcePackages"]

    /// The files below a folder, relative to it and sorted; an asset catalog and the like counts as one file.
    ///
    /// Hidden files and links to folders are left out.
    static func files(in folder: String, skipsForeign: Bool = false) -> [String] {
        var files: [String] = []
        collect(folder, "", skipsForeign, &files)
        return files.sorted()
    }

    private static func collect(_ folder: String, _ prefix: String, _ skipsForeign: Bool, _ files: inout [String]) {
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            guard !FileKind.isOpaque(name), isFolder(path) else {
                files.append(prefix + name)
                continue
            }
            guard !(skipsForeign && foreign.contains(name)),
                (try? manager.destinationOfSymbolicLink(atPath: path)) == nil
            else { continue }
            collect(path, "\(prefix)\(name)/", skipsForeign, &files)
        }
    }

    /// The names of the folders in a folder, sorted.
    static func folders(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") && isFolder("\(folder)/\($0)") }.sorted()
    }

    /// Whether there is a folder at a path.
    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
