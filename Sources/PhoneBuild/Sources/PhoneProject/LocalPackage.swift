internal import Foundation
internal import SwiftParser
internal import SwiftSyntax

/// A Swift package in a folder: the modules of its targets.
///
/// The manifest is read and not run, so that a build needs no network. What it computes is not seen; then the folders
/// of `Sources` are the targets.
struct LocalPackage {
    private let folder: String
    private let manifest: SourceFileSyntax
    private let toolsVersion: String

    /// Reads the manifest; nil if the folder is no package.
    init?(_ folder: String) {
        guard let data = FileManager.default.contents(atPath: "\(folder)/Package.swift") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        self.folder = folder
        manifest = Parser.parse(source: text)
        let version = text.firstMatch(of: #/^\s*//\s*swift-tools-version:\s*([0-9.]+)/#)?.1
        toolsVersion = version.map(String.init) ?? "5.0"
    }

    /// The modules of a package and of the packages that it depends on, as far as the machine has them.
    ///
    /// - Parameters:
    ///   - folder: The folder of the package.
    ///   - checkouts: Where packages are that have a URL.
    ///   - visited: The folders that were read already.
    /// - Returns: The modules; none if there is no package.
    static func modules(
        in folder: String,
        _ checkouts: PackageCheckouts,
        visited: inout Set<String>
    ) -> [SourceModule] {
        guard visited.insert(folder).inserted, let package = LocalPackage(folder) else { return [] }
        let (calls, modes) = package.contents
        var modules = calls.filter { $0.name == "target" }.compactMap { package.module($0, modes) }
        let undeclared = FolderFiles.folders(in: "\(folder)/Sources").filter { name in
            !calls.contains { $0.texts("name") == [name] }
        }
        modules += undeclared.map {
            package.module($0, path: "Sources/\($0)", Call(name: "target", arguments: []), modes)
        }
        for dependency in calls where dependency.name == "package" {
            let local = dependency.texts("path").map { ProjectFile.join(folder, $0) }
            for folder in local + dependency.texts("url").compactMap(checkouts.folder) {
                modules += Self.modules(in: folder, checkouts, visited: &visited)
            }
        }
        return modules
    }

    // MARK: The manifest

    /// A call of the manifest, such as `.target(name: "Core", dependencies: [])`.
    private struct Call {
        let name: String
        let arguments: [LabeledExprSyntax]

        /// The texts of an argument: a literal, or a list of literals.
        func texts(_ label: String) -> [String] {
            guard let value = arguments.first(where: { $0.label?.text == label })?.expression else { return [] }
            let elements = value.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [value]
            return elements.compactMap { $0.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
        }

        /// Whether there is such an argument.
        func has(_ label: String) -> Bool { arguments.contains { $0.label?.text == label } }

        /// The names that `.define("NAME")` sets.
        var definitions: [String] {
            let settings = arguments.first { $0.label?.text == "swiftSettings" }?.trimmedDescription ?? ""
            return settings.matches(of: /\.define\("(\w+)"\)/).map { String($0.1) }
        }
    }

    /// The calls that name targets and packages, and the language mode that the whole package has.
    private var contents: (calls: [Call], mode: String) {
        let reader = CallReader()
        reader.walk(manifest)
        let calls = reader.calls.map { Call(name: $0.0, arguments: $0.1) }
        let package = reader.calls.first { $0.0 == "Package" }?.1 ?? []
        let modes = package.first { ["swiftLanguageModes", "swiftLanguageVersions"].contains($0.label?.text) }
        let mode = modes.map { $0.expression.trimmedDescription.contains("6") ? "6" : "5" }
        return (calls, mode ?? (toolsVersion.hasPrefix("6") ? "6" : "5"))
    }

    private final class CallReader: SyntaxVisitor {
        private(set) var calls: [(String, [LabeledExprSyntax])] = []
        private static let names: Set = [
            "Package", "binaryTarget", "executableTarget", "macro", "package", "plugin", "target", "testTarget",
        ]

        init() { super.init(viewMode: .sourceAccurate) }

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            let member = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            let name = member ?? node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
            // A dependency of a target is `.target(name:)` too, inside the call of the target.
            if Self.names.contains(name) { calls.append((name, Array(node.arguments))) }
            let isTarget = name.lowercased().hasSuffix("target") || name == "macro" || name == "plugin"
            return isTarget ? .skipChildren : .visitChildren
        }
    }

    // MARK: Modules

    private func module(_ call: Call, _ mode: String) -> SourceModule? {
        guard let name = call.texts("name").first else { return nil }
        let usual = ["Sources/\(name)", "Source/\(name)", "src/\(name)", "Sources"]
        let path = call.texts("path").first ?? usual.first { FolderFiles.isFolder("\(folder)/\($0)") }
        return path.map { module(name, path: $0, call, mode) }
    }

    private func module(_ name: String, path: String, _ call: Call, _ mode: String) -> SourceModule {
        let root = ProjectFile.join(folder, path)
        let excluded = call.texts("exclude")
        let only = call.texts("sources")
        func isPart(_ file: String, of paths: [String]) -> Bool {
            paths.contains { file == $0 || file.hasPrefix($0.hasSuffix("/") ? $0 : "\($0)/") }
        }
        let files = FolderFiles.files(in: root).filter { !isPart($0, of: excluded) }
        let kinds = Dictionary(grouping: files) { FileKind(path: $0) }
        let sources = (kinds[.source] ?? []).filter { only.isEmpty || isPart($0, of: only) }
        let conditions = ["DEBUG", "SWIFT_PACKAGE"] + call.definitions
        return SourceModule(
            target: name,
            module: String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }),
            sources: sources.map { "\(root)/\($0)" },
            objectiveC: (kinds[.objectiveC] ?? []).map { "\(root)/\($0)" },
            resources: (kinds[.resource] ?? []).map { Resource(path: "\(root)/\($0)") },
            settings: BuildSettings(layers: [
                ["SWIFT_VERSION": mode, "SWIFT_ACTIVE_COMPILATION_CONDITIONS": conditions.joined(separator: " ")]
            ]),
            origins: [root, "\(folder)/Package.swift"],
            hasResourceBundle: call.has("resources")
        )
    }
}
