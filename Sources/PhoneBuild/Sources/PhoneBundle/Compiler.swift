internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject

/// One run of the Swift compiler over the copies of a module.
struct Compiler {
    /// What the compiler makes.
    enum Product {
        case program
        /// A static library, with its module in the same folder.
        case library(folder: String)
    }

    let modules: ModulesFolder
    let code: SourceModule
    let product: Product
    /// The modules of the project that the sources import, and the folder that has them.
    let frameworks: (names: [String], folder: String)
    /// The modules that a program's sources and its frameworks import, whose flags the linker needs.
    let imported: Set<String>
    /// The folder for object files and the compiler's records of them, which let it compile only what changed.
    let objects: String

    /// The file that the compiler writes.
    var output: String {
        switch product {
        case .program: "\(objects)/program"
        case .library(let folder): "\(folder)/lib\(code.module).a"
        }
    }

    /// All arguments but the sources and the output.
    var flags: [String] {
        let common = [
            "-module-name", code.module, "-parse-as-library", "-Onone", "-g", "-suppress-warnings",
            "-diagnostic-style", "llvm",
        ]
        let imports = ["-I", frameworks.folder, "-I", modules.path]
        let response = modules.flagsFiles(imported).map { "@\($0)" }
        switch product {
        case .program:
            let libraries = ["-L", frameworks.folder, "-L", modules.path] + frameworks.names.map { "-l\($0)" }
            // A module of its own is only made for the debugger, after the objects.
            let linking = [
                "-emit-executable", "-no-emit-module-separately", "-use-ld=lld", "-Xlinker", "--build-id=none",
            ]
            return common + linking + code.languageFlags + imports + libraries + response
        case .library(let folder):
            let module = ["-emit-module", "-emit-module-path", "\(folder)/\(code.module).swiftmodule"]
            return common + ["-emit-library", "-static"] + module + code.languageFlags + imports + response
        }
    }

    /// Compiles and links.
    ///
    /// - Parameter sources: The copies.
    /// - Returns: The compiler's errors; nil if it succeeded.
    /// - Throws: A diagnostic if the compiler cannot be started or its files not be written.
    func run(_ sources: [String]) throws(Diagnostic) -> String? {
        let map = "\(objects)/files.json"
        do {
            try JSONEncoder().encode(fileMap(sources)).write(to: URL(fileURLWithPath: map))
        } catch {
            throw Diagnostic(.error, map, "the file cannot be written: \(error.localizedDescription)")
        }
        return try start(flags + ["-incremental", "-output-file-map", map, "-j", "2", "-o", output] + sources)
    }

    /// Where the compiler puts what it makes of each source.
    private func fileMap(_ sources: [String]) -> [String: [String: String]] {
        var map = ["": ["swift-dependencies": "\(objects)/module.swiftdeps"]]
        for source in sources {
            let name = URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent
            map[source] = [
                "object": "\(objects)/\(name).o",
                "swift-dependencies": "\(objects)/\(name).swiftdeps",
                "swiftmodule": "\(objects)/\(name)~partial.swiftmodule",
            ]
        }
        return map
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
