internal import Foundation
package import PhoneDiagnostics

/// Builds the package PhoneKit, and puts what extensions are compiled against into one folder.
package struct ModulesAssembly {
    /// The folder of the package.
    private let package: String
    /// Whether the optimizer runs.
    private let isRelease: Bool
    /// Where Swift keeps what it builds; nil for the package's own folder.
    private let scratch: String?

    /// The modules of the host's package that PhoneKit's modules are made of.
    private static let wire = ["JSON", "JSONRPC"]
    /// The modules of swift-crypto that CryptoKit is made of.
    private static let cryptography = ["Crypto", "CryptoBoringWrapper"]
    /// The library that only some extensions need, and the modules whose import links it.
    private static let optional = (library: "CryptoKit", modules: ["CommonCrypto", "CryptoKit"])
    /// The libraries of Swift that the modules need besides PhoneKit itself.
    private static let linked = ["swiftSynchronization", "FoundationXML", "FoundationNetworking", "Foundation"]

    /// An assembly of the package in a folder.
    package init(package: String, isRelease: Bool, scratch: String?) {
        self.package = URL(fileURLWithPath: package).standardizedFileURL.path
        (self.isRelease, self.scratch) = (isRelease, scratch)
    }

    /// Builds the package, and writes the folder.
    ///
    /// - Parameter output: The folder; what an earlier assembly wrote is replaced.
    /// - Returns: The names of the modules.
    /// - Throws: A diagnostic if the package cannot be built, or if a file is absent.
    package func run(output: String) throws(Diagnostic) -> [String] {
        let libraries = ["PhoneKit", Self.optional.library]
        for library in libraries { _ = try swift(["build", "--product", library], isShown: true) }
        let products = try swift(["build", "--show-bin-path"], isShown: false).trimmingCharacters(in: .newlines)
        try Files.createFolder(output)
        let own = (try? FileManager.default.contentsOfDirectory(atPath: "\(package)/Sources")) ?? []
        let names = (own + Self.wire + Self.cryptography).filter {
            FileManager.default.fileExists(atPath: "\(products)/Modules/\($0).swiftmodule")
        }
        for name in names { try copy("\(products)/Modules/\(name).swiftmodule", to: output) }
        let overlays = (try? FileManager.default.contentsOfDirectory(atPath: "\(package)/Overlays")) ?? []
        for name in overlays { try copy("\(package)/Overlays/\(name)", to: output) }
        // All overlays are for files that import SwiftUI too; others are compiled without the search for them.
        try Files.write("-Xfrontend\n-enable-cross-import-overlays\n", to: "\(output)/SwiftUI.flags")
        for library in libraries { try copy("\(products)/lib\(library).a", to: output) }
        try copy("\(package)/Shadows.swift", to: output)
        let system = systemLibraries
        for library in system { try copy(library.folder, to: output) }
        let linked = ["PhoneKit"] + Self.linked + system.flatMap(\.linked)
        let flags = linked.map { "-l\($0)" }.joined(separator: "\n")
        try Files.write("\(flags)\n", to: "\(output)/phonekit.flags")
        for module in Self.optional.modules {
            // BoringSSL is of C++.
            try Files.write("-l\(Self.optional.library)\n-lstdc++\n", to: "\(output)/\(module).flags")
        }
        return names.sorted()
    }

    /// The folders with the maps of C modules that the host's modules import, and the libraries that these name.
    private var systemLibraries: [(folder: String, linked: [String])] {
        let sources = URL(fileURLWithPath: package).deletingLastPathComponent().path
        let files = Self.wire.flatMap { module in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(module)")) ?? [])
                .map { "\(sources)/\(module)/\($0)" }
        }
        let imports = files.compactMap(Files.read).flatMap { $0.matches(of: /\bimport (C\w+)/).map { String($0.1) } }
        return Set(imports).sorted().compactMap { name in
            guard let map = Files.read("\(sources)/\(name)/module.modulemap") else { return nil }
            return ("\(sources)/\(name)", map.matches(of: /\blink "([^"]+)"/).map { String($0.1) })
        }
    }

    private func copy(_ path: String, to folder: String) throws(Diagnostic) {
        let target = "\(folder)/\(URL(fileURLWithPath: path).lastPathComponent)"
        try Files.perform("the file cannot be copied", path) {
            try? FileManager.default.removeItem(atPath: target)
            try FileManager.default.copyItem(
                atPath: URL(fileURLWithPath: path).standardizedFileURL.path,
                toPath: target
            )
        }
    }

    /// Runs `swift` for the package.
    ///
    /// - Returns: What it wrote to stdout; nothing if that is shown.
    private func swift(_ arguments: [String], isShown: Bool) throws(Diagnostic) -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let place = ["--package-path", package] + (scratch.map { ["--scratch-path", $0] } ?? [])
        process.arguments = ["swift"] + arguments + place + ["-c", isRelease ? "release" : "debug"]
        // Progress goes to stderr, so that stdout has only the result.
        process.standardOutput = isShown ? FileHandle.standardError : output
        do {
            try process.run()
        } catch {
            throw Diagnostic(.error, package, "swift cannot be started: \(error.localizedDescription)")
        }
        let data = isShown ? Data() : output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Diagnostic(.error, package, "the package cannot be built; its errors are above")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
