internal import Foundation
package import PhoneDiagnostics
package import PhoneProject
internal import PhoneRewriter

/// Builds the bundle of one notification extension.
package struct ExtensionBuild {
    /// What a build did.
    package struct Result {
        /// The folder of the bundle.
        package let bundle: String
        /// Whether the program was compiled; false if nothing had changed.
        package let isCompiled: Bool
        /// What does not prevent the build.
        package let warnings: [Diagnostic]
    }

    /// Why there is no bundle.
    package struct Failure: Error {
        /// The errors and the warnings, in the order in which they are printed.
        package let diagnostics: [Diagnostic]
        /// What the compiler printed, unchanged.
        package let compilerOutput: String
    }

    private let plan: NotificationExtension
    private let modules: ModulesFolder
    private let bundle: BundleFolder
    /// The folder for the copies and what the compiler makes of them; hidden, so that the host sees no bundle in it.
    private let work: String

    /// A build of an extension into a folder of bundles.
    package init(_ plan: NotificationExtension, modules: ModulesFolder, output: String) {
        (self.plan, self.modules) = (plan, modules)
        let output = URL(fileURLWithPath: output).standardizedFileURL.path
        bundle = BundleFolder(plan, in: output)
        work = "\(output)/.build/\(plan.product)"
    }

    /// Every file whose change asks for a new build.
    package static func inputs(of plan: NotificationExtension) -> [String] {
        let lists = [plan.infoPlistPath, plan.entitlementsPath].compactMap(\.self)
        return Set([plan.project] + lists + plan.sources + plan.resources.map(\.path)).sorted()
    }

    /// Writes the bundle, and compiles its program if anything has changed.
    ///
    /// - Throws: Why there is none.
    package func run() throws(Failure) -> Result {
        let warnings = plan.warnings + objectiveCWarnings
        let outcome: Compilation
        do throws(Diagnostic) {
            guard !plan.sources.isEmpty else {
                let text = "the target \(plan.target) has no Swift source: an extension in Objective-C cannot be built"
                throw Diagnostic(.error, plan.objectiveC.first ?? plan.project, text)
            }
            try bundle.update()
            outcome = try compile()
        } catch {
            throw Failure(diagnostics: warnings + [error], compilerOutput: "")
        }
        switch outcome {
        case .unchanged: return Result(bundle: bundle.path, isCompiled: false, warnings: warnings)
        case .compiled(let more): return Result(bundle: bundle.path, isCompiled: true, warnings: warnings + more)
        case .refused(let more, let output): throw Failure(diagnostics: warnings + more, compilerOutput: output)
        }
    }

    // MARK: Compiling

    private enum Compilation {
        case unchanged
        case compiled([Diagnostic])
        case refused([Diagnostic], output: String)
    }

    private func compile() throws(Diagnostic) -> Compilation {
        let compiler = Compiler(modules, plan, objects: "\(work)/objects")
        let stamp = stamp(compiler)
        if stamp == read("\(work)/stamp"), FileManager.default.fileExists(atPath: bundle.executable) {
            return .unchanged
        }
        let rewritten = RewrittenTarget(
            try sources(),
            Conditions(names: Set(plan.conditions), modules: modules.modules)
        )
        if rewritten.diagnostics.contains(where: { $0.severity == .error }) {
            return .refused(rewritten.diagnostics, output: "")
        }
        let copies = try writeCopies(rewritten, EntryPoint(plan, rewritten))
        let program = "\(work)/objects/program"
        if let output = try compiler.run(copies, executable: program) {
            return .refused(rewritten.diagnostics + missingModules(rewritten), output: output)
        }
        try perform("the program cannot be put into the bundle", bundle.executable) {
            try? FileManager.default.removeItem(atPath: bundle.executable)
            try FileManager.default.moveItem(atPath: program, toPath: bundle.executable)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle.executable)
        }
        try write(stamp, to: "\(work)/stamp")
        return .compiled(rewritten.diagnostics)
    }

    /// What the program is made of: if it is the same as at the last build, so is the program.
    private func stamp(_ compiler: Compiler) -> String {
        let files = plan.sources + plan.resources.map(\.path).filter { $0.hasSuffix(".storyboard") }
        let entry = [plan.principalClass, plan.storyboard].map { $0 ?? "" }
        return (compiler.flags + entry + modules.state + files.map { FileState($0)?.line ?? $0 }).joined(
            separator: "\n"
        )
    }

    private func sources() throws(Diagnostic) -> [SourceFile] {
        var files: [SourceFile] = []
        for path in plan.sources {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Diagnostic(.error, path, "the source cannot be read")
            }
            files.append(SourceFile(path: path, text: String(decoding: data, as: UTF8.self)))
        }
        return files
    }

    /// Writes the copies that differ from those of the last build, so that the compiler sees what changed.
    ///
    /// - Returns: The paths of all copies.
    private func writeCopies(_ rewritten: RewrittenTarget, _ entry: EntryPoint) throws(Diagnostic) -> [String] {
        let folder = "\(work)/sources"
        try perform("the folder cannot be made", folder) {
            for folder in [folder, "\(work)/objects"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
        }
        var files = rewritten.files + [SourceFile(path: "PhoneEntryPoint.swift", text: entry.text)]
        if let shadows = modules.shadowsFile, let text = read(shadows) {
            files.append(SourceFile(path: "PhoneShadows.swift", text: text))
        }
        let names = Set(files.map(\.path))
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !names.contains(name) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        for file in files where read("\(folder)/\(file.path)") != file.text {
            try write(file.text, to: "\(folder)/\(file.path)")
        }
        return files.map { "\(folder)/\($0.path)" }
    }

    // MARK: Diagnostics

    /// Warnings about sources that are left out.
    private var objectiveCWarnings: [Diagnostic] {
        plan.objectiveC.map {
            Diagnostic(
                .warning,
                $0,
                "Objective-C and C are not built: Swift code does not find what this file declares"
            )
        }
    }

    /// An error for each module that the sources import, and that may be why they were not compiled.
    private func missingModules(_ rewritten: RewrittenTarget) -> [Diagnostic] {
        var known: Set<String> = []
        return rewritten.missingImports.filter { known.insert($0.module).inserted }.map { missing in
            let isOwn = plan.libraries.contains(missing.module) || plan.dependencies.contains(missing.module)
            let text =
                isOwn
                ? "is not built with the extension: compile the files that it needs into its target"
                : "is no part of PhoneKit: keep what uses it out of the extension's target, or in #if canImport(…)"
            let message = "the module \(missing.module) \(text)"
            return Diagnostic(
                .error,
                missing.place.path,
                line: missing.place.line,
                column: missing.place.column,
                message
            )
        }
    }

    // MARK: Files

    private func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func write(_ text: String, to path: String) throws(Diagnostic) {
        try perform("the file cannot be written", path) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
    }

    private func perform(_ failure: String, _ path: String, _ work: () throws -> Void) throws(Diagnostic) {
        do {
            try work()
        } catch {
            throw Diagnostic(.error, path, "\(failure): \(error.localizedDescription)")
        }
    }
}
