import ExtensionHost
import Foundation
import TestSupport
import Testing

@Suite struct ExecutableTests {
    /// Looks for the executable of a bundle; files outside the bundle can be created beside its folder.
    private func find(
        host: String = "/nowhere",
        bundle: String = "bundle",
        _ prepare: (_ root: String, _ folder: BundleFolder) throws -> Void
    ) throws -> Result<String, BundleProblem> {
        try withTemporaryDirectory { root in
            let folder = try BundleFolder("\(root)/\(bundle)")
            try prepare(root, folder)
            let bundle = try ExtensionBundle(folder: folder.path)
            let host = host.hasPrefix("/") ? host : "\(root)/\(host)"
            do throws(BundleProblem) {
                let path = try bundle.executablePath(hostFolder: host)
                return .success(String(path.dropFirst(root.count + 1)))
            } catch {
                return .failure(error)
            }
        }
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test("A file in the bundle is found")
    func inBundle() throws {
        #expect(try find { try $1.write("#!/bin/sh\n", to: "run") } == .success("bundle/run"))
    }

    @Test("A missing executable is reported with the places where it could be")
    func missing() throws {
        let problem = try failure(find { _, _ in })
        #expect(problem.message.contains("is missing"))
        #expect(problem.message.contains("bundle/run"))
    }

    @Test("A file that is not executable is reported with the remedy")
    func notExecutable() throws {
        let problem = try failure(find { try $1.write("#!/bin/sh\n", to: "run", mode: 0o644) })
        #expect(problem.message.contains("chmod +x"))
        #expect(problem.path.hasSuffix("bundle/run"))
    }

    @Test("A folder of that name is not executable")
    func folder() throws {
        let found = try find { _, folder in
            try FileManager.default.createDirectory(atPath: "\(folder.path)/run", withIntermediateDirectories: true)
        }
        #expect(throws: BundleProblem.self) { try found.get() }
    }

    @Test("A link leads to an executable outside the bundle, such as one in the .build of another package")
    func leavingLink() throws {
        let found = try find { root, folder in
            let outside = try BundleFolder("\(root)/package/.build/debug")
            try outside.write("#!/bin/sh\n", to: "coupon")
            try link("\(folder.path)/run", to: "../package/.build/debug/coupon")
        }
        #expect(found == .success("package/.build/debug/coupon"))
    }

    @Test("A link to what is not a file is refused", arguments: [("/", "a folder"), ("/dev/null", "not a file")])
    func linkToNoFile(target: String, kind: String) throws {
        let problem = try failure(find { try link("\($1.path)/run", to: target) })
        #expect(problem.message == "it is \(kind), not an executable")
    }

    @Test("A dangling link is reported with its target, such as an executable that was not built yet")
    func danglingLink() throws {
        let problem = try failure(find { try link("\($1.path)/run", to: ".build/debug/run") })
        let message = "its executable run is missing: it is a link to .build/debug/run, which does not exist"
        #expect(problem.message == message)
    }

    @Test("A dangling link into a package that was not built says what to install and how to build it")
    func unbuiltPackage() throws {
        let problem = try failure(
            find { root, folder in
                let package = try BundleFolder("\(root)/package")
                try package.write(
                    #"[.systemLibrary(providers: [.apt(["libb-dev", "libc-dev"])])]"#,
                    to: "Package.swift"
                )
                try link("\(folder.path)/run", to: "../package/.build/release/coupon")
            }
        )
        let match = problem.message.firstMatch(of: /which does not exist; build it: (.*)$/)
        let command = try #require(match.map { String($0.1) }, "\(problem.message)")
        #expect(command.hasPrefix("apt-get install libb-dev libc-dev && swift build -c release --package-path /"))
        #expect(command.hasSuffix("/package"))
    }

    @Test("A bundle that is reached through a link has the path of the link's target")
    func linkedBundle() throws {
        try withTemporaryDirectory { root in
            let folder = try BundleFolder("\(root)/real")
            try folder.write("#!/bin/sh\n", to: "run")
            try link("\(root)/alias", to: "real")
            let bundle = try ExtensionBundle(folder: "\(root)/alias")
            #expect(bundle.path == folder.path)
            #expect(try bundle.executablePath(hostFolder: "/nowhere") == "\(folder.path)/run")
        }
    }

    @Test("An executable beside the host counts only if bundle and host belong to the same package")
    func besideHost() throws {
        func build(_ root: String, _ folder: BundleFolder) throws {
            try FileManager.default.createDirectory(
                atPath: "\(root)/package/.build/debug",
                withIntermediateDirectories: true
            )
            let path = "\(root)/package/.build/debug/run"
            try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let host = "package/.build/debug"
        #expect(try find(host: host, bundle: "package/plugins/a", build) == .success("package/.build/debug/run"))
        #expect(throws: BundleProblem.self) { try find(host: host, bundle: "elsewhere/a", build).get() }
        #expect(throws: BundleProblem.self) { try find(host: host, bundle: "package2/a", build).get() }
        let own = try find(host: host, bundle: "package/plugins/a") { root, folder in
            try build(root, folder)
            try folder.write("#!/bin/sh\n", to: "run")
        }
        #expect(own == .success("package/plugins/a/run"), "the bundle's own comes first")
    }

    @Test("A host of no package finds what the package around the bundle has built, the newest first")
    func builtAround() throws {
        func build(_ root: String, _ configurations: [String], manifest: String = "// \"run\"", mode: Int = 0o755)
            throws
        {
            for (age, configuration) in configurations.enumerated() {
                let folder = try BundleFolder("\(root)/package/.build/\(configuration)")
                try folder.write("#!/bin/sh\n", to: "run", mode: mode)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -60 * Double(age + 1))],
                    ofItemAtPath: "\(folder.path)/run"
                )
            }
            try Data(manifest.utf8).write(to: URL(filePath: "\(root)/package/Package.swift"))
        }
        let bundle = "package/plugins/a"
        for configurations in [["debug"], ["release"], ["debug", "release"], ["release", "debug"]] {
            let found = try find(bundle: bundle) { root, _ in try build(root, configurations) }
            #expect(found == .success("package/.build/\(configurations[0])/run"))
        }
        let own = try find(bundle: bundle) { root, folder in
            try build(root, ["debug"])
            try folder.write("#!/bin/sh\n", to: "run")
        }
        #expect(own == .success("package/plugins/a/run"), "the bundle's own comes first")
        #expect(throws: BundleProblem.self) {
            try find(bundle: "elsewhere/a") { root, _ in try build(root, ["debug"]) }.get()
        }
        let writable = try failure(find(bundle: bundle) { root, _ in try build(root, ["debug"], mode: 0o757) })
        #expect(writable.message.hasSuffix("/package"), "\(writable.message)")
        let unbuilt = try failure(find(bundle: bundle) { root, _ in try build(root, []) })
        #expect(unbuilt.message.contains("; build it: swift build --package-path /"), "\(unbuilt.message)")
        let foreign = try failure(find(bundle: bundle) { root, _ in try build(root, [], manifest: "// \"other\"") })
        #expect(!foreign.message.contains("build it"), "\(foreign.message)")
    }

    @Test("A manifest that is a pipe is not waited for")
    func pipeManifest() throws {
        let problem = try failure(
            find { root, folder in
                try FileManager.default.createDirectory(atPath: "\(root)/package", withIntermediateDirectories: true)
                try #require(mkfifo("\(root)/package/Package.swift", 0o600) == 0)
                try link("\(folder.path)/run", to: "../package/.build/debug/run")
            }
        )
        #expect(problem.message.hasSuffix("which does not exist"), "\(problem.message)")
    }

    private func failure(_ found: Result<String, BundleProblem>) throws -> BundleProblem {
        guard case .failure(let problem) = found else { throw TestFailure("found \(found)") }
        return problem
    }
}
