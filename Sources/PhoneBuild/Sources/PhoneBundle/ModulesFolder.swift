internal import Foundation
package import PhoneDiagnostics

/// The folder with the built modules of PhoneKit: `UIKit.swiftmodule` and the like, their libraries, the flags of the
/// compiler in `phonekit.flags`, and `Shadows.swift`, which is compiled as a part of each extension.
package struct ModulesFolder: Sendable {
    /// The absolute path.
    package let path: String
    /// The compiler.
    package let compiler: String
    /// The names of all modules that the compiler finds, PhoneKit's and Swift's own.
    package let modules: Set<String>

    /// The modules without which nothing can be built.
    private static let required = ["PhoneKit", "PhoneRuntime", "UIKit", "UserNotifications"]

    /// Opens the folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - compiler: The path of `swiftc`; nil to search it.
    /// - Throws: A diagnostic if modules are absent, or if there is no compiler.
    package init(_ path: String, compiler: String?) throws(Diagnostic) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        guard let found = compiler ?? Self.search("swiftc") else {
            throw Diagnostic(
                .error,
                "swiftc",
                "there is no such program in PATH: install Swift, or name it with --swiftc"
            )
        }
        self.compiler = found
        let own = Self.moduleNames(self.path)
        for name in Self.required where !own.contains(name) {
            throw Diagnostic(
                .error,
                self.path,
                "the folder has no module \(name): name the one with PhoneKit's modules"
            )
        }
        modules = own.union(Self.moduleNames(Self.standardModules(found)))
    }

    /// The response files with flags of the compiler: `phonekit.flags`, and `NAME.flags` of modules that are imported.
    func flagsFiles(_ imports: Set<String>) -> [String] {
        (["phonekit"] + imports.sorted()).compactMap { file("\($0).flags") }
    }

    /// The typealiases that stand before types of Foundation.
    var shadowsFile: String? { file("Shadows.swift") }

    /// The modules of Swift itself that a source finds without more than an import.
    private static let ofSwift = [
        "Dispatch", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Glibc", "Observation", "RegexBuilder", "Swift", "Synchronization", "_Concurrency",
        "_StringProcessing",
    ]

    /// The names that PhoneKit and Swift have.
    var knownNames: KnownNames {
        let own = Self.moduleNames(path).sorted().map { "\(path)/\($0).swiftmodule" }
        let standard = Self.standardModules(compiler)
        let files = Self.ofSwift.flatMap { name in
            let folder = "\(standard)/\(name).swiftmodule"
            return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasSuffix(".swiftmodule") }.map { "\(folder)/\($0)" }
        }
        return KnownNames(own + files)
    }

    /// What tells one state of the modules from another: the names, sizes and times of the files.
    var state: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().compactMap { FileState("\(path)/\($0)")?.line } + [FileState(compiler)?.line ?? compiler]
    }

    private func file(_ name: String) -> String? {
        FileManager.default.fileExists(atPath: "\(path)/\(name)") ? "\(path)/\(name)" : nil
    }

    private static func moduleNames(_ folder: String) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let ending = ".swiftmodule"
        return Set(names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) })
    }

    /// The path of a program.
    private static func search(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// The folder with the modules of a compiler.
    private static func standardModules(_ compiler: String) -> String {
        #if os(macOS)
        let platform = "macosx"
        #else
        let platform = "linux"
        #endif
        let program = URL(fileURLWithPath: compiler).resolvingSymlinksInPath()
        return program.deletingLastPathComponent().deletingLastPathComponent().path + "/lib/swift/\(platform)"
    }
}

/// The size and the time of a file, by which a change is noticed.
struct FileState: Equatable {
    let path: String
    let size: Int
    let modified: Date

    /// - Returns: nil if there is no such file.
    init?(_ path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        self.path = path
        size = attributes[.size] as? Int ?? 0
        modified = attributes[.modificationDate] as? Date ?? .distantPast
    }

    /// The state as a line of a stamp.
    var line: String { "\(path) \(size) \(modified.timeIntervalSince1970)" }
}
