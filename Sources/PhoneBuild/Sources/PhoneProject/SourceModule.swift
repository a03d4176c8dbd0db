internal import Foundation
internal import PhoneDiagnostics

/// The sources of one module: of an extension, or of a framework of the project.
package struct SourceModule {
    /// The name of the target; of a plain folder, the folder's name.
    package let target: String
    /// `PRODUCT_MODULE_NAME`.
    package let module: String
    /// The Swift files, wherever they stand.
    package let sources: [String]
    /// The sources that only a Mac compiles.
    package let objectiveC: [String]
    /// The resources with their places in the bundle.
    package let resources: [Resource]
    /// The settings of the target.
    package let settings: BuildSettings
    /// What else decides which files and settings there are: files of settings, manifests, synchronized folders.
    package var origins: [String] = []
    /// Whether the sources find their resources by `Bundle.module`.
    package var hasResourceBundle = false

    /// The language mode of the sources: 6 if the project says so, else 5 or the older one that is still known.
    package var swiftVersion: String {
        let major = settings["SWIFT_VERSION"].flatMap { $0.split(separator: ".").first }
        return major.flatMap { ["4", "5", "6"].contains($0) ? String($0) : nil } ?? "5"
    }

    /// The names that `#if` finds set.
    package var conditions: [String] {
        var names = settings.words("SWIFT_ACTIVE_COMPILATION_CONDITIONS")
        let flags = settings.words("OTHER_SWIFT_FLAGS")
        for (index, flag) in flags.enumerated() where flag.hasPrefix("-D") {
            let name = flag == "-D" ? flags.dropFirst(index + 1).first : String(flag.dropFirst(2))
            names += name.map { [$0] } ?? []
        }
        var known: Set<String> = []
        return names.filter { known.insert($0).inserted }
    }

    /// The flags of the compiler that change what a source means.
    package var languageFlags: [String] {
        var flags = ["-swift-version", swiftVersion]
        if settings["SWIFT_DEFAULT_ACTOR_ISOLATION"] == "MainActor" { flags += ["-default-isolation", "MainActor"] }
        var features: Set<String> = []
        if settings.isOn("SWIFT_APPROACHABLE_CONCURRENCY") {
            features = ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"]
            if swiftVersion != "6" {
                features.formUnion([
                    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferSendableFromCaptures",
                ])
            }
        }
        let prefix = "SWIFT_UPCOMING_FEATURE_"
        for name in settings.names(prefix: prefix) where settings.isOn(name) {
            let words = name.dropFirst(prefix.count).split(separator: "_")
            features.insert(
                words.map { Self.spelling[String($0)] ?? $0.prefix(1) + $0.dropFirst().lowercased() }.joined()
            )
        }
        // A file needs no import of what it uses: the copy would need one of each module behind UIKit.
        features.remove("MemberImportVisibility")
        return flags + features.sorted().flatMap { ["-enable-upcoming-feature", $0] } + conditions.map { "-D\($0)" }
    }

    /// The words in names of upcoming features that are not written in lower case after their first letter.
    private static let spelling: [String: Substring] = ["OBJC": "ObjC", "NONISOLATED": "Nonisolated"]
}

// MARK: - Imports

extension SourceModule {
    /// The modules that the sources import, directly or through others, each after those that it needs itself.
    ///
    /// - Parameter all: The modules of the project and of its packages.
    /// - Returns: Those of them that the sources need.
    package func needed(among all: [SourceModule]) -> [SourceModule] {
        var needed: [SourceModule] = []
        var visited: Set = [module]
        func visit(_ code: SourceModule) {
            let imported = code.imports
            for module in all where imported.contains(module.module) && visited.insert(module.module).inserted {
                visit(module)
                needed.append(module)
            }
        }
        visit(self)
        return needed
    }

    /// The names of the modules that the sources import.
    package var imports: Set<String> {
        let statement = #/(?m)^[^/\n]*\bimport\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)/#
        let texts = sources.compactMap { FileManager.default.contents(atPath: $0) }
        let names = texts.flatMap { String(decoding: $0, as: UTF8.self).matches(of: statement).map { String($0.1) } }
        return Set(names)
    }
}
