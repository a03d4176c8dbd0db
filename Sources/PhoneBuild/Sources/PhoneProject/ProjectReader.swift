internal import Foundation
internal import PhoneDiagnostics

/// Finds the notification extensions of a project, and reads their files and settings.
struct ProjectReader {
    let project: ProjectFile
    /// The configuration to build; nil for `Debug` or, if there is none, the project's default.
    private let configuration: String?

    /// - Throws: A diagnostic if the project cannot be read.
    init(package: String, configuration: String?) throws(Diagnostic) {
        self.init(try ProjectFile(package: package), configuration: configuration)
    }

    /// - Parameters:
    ///   - project: The project, which several readers may share.
    ///   - configuration: The configuration to build; nil for `Debug` or the project's default.
    init(_ project: ProjectFile, configuration: String?) {
        (self.project, self.configuration) = (project, configuration)
    }

    /// The notification extensions in the order of the project's targets, and why others cannot be read.
    func extensions() -> (found: [NotificationExtension], failures: [Diagnostic]) {
        var found: [NotificationExtension] = []
        var failures: [Diagnostic] = []
        for target in project.targets {
            guard target.isa == "PBXNativeTarget",
                target.text("productType")?.hasPrefix("com.apple.product-type.app-extension") == true
            else { continue }
            do {
                if let read = try read(target) { found.append(read) }
            } catch {
                failures.append(error)
            }
        }
        return (found, failures)
    }

    /// - Returns: The extension; nil if it is of another kind.
    private func read(_ target: ProjectObject) throws(Diagnostic) -> NotificationExtension? {
        var warnings: [Diagnostic] = []
        let settings = try settings(of: target, &warnings)
        let infoPath = settings["INFOPLIST_FILE"].map { ProjectFile.join(project.sourceRoot, $0) }
        var info = try InfoPlist(path: infoPath, settings: settings)
        guard let kind = info.kind else { return nil }
        let entitlements = settings["CODE_SIGN_ENTITLEMENTS"].map { ProjectFile.join(project.sourceRoot, $0) }
        let excluded = Set([infoPath, entitlements].compactMap(\.self))
        let files = TargetFiles(of: target, in: project, excluded: excluded)
        warnings += files.missing.map { Diagnostic(.warning, $0, "the target has this file, which does not exist") }
        let product = settings["PRODUCT_NAME"] ?? name(of: target)
        info.complete(
            executable: product,
            identifier: settings["PRODUCT_BUNDLE_IDENTIFIER"] ?? product,
            region: project.developmentRegion
        )
        warnings += bridgingHeader(settings)
        return NotificationExtension(
            code: SourceModule(
                target: name(of: target),
                module: settings["PRODUCT_MODULE_NAME"] ?? product,
                sources: files.sources,
                objectiveC: files.objectiveC,
                resources: files.resources,
                settings: settings,
                origins: files.folders + configurationFiles(of: target)
            ),
            kind: kind,
            project: project.path,
            identifier: info.text("CFBundleIdentifier") ?? product,
            product: product,
            categories: info.categories,
            principalClass: info.principalClass,
            storyboard: info.storyboard,
            infoPlistPath: infoPath,
            infoPlist: info,
            entitlementsPath: entitlements,
            dependencies: dependencies(of: target),
            libraries: libraries(of: target),
            warnings: warnings
        )
    }

    /// The frameworks and static libraries of the project whose settings can be read.
    func frameworks() -> [SourceModule] {
        let types: Set = ["com.apple.product-type.framework", "com.apple.product-type.library.static"]
        return project.targets.filter { types.contains($0.text("productType") ?? "") }.compactMap { target in
            var warnings: [Diagnostic] = []
            guard let settings = try? settings(of: target, &warnings) else { return nil }
            let info = settings["INFOPLIST_FILE"].map { ProjectFile.join(project.sourceRoot, $0) }
            let files = TargetFiles(of: target, in: project, excluded: Set([info].compactMap(\.self)))
            return SourceModule(
                target: name(of: target),
                module: settings["PRODUCT_MODULE_NAME"] ?? name(of: target),
                sources: files.sources,
                objectiveC: files.objectiveC,
                resources: files.resources,
                settings: settings,
                origins: files.folders + configurationFiles(of: target)
            )
        }
    }

    /// The folders of Swift packages that the project has beside it.
    func packageFolders() -> [String] {
        let references = project.objects(project.root.list("packageReferences"))
            .filter { $0.isa == "XCLocalSwiftPackageReference" }
            .compactMap { $0.text("relativePath").map { ProjectFile.join(project.sourceRoot, $0) } }
        // Before Xcode 15 a package is a folder among the files.
        let files = project.all("PBXFileReference")
            .filter { ["folder", "wrapper", "text"].contains($0.text("lastKnownFileType") ?? "") }
            .compactMap(project.path)
        return references + files
    }

    /// The modules of the packages that the project uses and the machine has.
    func packageModules(_ checkouts: PackageCheckouts, visited: inout Set<String>) -> [SourceModule] {
        (packageFolders() + packageURLs.compactMap(checkouts.folder)).flatMap {
            LocalPackage.modules(in: $0, checkouts, visited: &visited)
        }
    }

    /// The folder that has the project.
    var folder: String { project.sourceRoot }

    /// The URLs of the Swift packages that the project has from elsewhere.
    var packageURLs: [String] {
        project.objects(project.root.list("packageReferences")).compactMap { $0.text("repositoryURL") }
    }

    /// Where the modules come from that the machine does not have, by their names.
    func origins(_ checkouts: PackageCheckouts) -> [String: String] {
        var origins: [String: String] = [:]
        // The list of pods stands beside the project, or above it in the folder of the workspace.
        for folder in [folder, ProjectFile.join(folder, "..")] {
            let list = FileManager.default.contents(atPath: "\(folder)/Podfile.lock") ?? Data()
            for match in String(decoding: list, as: UTF8.self).matches(of: /(?m)^ {2}- "?([\w-]+)/) {
                origins[String(match.1)] =
                    "the pod \(match.1), and pods are not built: add it to the project as a package"
            }
        }
        for product in project.all("XCSwiftPackageProductDependency") {
            guard let name = product.text("productName"), let reference = product.text("package"),
                let url = project[reference].text("repositoryURL"), checkouts.folder(of: url) == nil
            else { continue }
            let text = "which this machine does not have: clone it into the folder SourcePackages/checkouts"
            origins[name] = "the package \(url), \(text) beside the project"
        }
        return origins
    }

    func name(of target: ProjectObject) -> String { target.text("name") ?? target.id }

    // MARK: Settings

    /// The settings of the project and of the target, each with its file and above it its own.
    func settings(
        of target: ProjectObject,
        _ warnings: inout [Diagnostic]
    ) throws(Diagnostic) -> BuildSettings {
        let levels = try levels(of: target)
        let configuration = levels.last?.text("name") ?? "Debug"
        var settings = BuildSettings(layers: [defaults(target, configuration: configuration)])
        for level in levels {
            if let file = configurationFile(of: level) {
                settings.add(XcconfigFile.read(file, warnings: &warnings), configuration: configuration)
            }
            settings.add(BuildSettings.layer(level.dictionary("buildSettings")), configuration: configuration)
        }
        return settings
    }

    /// The configuration of the project and that of the target.
    private func levels(of target: ProjectObject) throws(Diagnostic) -> [ProjectObject] {
        let own = try configuration(of: target)
        let lists = project.objects([project.root.text("buildConfigurationList")].compactMap(\.self))
        let shared = lists.flatMap { project.objects($0.list("buildConfigurations")) }
        return shared.filter { $0.text("name") == own.text("name") } + [own]
    }

    /// The files of settings that the target has.
    func configurationFiles(of target: ProjectObject) -> [String] {
        ((try? levels(of: target)) ?? []).compactMap(configurationFile)
    }

    func configuration(of target: ProjectObject) throws(Diagnostic) -> ProjectObject {
        let list = target.text("buildConfigurationList").map { project[$0] }
        let all = project.objects(list?.list("buildConfigurations") ?? [])
        if let configuration {
            if let found = all.first(where: { $0.text("name") == configuration }) { return found }
            let names = all.compactMap { $0.text("name") }.joined(separator: ", ")
            let text = "the target \(name(of: target)) has no configuration \(configuration): choose one of \(names)"
            throw Diagnostic(.error, project.path, text)
        }
        let fallback = list?.text("defaultConfigurationName")
        let chosen = all.first { $0.text("name") == "Debug" } ?? all.first { $0.text("name") == fallback } ?? all.first
        guard let chosen else {
            throw Diagnostic(.error, project.path, "the target \(name(of: target)) has no build configuration")
        }
        return chosen
    }

    /// The path of a configuration's `.xcconfig`, also if it stands in a synchronized folder.
    private func configurationFile(of configuration: ProjectObject) -> String? {
        if let reference = configuration.text("baseConfigurationReference") {
            return project.path(of: project[reference])
        }
        guard let anchor = configuration.text("baseConfigurationReferenceAnchor"),
            let path = configuration.text("baseConfigurationReferenceRelativePath")
        else { return nil }
        return project.path(of: project[anchor]).map { ProjectFile.join($0, path) }
    }

    private func defaults(_ target: ProjectObject, configuration: String) -> [String: String] {
        let name = name(of: target)
        return [
            "AppIdentifierPrefix": "", "TeamIdentifierPrefix": "",
            "CONFIGURATION": configuration,
            "DEVELOPMENT_LANGUAGE": project.developmentRegion,
            "EXECUTABLE_NAME": "$(PRODUCT_NAME)",
            "PLATFORM_NAME": "iphoneos",
            "PRODUCT_BUNDLE_PACKAGE_TYPE": "XPC!",
            "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
            "PRODUCT_NAME": target.text("productName") ?? name,
            "PROJECT": project.name, "PROJECT_NAME": project.name,
            "PROJECT_DIR": project.sourceRoot, "SOURCE_ROOT": project.sourceRoot, "SRCROOT": project.sourceRoot,
            "SDKROOT": "iphoneos",
            "TARGETNAME": name, "TARGET_NAME": name,
        ]
    }

    /// A warning if Swift code gets Objective-C classes from a header that is not empty.
    private func bridgingHeader(_ settings: BuildSettings) -> [Diagnostic] {
        guard let header = settings["SWIFT_OBJC_BRIDGING_HEADER"] else { return [] }
        let path = ProjectFile.join(project.sourceRoot, header)
        let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let line = lines.firstIndex(where: { $0.contains(/^\s*[#@]\s*import|^\s*#\s*include/) }) else {
            return []
        }
        return [
            Diagnostic(
                .warning,
                path,
                line: line + 1,
                "Objective-C is not built: Swift code does not find what this header imports"
            )
        ]
    }

    // MARK: Dependencies

    private func dependencies(of target: ProjectObject) -> [String] {
        project.objects(target.list("dependencies")).compactMap { dependency in
            dependency.text("target").map { name(of: project[$0]) } ?? dependency.text("name")
        }
    }

    /// The names of frameworks and of products of packages that the target links.
    private func libraries(of target: ProjectObject) -> [String] {
        let phases = project.objects(target.list("buildPhases")).filter { $0.isa == "PBXFrameworksBuildPhase" }
        let files = phases.flatMap { project.objects($0.list("files")) }
        let names = files.compactMap { file -> String? in
            if let product = file.text("productRef") { return project[product].text("productName") }
            guard let reference = file.text("fileRef"), let path = project[reference].text("path") else { return nil }
            return URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        }
        let products = project.objects(target.list("packageProductDependencies")).compactMap { $0.text("productName") }
        return Set(names + products).sorted()
    }
}
