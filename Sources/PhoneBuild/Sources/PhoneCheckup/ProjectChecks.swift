internal import Foundation
internal import PhoneProject

/// The checks of one configuration of a project: how the app and its extensions fit together.
struct ProjectChecks {
    private(set) var findings: [Finding] = []
    /// The targets that are notification extensions, or seem to be meant as such.
    let extensionNames: [String]

    private let survey: ProjectSurvey
    private let apps: [BundleTarget]
    private let extensions: [ExtensionChecks]

    init(_ survey: ProjectSurvey, _ build: ProjectSurvey.Build) {
        self.survey = survey
        apps = build.targets.filter(\.isApp)
        let appResources = apps.flatMap(\.code.resources).map(\.path)
        extensions = build.targets.filter { !$0.isApp }.compactMap {
            ExtensionChecks($0, modules: survey.modules, appResources: appResources)
        }
        extensionNames = extensions.map(\.target.code.target)
        guard !extensions.isEmpty else { return }
        for checks in extensions {
            let hosts = apps.filter { $0.embedded.contains(checks.target.code.target) }
            checkEmbedding(checks, hosts)
            // An app alone is meant also if it lacks the extension.
            compare(checks, hosts.isEmpty && apps.count == 1 ? apps : hosts)
            findings += checks.findings
            checkCategories(checks, hosts.isEmpty ? apps : hosts)
        }
        checkGroups(build)
        checkMutableContent()
    }

    private mutating func add(
        _ level: Finding.Level,
        _ reason: Finding.Reason,
        _ target: BundleTarget?,
        _ place: (path: String, line: Int),
        _ message: String,
        _ advice: String
    ) {
        findings.append(
            Finding(
                level: level,
                reason: reason,
                target: target?.code.target,
                path: place.path,
                line: place.line,
                message: message,
                advice: advice
            )
        )
    }

    // MARK: An app and its extension

    private mutating func checkEmbedding(_ checks: ExtensionChecks, _ hosts: [BundleTarget]) {
        guard hosts.isEmpty, let app = apps.first else { return }
        let name = checks.target.code.target
        add(
            .error,
            .notEmbedded,
            checks.target,
            (survey.path, 0),
            "no app has the extension \(name) in its bundle, so no phone gets it",
            "In the target \(app.code.target), add \(name).appex to the build phase Embed Foundation Extensions"
        )
    }

    /// Compares an extension with the apps that have it.
    ///
    /// What fits one of several apps is no mistake: the scheme of another one may build it differently.
    private mutating func compare(_ checks: ExtensionChecks, _ apps: [BundleTarget]) {
        let found = apps.map { app in
            var one = self
            one.findings = []
            one.compareIdentifiers(checks.target, app)
            one.compareDeploymentTargets(checks.target, app)
            one.compareVersions(checks.target, app)
            one.compareGroups(checks, app)
            return one.findings
        }
        findings += (found.first ?? []).filter { finding in
            found.allSatisfy { $0.contains { $0.reason == finding.reason } }
        }
    }

    private mutating func compareIdentifiers(_ target: BundleTarget, _ app: BundleTarget) {
        guard let own = target.identifier, let prefix = app.identifier, !own.hasPrefix("\(prefix).") else { return }
        add(
            .error,
            .bundleIdentifier,
            target,
            target.place("PRODUCT_BUNDLE_IDENTIFIER", key: "CFBundleIdentifier"),
            "the bundle identifier \(own) does not begin with that of the app, \(prefix), so the app cannot be installed",
            "Set PRODUCT_BUNDLE_IDENTIFIER of \(target.code.target) to \(prefix).\(own.split(separator: ".").last ?? "")"
        )
    }

    private mutating func compareDeploymentTargets(_ target: BundleTarget, _ app: BundleTarget) {
        let name = "IPHONEOS_DEPLOYMENT_TARGET"
        guard let own = target.code.settings[name], let other = app.code.settings[name],
            own.compare(other, options: .numeric) == .orderedDescending,
            own.compare("\(other).0", options: .numeric) != .orderedSame,
            // An older iOS has no notification extensions.
            own.compare("10.0", options: .numeric) == .orderedDescending
        else { return }
        add(
            .warning,
            .deploymentTarget,
            target,
            (survey.path, target.line(ofSetting: name)),
            "the app runs from iOS \(other) on, but this extension only from iOS \(own) on",
            "Set \(name) of \(target.code.target) to \(other)"
        )
    }

    private mutating func compareVersions(_ target: BundleTarget, _ app: BundleTarget) {
        let settings = [
            "CFBundleShortVersionString": "MARKETING_VERSION", "CFBundleVersion": "CURRENT_PROJECT_VERSION",
        ]
        for (key, setting) in settings.sorted(by: { $0.key < $1.key }) {
            guard let other = app.info.text(key), !other.isEmpty else { continue }
            let own = target.info.text(key) ?? ""
            guard own != other else { continue }
            // An empty text is a variable that only the build machine sets.
            if own.isEmpty, target.info.text(key) != nil { continue }
            let place = target.place(setting, key: key)
            add(
                .warning,
                .version,
                target,
                place,
                "\(key) is \(own.isEmpty ? "missing" : own), and \(other) in the app; App Store Connect wants them equal",
                "Set \(setting) of \(target.code.target) to \(other), or let \(key) of its Info.plist be $(\(setting))"
            )
        }
    }

    // MARK: App Groups

    private mutating func compareGroups(_ checks: ExtensionChecks, _ app: BundleTarget) {
        let (target, groups) = (checks.target, app.groups)
        guard let own = target.groups, let groups else { return }
        let path = target.entitlementsPath ?? survey.path
        for group in own where !groups.contains(group) {
            let others = groups.isEmpty ? "the app has none" : "the app has \(groups.joined(separator: ", "))"
            add(
                .error,
                .appGroup,
                target,
                (path, TextSearch(path)?.line(of: group) ?? 0),
                "the extension is in the App Group \(group), but \(others), so they share nothing",
                "Add \(group) to com.apple.security.application-groups in the entitlements of \(app.code.target)"
            )
        }
        var known = Set(own)
        for use in checks.groups where groups.contains(use.name) && known.insert(use.name).inserted {
            add(
                .warning,
                .appGroup,
                target,
                (use.path, use.line),
                "the code names the App Group \(use.name), which the app has and the extension \(target.code.target) lacks",
                target.entitlementsPath == nil
                    ? "Add the capability App Groups with \(use.name) to the target \(target.code.target)"
                    : "Add \(use.name) to com.apple.security.application-groups in \(Self.name(path))"
            )
        }
        guard own.isEmpty, let group = groups.first, let use = checks.unnamedGroupUse, checks.groups.isEmpty else {
            return
        }
        add(
            .error,
            .appGroup,
            target,
            (use.path, use.line),
            "the code opens shared storage, but the extension \(target.code.target) is in no App Group",
            "Add the capability App Groups with \(group) to the target \(target.code.target)"
        )
    }

    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    /// Finds the App Groups of sources that no entitlements of any configuration have.
    private mutating func checkGroups(_ build: ProjectSurvey.Build) {
        var entitled: Set<String> = []
        for target in survey.builds.flatMap(\.targets) {
            // A group with a variable that is not known may be any.
            guard let groups = target.groups else { return }
            entitled.formUnion(groups)
        }
        var files: Set<String> = []
        var known: Set<String> = []
        let uses =
            extensions.flatMap { checks in checks.groups.map { (checks.target, $0) } }
            + apps.flatMap { app in
                app.code.sources.filter { files.insert($0).inserted }.compactMap(TextSearch.init)
                    .flatMap { file in file.groups.map { (app, GroupUse($0.name, file.path, $0.line)) } }
            }
        for (target, use) in uses where !entitled.contains(use.name) && known.insert(use.name).inserted {
            add(
                .error,
                .groupInCode,
                target,
                (use.path, use.line),
                "the code names the App Group \(use.name), which no entitlements of the project have",
                entitled.isEmpty
                    ? "Add the capability App Groups with \(use.name) to the app and to the extension"
                    : "Use \(entitled.sorted().joined(separator: " or ")), or add \(use.name) to the entitlements"
            )
        }
    }

    // MARK: Categories

    private mutating func checkCategories(_ checks: ExtensionChecks, _ apps: [BundleTarget]) {
        guard checks.kind == .content, !apps.isEmpty else { return }
        let code = apps.map(\.code) + survey.modules
        let files = Set(code.flatMap { $0.sources + $0.objectiveC }).sorted()
        var open = checks.categories
        for path in files where !open.isEmpty {
            guard let file = TextSearch(path) else { continue }
            // A case of an enumeration has its identifier without quotes, so any mention counts.
            open.removeAll { file.line(of: $0) != nil }
        }
        let path = checks.target.infoPlistPath ?? survey.path
        // Braze registers its own categories.
        for category in open where !category.hasPrefix("ab_") {
            let line = TextSearch(path)?.line(of: ">\(category)<")
            add(
                .warning,
                .category,
                checks.target,
                (path, line ?? TextSearch.line(ofKey: "UNNotificationExtensionCategory", in: path)),
                "no source of the app names the category \(category), so none registers it",
                "Pass UNNotificationCategory(identifier: \"\(category)\", …) to setNotificationCategories, or correct "
                    + "UNNotificationExtensionCategory"
            )
        }
    }

    // MARK: Payloads

    /// Finds a payload that asks for a service extension which the project lacks.
    private mutating func checkMutableContent() {
        guard !extensions.contains(where: { $0.kind == .service }) else { return }
        for path in PayloadFiles.paths(in: survey.folder) {
            guard let file = TextSearch(path), file.text.contains("\"aps\""),
                let match = file.text.firstMatch(of: /"mutable-content"\s*:\s*1/)
            else { continue }
            let line = file.text[..<match.range.lowerBound].count { $0.isNewline } + 1
            add(
                .warning,
                .mutableContent,
                nil,
                (path, line),
                "the payload has mutable-content, but the project has no service extension that changes it",
                "Add a target of the template Notification Service Extension, or remove mutable-content"
            )
            return
        }
    }
}

/// A place that uses an App Group.
struct GroupUse {
    let name: String
    let path: String
    let line: Int

    init(_ name: String, _ path: String, _ line: Int) { (self.name, self.path, self.line) = (name, path, line) }
}

extension BundleTarget {
    /// The bundle identifier; nil if a variable of it is not known.
    var identifier: String? {
        let own = info.text("CFBundleIdentifier") ?? ""
        let text = own.isEmpty ? code.settings["PRODUCT_BUNDLE_IDENTIFIER"] ?? "" : own
        return text.isEmpty || text.split(separator: ".", omittingEmptySubsequences: false).contains("") ? nil : text
    }

    /// The App Groups of the entitlements; nil if a variable of them is not known.
    var groups: [String]? {
        let groups = entitlements["com.apple.security.application-groups"] as? [String] ?? []
        return groups.contains { $0.split(separator: ".", omittingEmptySubsequences: false).contains("") }
            ? nil : groups
    }

    /// Where a value stands: at its key in the Info.plist, if that does not take it from the setting, else in the project.
    func place(_ setting: String, key: String) -> (path: String, line: Int) {
        if let infoPlistPath, let file = TextSearch(infoPlistPath), let line = file.line(of: "<key>\(key)</key>") {
            let value = file.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line).first ?? ""
            if !value.contains("$(\(setting))") { return (infoPlistPath, line) }
        }
        let line = line(ofSetting: setting)
        return (projectPath, line)
    }
}
