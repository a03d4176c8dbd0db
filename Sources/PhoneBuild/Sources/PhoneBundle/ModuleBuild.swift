internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject
internal import PhoneRewriter

/// Builds one module from copies of its sources: the program of an extension, or a framework of its project.
struct ModuleBuild {
    /// What a build did.
    enum Outcome {
        case unchanged
        case compiled([Diagnostic])
        /// The sources cannot be rewritten, or the compiler refuses them.
        case refused([Diagnostic], output: String)
    }

    let compiler: Compiler
    /// The frameworks of the project that the sources import, each after those that it imports itself.
    let frameworks: [SourceModule]
    /// The folder for the copies and what the compiler makes of them.
    let work: String
    /// What else the product is made of, apart from the sources and the modules.
    let inputs: [String]
    /// Where modules come from that nothing here has, by their names.
    let origins: [String: String]

    private var code: SourceModule { compiler.code }

    /// Compiles the module if anything has changed.
    ///
    /// - Parameter more: Makes the generated files.
    /// - Returns: What was done.
    /// - Throws: A diagnostic if a file cannot be read or written.
    func run(
        _ more: (RewrittenTarget) throws(Diagnostic) -> [SourceFile]
    ) throws(Diagnostic) -> Outcome {
        let (stamp, stampFile) = (stamp, "\(work)/stamp")
        if stamp == Files.read(stampFile), FileManager.default.fileExists(atPath: compiler.output) { return .unchanged }
        let rewritten = try rewritten()
        if rewritten.diagnostics.contains(where: { $0.severity == .error }) {
            return .refused(rewritten.diagnostics, output: "")
        }
        var files = rewritten.files + (try more(rewritten))
        if let path = compiler.modules.shadowsFile, let text = Files.read(path) {
            files.append(SourceFile(path: "PhoneShadows.swift", text: shadows(text)))
        }
        if code.hasResourceBundle {
            let text = "import Foundation\n\nextension Bundle {\n    static var module: Bundle { .main }\n}\n"
            files.append(SourceFile(path: "PhoneResources.swift", text: text))
        }
        try forgetObjects()
        let copies = try writeCopies(files)
        if let output = try compiler.run(copies) {
            let isMissing = output.contains("cannot find")
            let missing = isMissing ? MissingModules.errors(rewritten.missingImports, origins: origins) : []
            return .refused(rewritten.diagnostics + missing, output: output)
        }
        try Files.write(stamp, to: stampFile)
        return .compiled(rewritten.diagnostics)
    }

    /// What the product is made of: if it is the same as at the last build, so is the product.
    private var stamp: String { surroundings + "\n" + Self.states(code.sources) }

    /// What the product is made of besides the module's own sources.
    private var surroundings: String {
        (compiler.flags + inputs + compiler.modules.state).joined(separator: "\n") + "\n"
            + Self.states(frameworks.flatMap(\.sources))
    }

    private static func states(_ files: [String]) -> String {
        files.map { FileState($0)?.line ?? $0 }.joined(separator: "\n")
    }

    /// Removes what the compiler made if anything but the module's own sources changed.
    ///
    /// The compiler compares whole seconds, so it would not see a framework that was built again within one.
    private func forgetObjects() throws(Diagnostic) {
        let path = "\(work)/surroundings"
        guard Files.read(path) != surroundings else { return }
        try? FileManager.default.removeItem(atPath: compiler.objects)
        try Files.createFolder(work)
        try Files.write(surroundings, to: path)
    }

    /// The copies of the sources.
    private func rewritten() throws(Diagnostic) -> RewrittenTarget {
        let modules = compiler.modules.modules.union(frameworks.map(\.module))
        var known: [RewrittenTarget] = []
        for framework in frameworks {
            let conditions = Conditions(names: Set(framework.conditions), modules: modules)
            known.append(RewrittenTarget(try Files.sources(framework), conditions))
        }
        let conditions = Conditions(names: Set(code.conditions), modules: modules)
        return RewrittenTarget(try Files.sources(code), conditions, frameworks: known)
    }

    /// The typealiases of the modules; those of a framework are public, as its own declarations are.
    private func shadows(_ text: String) -> String {
        guard case .library = compiler.product else { return text }
        return text.replacing("\ntypealias ", with: "\npublic typealias ")
    }

    /// Writes the copies that differ from those of the last build, so that the compiler sees what changed.
    ///
    /// - Returns: The paths of all copies.
    private func writeCopies(_ files: [SourceFile]) throws(Diagnostic) -> [String] {
        let folder = "\(work)/sources"
        try Files.createFolder(folder)
        try Files.createFolder(compiler.objects)
        let names = Set(files.map(\.path))
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !names.contains(name) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        for file in files where Files.read("\(folder)/\(file.path)") != file.text {
            try Self.write(file.text, to: "\(folder)/\(file.path)")
        }
        return files.map { "\(folder)/\($0.path)" }
    }

    /// Writes a copy, in a later second than the one that it replaces: by that the compiler tells what changed.
    private static func write(_ text: String, to path: String) throws(Diagnostic) {
        let earlier = FileState(path)?.modified
        try Files.write(text, to: path)
        guard let earlier else { return }
        let next = Date(timeIntervalSince1970: earlier.timeIntervalSince1970.rounded(.down) + 1)
        guard next > Date() else { return }
        try Files.perform("the file's time cannot be set", path) {
            try FileManager.default.setAttributes([.modificationDate: next], ofItemAtPath: path)
        }
    }
}

/// Files with errors that name them.
enum Files {
    /// The text of a file; nil if it cannot be read.
    static func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file, which is whole at any time.
    static func write(_ text: String, to path: String) throws(Diagnostic) {
        try perform("the file cannot be written", path) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
    }

    /// Makes a folder and those above it.
    static func createFolder(_ path: String) throws(Diagnostic) {
        try perform("the folder cannot be made", path) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    /// Waits until no other process has the file locked, and locks it.
    ///
    /// - Parameter path: The file, which is made if it is absent.
    /// - Returns: The descriptor; closing it ends the lock.
    static func lock(_ path: String) -> Int32 {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return descriptor
    }

    /// The Swift files of a module.
    static func sources(_ code: SourceModule) throws(Diagnostic) -> [SourceFile] {
        var files: [SourceFile] = []
        for path in code.sources {
            guard let text = read(path) else { throw Diagnostic(.error, path, "the source cannot be read") }
            // A byte order mark may only stand at the beginning, where the copy has something else.
            let plain = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
            files.append(SourceFile(path: path, text: plain))
        }
        return files
    }

    /// Runs what may fail for a path.
    static func perform(_ failure: String, _ path: String, _ work: () throws -> Void) throws(Diagnostic) {
        do {
            try work()
        } catch {
            throw Diagnostic(.error, path, "\(failure): \(error.localizedDescription)")
        }
    }
}
