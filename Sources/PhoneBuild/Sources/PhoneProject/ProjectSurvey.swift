internal import Foundation
package import PhoneDiagnostics

/// A target that becomes a bundle on the phone, an app or an extension, as one configuration builds it.
package struct BundleTarget {
    /// The sources, the resources and the settings.
    package let code: SourceModule
    /// Whether it is an app; else it is an extension of whatever kind.
    package let isApp: Bool
    /// The file Info.plist; nil if Xcode generates all of it.
    package let infoPlistPath: String?
    /// The Info.plist with its variables replaced, before anything is corrected.
    package let info: InfoPlist
    /// The file of the entitlements; nil if the settings name none.
    package let entitlementsPath: String?
    /// The entitlements with their variables replaced; empty if there are none.
    package let entitlements: [String: Any]
    /// The names of the targets whose products it has inside.
    package let embedded: Set<String>

    fileprivate let file: ProjectFile
    fileprivate let configuration: String

    /// The `project.pbxproj`.
    package var projectPath: String { file.path }

    /// The line of the project file that has a setting; that of the target's configuration if another file has it.
    package func line(ofSetting name: String) -> Int { file.line(ofSetting: name, in: configuration) }
}

/// What a project puts on a phone: its apps and extensions in each configuration.
package struct ProjectSurvey {
    /// The apps and extensions as one configuration builds them.
    package struct Build {
        /// The name of the configuration.
        package let configuration: String
        /// The targets for the phone.
        package let targets: [BundleTarget]
    }

    /// The `project.pbxproj`.
    package let path: String
    /// The folder to which the project's paths are relative.
    package let folder: String
    /// Each configuration of the apps; without an app, each of the extensions.
    package let builds: [Build]
    /// The frameworks of the project and the modules of its local packages.
    package let modules: [SourceModule]
    /// What cannot be read.
    package let failures: [Diagnostic]

    /// Surveys the projects that a path stands for.
    ///
    /// - Parameter path: An `.xcodeproj`, an `.xcworkspace` or a folder with one.
    /// - Returns: A survey of each project.
    /// - Throws: A diagnostic if there is no project, or if one cannot be read.
    package static func surveys(_ path: String) throws(Diagnostic) -> [ProjectSurvey] {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: path) else {
            throw Diagnostic(.error, path, "there is nothing: name an .xcodeproj, an .xcworkspace or a folder")
        }
        var surveys: [ProjectSurvey] = []
        for package in try ExtensionSearch.projects(at: path) { surveys.append(try ProjectSurvey(package: package)) }
        guard !surveys.isEmpty else {
            throw Diagnostic(.error, path, "there is no project: name an .xcodeproj, or a folder that has one")
        }
        return surveys
    }

    private init(package: String) throws(Diagnostic) {
        let file = try ProjectFile(package: package)
        let reader = ProjectReader(file, configuration: nil)
        (path, folder) = (file.path, file.sourceRoot)
        var failures: [Diagnostic] = []
        let candidates = file.targets.filter { $0.isa == "PBXNativeTarget" && Self.isBundle($0) }
        let apps = candidates.filter(Self.isApp)
        var names: [String] = []
        for target in apps.isEmpty ? candidates : apps {
            names += reader.configurationNames(of: target).filter { !names.contains($0) }
        }
        builds = names.map { name in
            let targets = candidates.compactMap { target -> BundleTarget? in
                do throws(Diagnostic) {
                    return try Self.read(target, configuration: name, file)
                } catch {
                    if !failures.contains(error) { failures.append(error) }
                    return nil
                }
            }
            return Build(configuration: name, targets: targets)
        }
        var visited: Set<String> = []
        let checkouts = PackageCheckouts(near: [reader.folder] + reader.packageFolders())
        modules = reader.frameworks() + reader.packageModules(checkouts, visited: &visited)
        self.failures = failures
    }

    private static func isApp(_ target: ProjectObject) -> Bool {
        target.text("productType") == "com.apple.product-type.application"
    }

    private static func isBundle(_ target: ProjectObject) -> Bool {
        isApp(target) || target.text("productType") == "com.apple.product-type.app-extension"
    }

    /// - Returns: The target; nil if it is not for a phone.
    private static func read(
        _ target: ProjectObject,
        configuration: String,
        _ file: ProjectFile
    ) throws(Diagnostic) -> BundleTarget? {
        // A target without that configuration is built with its own default.
        let hasOwn = ProjectReader(file, configuration: nil).configurationNames(of: target).contains(configuration)
        let reader = ProjectReader(file, configuration: hasOwn ? configuration : nil)
        var warnings: [Diagnostic] = []
        let settings = try reader.settings(of: target, &warnings)
        let platforms: Set = ["macosx", "watchos", "appletvos", "xros"]
        guard !platforms.contains(settings["SDKROOT"] ?? "") else { return nil }
        func path(_ setting: String) -> String? { settings[setting].map { ProjectFile.join(file.sourceRoot, $0) } }
        let (infoPath, entitlementsPath) = (path("INFOPLIST_FILE"), path("CODE_SIGN_ENTITLEMENTS"))
        let info = try InfoPlist(path: infoPath, settings: settings)
        let entitlements = try entitlementsPath.map { path throws(Diagnostic) in
            try InfoPlist.dictionary(path).mapValues { InfoPlist.expanded($0, settings) }
        }
        let files = TargetFiles(of: target, in: file, excluded: Set([infoPath, entitlementsPath].compactMap(\.self)))
        return BundleTarget(
            code: SourceModule(
                target: reader.name(of: target),
                module: settings["PRODUCT_MODULE_NAME"] ?? reader.name(of: target),
                sources: files.sources,
                objectiveC: files.objectiveC,
                resources: files.resources,
                settings: settings
            ),
            isApp: isApp(target),
            infoPlistPath: infoPath,
            info: info,
            entitlementsPath: entitlementsPath,
            entitlements: entitlements ?? [:],
            embedded: reader.embedded(in: target),
            file: file,
            configuration: try reader.configuration(of: target).id
        )
    }
}

extension ProjectReader {
    /// The names of a target's configurations, the default one first.
    fileprivate func configurationNames(of target: ProjectObject) -> [String] {
        let list = target.text("buildConfigurationList").map { project[$0] }
        return project.objects(list?.list("buildConfigurations") ?? []).compactMap { $0.text("name") }
    }

    /// The names of the targets whose products a target copies into its bundle.
    fileprivate func embedded(in target: ProjectObject) -> Set<String> {
        let phases = project.objects(target.list("buildPhases")).filter { $0.isa == "PBXCopyFilesBuildPhase" }
        let products = Set(phases.flatMap { project.objects($0.list("files")) }.compactMap { $0.text("fileRef") })
        let copied = project.targets.filter { $0.text("productReference").map(products.contains) ?? false }
        return Set(copied.map(name(of:)))
    }
}

extension ProjectFile {
    /// The line of a setting in a configuration; that of the configuration if it lacks the setting.
    fileprivate func line(ofSetting name: String, in configuration: String) -> Int {
        let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isBeginning = { (line: Substring) in line.contains(configuration) && line.hasSuffix("= {") }
        guard let start = lines.firstIndex(where: isBeginning) else { return 0 }
        for (offset, line) in lines[start...].enumerated() {
            let words = line.drop { $0 == "\t" || $0 == " " }
            if words.hasPrefix("\(name) =") || words.hasPrefix("\"\(name)\" =") { return start + offset + 1 }
            if words.hasPrefix("name = ") { break }
        }
        return start + 1
    }
}

/// The payloads beside a project's sources.
package enum PayloadFiles {
    /// The greatest size of a JSON file that may be a payload.
    private static let sizeLimit = 1 << 16

    /// The files below a folder that may be payloads, sorted; folders with code of others are left out.
    package static func paths(in folder: String) -> [String] {
        FolderFiles.files(in: folder, skipsForeign: true).filter { $0.hasSuffix(".apns") || $0.hasSuffix(".json") }
            .map { "\(folder)/\($0)" }
            .filter { path in
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                return (size ?? 0) <= sizeLimit
            }
    }
}
