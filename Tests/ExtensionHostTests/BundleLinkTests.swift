import ExtensionHost
import Foundation
import TestSupport
import Testing

/// The files of a bundle must lie in the bundle, and the bundles of a folder in that folder.
@Suite struct BundleLinkTests {
    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test("An Info.plist that is a link out of the bundle is refused")
    func infoPlist() throws {
        try withTemporaryDirectory { root in
            _ = try BundleFolder("\(root)/outside")
            try FileManager.default.createDirectory(atPath: "\(root)/plugins/a", withIntermediateDirectories: true)
            try link("\(root)/plugins/a/Info.plist", to: "../../outside/Info.plist")
            let catalog = BundleCatalog(folders: ["\(root)/plugins"])
            #expect(catalog.bundles.isEmpty)
            #expect(catalog.problems.map(\.path) == ["\(root)/plugins/a/Info.plist"])
            #expect(catalog.problems.first?.message.contains("leaves the bundle") == true)
        }
    }

    @Test("Entitlements that are a link out of the bundle give access to no suite")
    func entitlements() throws {
        try withTemporaryDirectory { root in
            let outside = try BundleFolder("\(root)/outside")
            let list: [String: Any] = ["com.apple.security.application-groups": ["group.a"]]
            try outside.write(list, to: "all.entitlements")
            let inside = try BundleFolder("\(root)/inside")
            try link("\(inside.path)/run.entitlements", to: "\(outside.path)/all.entitlements")
            let bundle = try ExtensionBundle(folder: inside.path)
            #expect(bundle.applicationGroups == [])
            #expect(bundle.problems.map(\.path) == ["\(inside.path)/run.entitlements"])
            #expect(bundle.problems.first?.message.contains("leaves the bundle") == true)
        }
    }

    @Test("A link within the bundle is followed")
    func within() throws {
        try withTemporaryDirectory { root in
            let folder = try BundleFolder("\(root)/a")
            let manager = FileManager.default
            try manager.createDirectory(atPath: "\(folder.path)/real", withIntermediateDirectories: true)
            try manager.moveItem(atPath: "\(folder.path)/Info.plist", toPath: "\(folder.path)/real/Info.plist")
            try link("\(folder.path)/Info.plist", to: "real/Info.plist")
            #expect(try ExtensionBundle(folder: folder.path).problems == [])
        }
    }

    @Test("A link out of the folder of bundles is refused, unless it is named itself")
    func entry() throws {
        try withTemporaryDirectory { root in
            let outside = try BundleFolder("\(root)/outside")
            let plugins = "\(root)/plugins"
            try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
            try link("\(plugins)/link", to: outside.path)
            try link("\(plugins)/dots", to: "../outside")
            let catalog = BundleCatalog(folders: [plugins])
            #expect(catalog.bundles.isEmpty)
            #expect(catalog.problems.map(\.path) == ["\(plugins)/dots", "\(plugins)/link"])
            #expect(catalog.problems.first?.message.contains("--plugins") == true)
            #expect(BundleCatalog(folders: ["\(plugins)/link"]).bundles.map(\.path) == [outside.path])
        }
    }

    @Test("A folder of bundles may be a link itself, and its entries may be links to each other")
    func folder() throws {
        try withTemporaryDirectory { root in
            let bundle = try BundleFolder("\(root)/plugins/a")
            try link("\(root)/link", to: "plugins")
            #expect(BundleCatalog(folders: ["\(root)/link"]).bundles.map(\.path) == [bundle.path])
            try link("\(root)/plugins/b", to: "a")
            let catalog = BundleCatalog(folders: ["\(root)/plugins"])
            #expect(catalog.bundles.count == 1)
            #expect(catalog.problems.count == 1, "of two of one identifier the first counts")
        }
    }

    @Test("A pipe, a folder and an endless file in place of the Info.plist are refused")
    func noFile() throws {
        try withTemporaryDirectory { root in
            for (name, needed) in [("pipe", "not a file"), ("folder", "not a file"), ("large", "larger than")] {
                let folder = try BundleFolder("\(root)/\(name)")
                let path = "\(folder.path)/Info.plist"
                try FileManager.default.removeItem(atPath: path)
                switch name {
                case "pipe": try #require(mkfifo(path, 0o600) == 0)
                case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                default: try folder.write(String(repeating: " ", count: 2 << 20), to: "Info.plist")
                }
                let problem = #expect(throws: BundleProblem.self) { try ExtensionBundle(folder: folder.path) }
                #expect(problem?.message.contains(needed) == true, "\(name): \(problem?.message ?? "")")
            }
        }
    }
}
