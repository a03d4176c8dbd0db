internal import Foundation
package import PhoneDiagnostics

/// Finds the notification extensions behind a path that a person names.
package struct ExtensionSearch {
    /// The extensions, in the order of the projects and their targets.
    package private(set) var extensions: [NotificationExtension] = []
    /// Why other targets cannot be read, such as an absent Info.plist.
    package private(set) var failures: [Diagnostic] = []

    /// Searches a project, a workspace, or a folder with or without projects.
    ///
    /// - Parameters:
    ///   - path: An `.xcodeproj`, an `.xcworkspace` or a folder.
    ///   - configuration: The configuration to build; nil for `Debug`.
    /// - Throws: A diagnostic if there is no extension, or if a project cannot be read.
    package init(_ path: String, configuration: String? = nil) throws(Diagnostic) {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: path) else {
            throw Diagnostic(.error, path, "there is nothing: name an .xcodeproj, an .xcworkspace or a folder")
        }
        let projects = try Self.projects(at: path)
        var frameworks: [SourceModule] = []
        var origins: [String: String] = [:]
        var packages: Set<String> = []
        for project in projects {
            let reader = try ProjectReader(package: project, configuration: configuration)
            let read = reader.extensions()
            extensions += read.found
            failures += read.failures
            frameworks += reader.frameworks()
            let checkouts = PackageCheckouts(near: [path, reader.folder] + reader.packageFolders())
            frameworks += reader.packageModules(checkouts, visited: &packages)
            origins.merge(reader.origins(checkouts)) { first, _ in first }
        }
        for index in extensions.indices {
            (extensions[index].frameworks, extensions[index].origins) = (frameworks, origins)
        }
        if projects.isEmpty { extensions = try PlainFolder.extensions(in: path) }
        guard extensions.isEmpty else { return }
        throw failures.first ?? Diagnostic(.error, path, Self.absence(path, hasProjects: !projects.isEmpty))
    }

    /// Why a path has no extension.
    private static func absence(_ path: String, hasProjects: Bool) -> String {
        for (file, program) in ["project.yml": "xcodegen", "Project.swift": "tuist generate"] where !hasProjects {
            guard FileManager.default.fileExists(atPath: "\(path)/\(file)") else { continue }
            return "the folder has no .xcodeproj: make it with \(program) first, or name the extension's own folder"
        }
        let seen = hasProjects ? "no target" : "no project and no Info.plist"
        let points = InfoPlist.extensionPoints.keys.sorted().joined(separator: " or ")
        return "there is \(seen) whose NSExtensionPointIdentifier is \(points)"
    }

    /// The projects that a path stands for; none if it is a folder of sources.
    static func projects(at path: String) throws(Diagnostic) -> [String] {
        switch URL(fileURLWithPath: path).pathExtension {
        case "xcodeproj": return [path]
        case "xcworkspace": return try workspaceProjects(path)
        case "pbxproj": return [URL(fileURLWithPath: path).deletingLastPathComponent().path]
        default: break
        }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        let direct = names.filter { $0.hasSuffix(".xcodeproj") }
        if !direct.isEmpty { return direct.map { "\(path)/\($0)" } }
        // A folder with its own Info.plist of an extension is meant itself, although a project is around it.
        guard try PlainFolder.infoPlist(in: path) == nil else { return [] }
        if let workspace = names.first(where: { $0.hasSuffix(".xcworkspace") }) {
            let projects = try workspaceProjects("\(path)/\(workspace)")
            if !projects.isEmpty { return projects }
        }
        return FolderFiles.files(in: path, skipsForeign: true).filter { $0.hasSuffix(".xcodeproj") }.map {
            "\(path)/\($0)"
        }
    }

    /// The projects of a workspace, except that of CocoaPods.
    private static func workspaceProjects(_ path: String) throws(Diagnostic) -> [String] {
        let contents = "\(path)/contents.xcworkspacedata"
        guard let data = FileManager.default.contents(atPath: contents) else {
            throw Diagnostic(
                .error,
                contents,
                "the workspace cannot be read: name a folder .xcworkspace that Xcode made"
            )
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return workspaceLocations(String(decoding: data, as: UTF8.self))
            .map { ProjectFile.join(folder, $0) }
            .filter { $0.hasSuffix(".xcodeproj") && !$0.hasSuffix("/Pods.xcodeproj") && FolderFiles.isFolder($0) }
    }

    /// The paths in a workspace's file; each group adds its folder to those inside.
    private static func workspaceLocations(_ text: String) -> [String] {
        var folders: [String] = []
        var paths: [String] = []
        for match in text.matches(of: /<(\/?)(Group|FileRef)\b[^>]*?(?:location\s*=\s*"([a-z]+):([^"]*)"[^>]*)?>/) {
            let (isEnd, name) = (!match.1.isEmpty, match.2)
            guard !isEnd else {
                if name == "Group" { _ = folders.popLast() }
                continue
            }
            let path = String(match.4 ?? "").replacing("&amp;", with: "&").replacing("&apos;", with: "'")
            let isRelative = match.3 == "group"
            let joined = ((isRelative ? folders.filter { !$0.isEmpty } : []) + [path]).joined(separator: "/")
            if name == "Group" { folders.append(path) } else { paths.append(joined) }
        }
        return paths
    }
}

/// A folder with the sources and the Info.plist of an extension, and no project.
enum PlainFolder {
    /// The extensions in a folder: itself, or each folder below that has an Info.plist of one.
    ///
    /// - Throws: A diagnostic if a file cannot be read.
    static func extensions(in folder: String) throws(Diagnostic) -> [NotificationExtension] {
        if let info = try infoPlist(in: folder) { return [try read(folder, info)] }
        let folders = Set(
            FolderFiles.files(in: folder, skipsForeign: true)
                .filter { $0.hasSuffix("Info.plist") && $0.contains("/") }
                .map { URL(fileURLWithPath: "\(folder)/\($0)").deletingLastPathComponent().path }
        )
        var found: [NotificationExtension] = []
        for folder in folders.sorted() {
            if let info = try infoPlist(in: folder) { found.append(try read(folder, info)) }
        }
        return found
    }

    /// The Info.plist of a folder, if it is one of a notification extension.
    static func infoPlist(in folder: String) throws(Diagnostic) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name == "Info.plist" || name.hasSuffix("-Info.plist") {
            let path = "\(folder)/\(name)"
            let settings = BuildSettings(layers: [])
            if let info = try? InfoPlist(path: path, settings: settings), info.kind != nil { return path }
        }
        return nil
    }

    private static func read(_ folder: String, _ infoPath: String) throws(Diagnostic) -> NotificationExtension {
        let name = URL(fileURLWithPath: folder).lastPathComponent
        let settings = BuildSettings(layers: [
            [
                "DEVELOPMENT_LANGUAGE": "en", "EXECUTABLE_NAME": name, "PRODUCT_NAME": name, "TARGET_NAME": name,
                "PRODUCT_BUNDLE_IDENTIFIER": "local.$(PRODUCT_NAME:rfc1034identifier)",
                "PRODUCT_BUNDLE_PACKAGE_TYPE": "XPC!",
                "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
                "SWIFT_ACTIVE_COMPILATION_CONDITIONS": "DEBUG",
                "MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "1",
            ]
        ])
        var info = try InfoPlist(path: infoPath, settings: settings)
        info.complete(executable: name, identifier: settings["PRODUCT_BUNDLE_IDENTIFIER"] ?? name, region: "en")
        let all = FolderFiles.files(in: folder, skipsForeign: true).map { "\(folder)/\($0)" }
        let kinds = Dictionary(grouping: all.filter { !$0.hasSuffix("Info.plist") }) { FileKind(path: $0) }
        return NotificationExtension(
            code: SourceModule(
                target: name,
                module: settings["PRODUCT_MODULE_NAME"] ?? name,
                sources: kinds[.source] ?? [],
                objectiveC: kinds[.objectiveC] ?? [],
                resources: (kinds[.resource] ?? []).map(Resource.init(path:)),
                settings: settings
            ),
            kind: info.kind ?? .content,
            project: folder,
            identifier: info.text("CFBundleIdentifier") ?? name,
            product: name,
            categories: info.categories,
            principalClass: info.principalClass,
            storyboard: info.storyboard,
            infoPlistPath: infoPath,
            infoPlist: info,
            entitlementsPath: all.first { $0.hasSuffix(".entitlements") },
            dependencies: [],
            libraries: [],
            warnings: []
        )
    }
}
