internal import ArgumentParser
internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject

/// Prints the notification extensions of a project.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the notification extensions of a project with their files and settings."
    )

    @OptionGroup var project: ProjectOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let extensions: [NotificationExtension]
        do {
            extensions = try project.extensions()
        } catch {
            Output.note(error)
            throw ExitCode(1)
        }
        let listed = extensions.map(ListedExtension.init)
        if json { return try Output.print(json: ["extensions": listed]) }
        Output.print(listed.map(\.text).joined(separator: "\n\n"))
    }
}

/// An extension as it is printed.
private struct ListedExtension: Encodable {
    let target: String
    let kind: ExtensionKind
    let project: String
    let identifier: String
    let product: String
    let module: String
    let categories: [String]
    let principalClass: String?
    let storyboard: String?
    let infoPlist: String?
    let entitlements: String?
    let swiftVersion: String
    let conditions: [String]
    let sources: [String]
    let objectiveC: [String]
    let resources: [Resource]
    let dependencies: [String]
    let libraries: [String]
    let settings: [String: String]
    let warnings: [String]

    /// The settings that are printed if the project has them.
    private static let names = [
        "CODE_SIGN_ENTITLEMENTS", "GENERATE_INFOPLIST_FILE", "INFOPLIST_FILE", "PRODUCT_BUNDLE_IDENTIFIER",
        "PRODUCT_MODULE_NAME", "PRODUCT_NAME", "SWIFT_ACTIVE_COMPILATION_CONDITIONS", "SWIFT_DEFAULT_ACTOR_ISOLATION",
        "SWIFT_OBJC_BRIDGING_HEADER", "SWIFT_VERSION",
    ]

    init(_ plan: NotificationExtension) {
        (target, kind, project) = (plan.code.target, plan.kind, plan.project)
        (identifier, product, module) = (plan.identifier, plan.product, plan.code.module)
        (categories, principalClass, storyboard) = (plan.categories, plan.principalClass, plan.storyboard)
        (infoPlist, entitlements) = (plan.infoPlistPath, plan.entitlementsPath)
        (swiftVersion, conditions) = (plan.code.swiftVersion, plan.code.conditions)
        (sources, objectiveC, resources) = (plan.code.sources, plan.code.objectiveC, plan.code.resources)
        (dependencies, libraries) = (plan.dependencies, plan.libraries)
        let keys = Self.names + plan.code.settings.names(prefix: "INFOPLIST_KEY_")
        settings = Dictionary(
            uniqueKeysWithValues: keys.compactMap { name in plan.code.settings[name].map { (name, $0) } }
        )
        warnings = plan.warnings.map(\.description)
    }

    /// The extension for people: one fact a line.
    var text: String {
        var lines = ["\(target): \(kind.rawValue) extension \(identifier)"]
        func add(_ name: String, _ values: [String]) {
            guard let first = values.first else { return }
            lines.append("  \(name.padding(toLength: 14, withPad: " ", startingAt: 0)) \(first)")
            lines += values.dropFirst().map { String(repeating: " ", count: 17) + $0 }
        }
        add("categories", categories)
        add("begins with", [principalClass ?? storyboard.map { "\($0).storyboard" }].compactMap(\.self))
        add("Info.plist", [infoPlist].compactMap(\.self))
        add("entitlements", [entitlements].compactMap(\.self))
        add("Swift", ["\(swiftVersion), module \(module)"])
        add("conditions", conditions)
        add("sources", sources)
        add("not built", objectiveC)
        add("resources", resources.map { "\($0.path) as \($0.destination)" })
        add("depends on", dependencies)
        add("links", libraries)
        add("settings", settings.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" })
        add("warnings", warnings)
        return lines.joined(separator: "\n")
    }
}
