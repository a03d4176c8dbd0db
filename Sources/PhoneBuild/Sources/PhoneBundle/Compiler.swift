internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject

/// One run of the Swift compiler over the copies of a target.
struct Compiler {
    private let modules: ModulesFolder
    private let plan: NotificationExtension
    /// The folder for object files and the compiler's records of them.
    private let objects: String

    /// A compiler that keeps what it made in a folder, so that a later run compiles only what changed.
    init(_ modules: ModulesFolder, _ plan: NotificationExtension, objects: String) {
        (self.modules, self.plan, self.objects) = (modules, plan, objects)
    }

    /// All arguments but the sources and the output.
    var flags: [String] {
        let libraries = ["-I", modules.path, "-L", modules.path]
        return [
            "-module-name", plan.module, "-parse-as-library", "-emit-executable", "-Onone", "-g", "-suppress-warnings",
            "-no-emit-module-separately", "-diagnostic-style", "llvm",
            "-use-ld=lld", "-Xlinker", "--build-id=none",
        ] + plan.languageFlags + libraries + (modules.flagsFile.map { ["@\($0)"] } ?? [])
    }

    /// Compiles and links.
    ///
    /// - Parameters:
    ///   - sources: The copies.
    ///   - executable: The file that is written.
    /// - Returns: The compiler's errors; nil if it succeeded.
    /// - Throws: A diagnostic if the compiler cannot be started or its files not be written.
    func run(_ sources: [String], executable: String) throws(Diagnostic) -> String? {
        let map = "\(objects)/files.json"
        try write(fileMap(sources), to: map)
        let incremental = ["-incremental", "-output-file-map", map, "-j", "2"]
        return try start(flags + incremental + ["-o", executable] + sources)
    }

    /// Where the compiler puts what it makes of each source, as JSON.
    private func fileMap(_ sources: [String]) throws(Diagnostic) -> Data {
        var map = ["": ["swift-dependencies": "\(objects)/module.swiftdeps"]]
        for source in sources {
            let name = URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent
            map[source] = [
                "object": "\(objects)/\(name).o",
                "swift-dependencies": "\(objects)/\(name).swiftdeps",
                "swiftmodule": "\(objects)/\(name)~partial.swiftmodule",
            ]
        }
        do {
            return try JSONEncoder().encode(map)
        } catch {
            throw Diagnostic(.error, objects, "the list of the compiler's files cannot be written: \(error)")
        }
    }

    private func write(_ data: Data, to path: String) throws(Diagnostic) {
        do {
            try data.write(to: URL(fileURLWithPath: path))
        } catch {
            throw Diagnostic(.error, path, "the file cannot be written: \(error.localizedDescription)")
        }
    }

    private func start(_ arguments: [String]) throws(Diagnostic) -> String? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: modules.compiler)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw Diagnostic(.error, modules.compiler, "the compiler cannot be started: \(error.localizedDescription)")
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return nil }
        return CompilerOutput.withoutRepetitions(String(decoding: data, as: UTF8.self))
    }
}
