internal import Foundation
package import PhoneDiagnostics
package import PhoneProject
internal import PhoneRewriter

/// What a build of an extension will miss, found without a compiler.
///
/// Modules, names, elements of storyboards and what the rewriter refuses are judged. Whether the types of all
/// expressions fit is left to the build.
package struct ExtensionForecast {
    /// What prevents the build or is left out, in the order of the files and lines.
    package private(set) var findings: [Diagnostic] = []
    /// Whether all sources are in Objective-C.
    package let isObjectiveC: Bool

    /// Whether nothing prevents the build.
    package var isComplete: Bool { !findings.contains { $0.severity == .error } }

    /// Judges extensions of one project, which share what is read of the modules.
    ///
    /// - Parameters:
    ///   - plans: The extensions.
    ///   - modules: The modules that they are compiled against.
    /// - Returns: A forecast for each.
    package static func forecasts(_ plans: [NotificationExtension], modules: ModulesFolder) -> [ExtensionForecast] {
        let names = modules.knownNames
        return plans.map { ExtensionForecast($0, modules, names) }
    }

    private init(_ plan: NotificationExtension, _ modules: ModulesFolder, _ names: KnownNames) {
        isObjectiveC = plan.code.sources.isEmpty && !plan.code.objectiveC.isEmpty
        guard !plan.code.sources.isEmpty else {
            let path = plan.code.objectiveC.first ?? plan.project
            let reason = isObjectiveC ? "is in Objective-C, which is not built here" : "has no Swift source"
            findings = [Diagnostic(.error, path, "the target \(plan.code.target) \(reason)")]
            return
        }
        let frameworks = plan.code.needed(among: plan.frameworks)
        let units = frameworks + [plan.code]
        let found = modules.modules.union(frameworks.map(\.module))
        var rewritten: [RewrittenTarget] = []
        var declared: Set<String> = found
        do throws(Diagnostic) {
            for unit in units {
                let conditions = Conditions(names: Set(unit.conditions), modules: found)
                let sources = try Files.sources(unit)
                let target = RewrittenTarget(sources, conditions, frameworks: rewritten)
                let uses = NameUses(sources, conditions)
                declared.formUnion(uses.declared)
                let missing = uses.undeclared.filter { !names.contains($0.name) && !declared.contains($0.name) }
                findings += target.diagnostics + Self.missing(missing, target.missingImports, plan.origins)
                findings += unit.objectiveC.map {
                    Diagnostic(
                        .warning,
                        $0,
                        "Objective-C is not built: Swift code does not find what this file declares"
                    )
                }
                rewritten.append(target)
            }
            findings += plan.warnings
            findings += Self.elements(units.flatMap(\.resources).map(\.path))
            if let target = rewritten.last {
                _ = try EntryPoint(plan, target, frameworks: frameworks.map(\.module))
            }
        } catch {
            findings.append(error)
        }
    }

    /// The names that no module has, and the modules that may have them.
    private static func missing(
        _ names: [(name: String, place: Place)],
        _ imports: [MissingImport],
        _ origins: [String: String]
    ) -> [Diagnostic] {
        guard !names.isEmpty else { return [] }
        return MissingModules.errors(imports, origins: origins)
            + names.map { use in
                let text = "\(use.name) is neither in the sources nor in PhoneKit, Foundation or Swift"
                return Diagnostic(.error, use.place.path, line: use.place.line, column: use.place.column, text)
            }
    }

    // MARK: Storyboards

    /// The views of storyboards that PhoneKit makes.
    static let knownElements: Set = [
        "activityIndicatorView", "button", "collectionReusableView", "collectionView", "collectionViewCell",
        "containerView", "control", "datePicker", "imageView", "label", "pageControl", "pickerView", "progressView",
        "scrollView", "searchBar", "segmentedControl", "slider", "stackView", "stepper", "switch", "tableView",
        "tableViewCell",
        "textField", "textView", "toolbar", "view", "visualEffectView", "webView",
    ]

    /// The views of storyboards and xibs that are left out.
    private static func elements(_ paths: [String]) -> [Diagnostic] {
        paths.filter { $0.hasSuffix(".storyboard") || $0.hasSuffix(".xib") }.compactMap(InterfaceFile.init(path:))
            .flatMap { file in
                file.elements.filter { element in
                    let parent = element.parent.map { file.elements[$0].name }
                    return parent == "subviews" && !knownElements.contains(element.name)
                        && element.attributes["customClass"] == nil
                }.map { element in
                    Diagnostic(.warning, file.path, line: element.line, "the view \(element.name) is left out")
                }
            }
    }
}
