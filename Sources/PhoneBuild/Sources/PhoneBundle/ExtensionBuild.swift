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
    /// The folder with what a build keeps for the next one; hidden, so that the host sees no bundle in it.
    private let work: String
    /// The frameworks that the program needs, each after those that it needs itself.
    private let frameworks: [SourceModule]

    /// A build of an extension into a folder of bundles.
    package init(_ plan: NotificationExtension, modules: ModulesFolder, output: String) {
        (self.plan, self.modules) = (plan, modules)
        let output = URL(fileURLWithPath: output).standardizedFileURL.path
        work = "\(output)/.build"
        frameworks = plan.code.needed(among: plan.frameworks)
        bundle = BundleFolder(plan, frameworks: frameworks, in: output)
    }

    /// Every file whose change asks for a new build.
    package var inputs: [String] {
        let lists = [plan.infoPlistPath, plan.entitlementsPath].compactMap(\.self)
        let files = ([plan.code] + frameworks).flatMap { $0.sources + $0.resources.map(\.path) + $0.origins }
        return Set([plan.project] + lists + files).sorted()
    }

    /// The names of all modules that the program's sources and its frameworks import.
    private var imports: Set<String> {
        ([plan.code] + frameworks).reduce(into: []) { $0.formUnion($1.imports) }
    }

    // MARK: Building

    /// Writes the bundle, and compiles its program if anything has changed.
    ///
    /// - Throws: Why there is none.
    package func run() throws(Failure) -> Result {
        let warnings = plan.warnings + ([plan.code] + frameworks).flatMap(\.objectiveC).map(Self.objectiveCWarning)
        let outcome: ModuleBuild.Outcome
        do {
            try checkOutput()
            try Files.createFolder(work)
            let lock = Files.lock("\(work)/lock")
            defer { close(lock) }
            outcome = try build()
        } catch {
            throw Failure(diagnostics: warnings + [error], compilerOutput: "")
        }
        switch outcome {
        case .unchanged: return Result(bundle: bundle.path, isCompiled: false, warnings: warnings)
        case .compiled(let more): return Result(bundle: bundle.path, isCompiled: true, warnings: warnings + more)
        case .refused(let more, let output): throw Failure(diagnostics: warnings + more, compilerOutput: output)
        }
    }

    /// Refuses a folder for the bundles from which the next build would take them as resources.
    private func checkOutput() throws(Diagnostic) {
        let output = URL(fileURLWithPath: work).deletingLastPathComponent().path
        for folder in [plan.project] + plan.code.origins where "\(output)/".hasPrefix("\(folder)/") {
            let text =
                "the bundles would become resources of the target \(plan.code.target): name a folder outside \(folder)"
            throw Diagnostic(.error, output, text)
        }
    }

    private func build() throws(Diagnostic) -> ModuleBuild.Outcome {
        guard !plan.code.sources.isEmpty else {
            let text = "the target \(plan.code.target) has no Swift source: an extension in Objective-C cannot be built"
            throw Diagnostic(.error, plan.code.objectiveC.first ?? plan.project, text)
        }
        try bundle.update()
        try Files.createFolder(frameworkFolder)
        for (index, framework) in frameworks.enumerated() {
            let product = Compiler.Product.library(folder: frameworkFolder)
            let build = moduleBuild(framework, product, frameworks: Array(frameworks[..<index]))
            let outcome = try build.run { rewritten in
                [SourceFile(path: "PhoneModule.swift", text: FrameworkRegistration.text(framework.module, rewritten))]
            }
            if case .refused = outcome { return outcome }
        }
        let build = moduleBuild(plan.code, .program, frameworks: frameworks)
        let outcome = try build.run { rewritten throws(Diagnostic) in
            let entry = try EntryPoint(plan, rewritten, frameworks: frameworks.map(\.module))
            return [SourceFile(path: "PhoneEntryPoint.swift", text: entry.text)]
        }
        if case .refused = outcome { return outcome }
        try install(build.compiler.output)
        return outcome
    }

    private var frameworkFolder: String { "\(work)/frameworks" }

    private func moduleBuild(
        _ code: SourceModule,
        _ product: Compiler.Product,
        frameworks: [SourceModule]
    ) -> ModuleBuild {
        let isProgram = if case .program = product { true } else { false }
        let folder = isProgram ? "\(work)/\(plan.code.target)" : "\(frameworkFolder)/\(code.module).build"
        let compiler = Compiler(
            modules: modules,
            code: code,
            product: product,
            frameworks: (frameworks.map(\.module), frameworkFolder),
            imported: isProgram ? imports : [],
            objects: "\(folder)/objects"
        )
        let storyboards = code.resources.map(\.path).filter { $0.hasSuffix(".storyboard") }
        let entry =
            [plan.principalClass, plan.storyboard].map { $0 ?? "" } + storyboards.map { FileState($0)?.line ?? $0 }
        return ModuleBuild(
            compiler: compiler,
            frameworks: frameworks,
            work: folder,
            inputs: isProgram ? entry : [],
            origins: plan.origins
        )
    }

    /// Puts the program into the bundle, if the one there is another.
    private func install(_ program: String) throws(Diagnostic) {
        try Files.perform("the program cannot be put into the bundle", bundle.executable) {
            let manager = FileManager.default
            let state = FileState(program)
            if let known = FileState(bundle.executable), known.size == state?.size, known.modified == state?.modified {
                return
            }
            let new = "\(work)/\(plan.code.target)/installed"
            try? manager.removeItem(atPath: new)
            try manager.copyItem(atPath: program, toPath: new)
            var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
            attributes[.modificationDate] = state?.modified
            try manager.setAttributes(attributes, ofItemAtPath: new)
            guard rename(new, bundle.executable) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    private static func objectiveCWarning(_ path: String) -> Diagnostic {
        Diagnostic(.warning, path, "Objective-C and C are not built: Swift code does not find what this file declares")
    }
}
