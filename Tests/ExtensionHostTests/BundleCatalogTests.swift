import ExtensionHost
import Foundation
import TestSupport
import Testing

@Suite struct BundleCatalogTests {
    private func bundle(_ path: String, _ identifier: String, _ category: Any = "offers") throws {
        _ = try BundleFolder(path, ["CFBundleIdentifier": identifier, "UNNotificationExtensionCategory": category])
    }

    @Test("Bundles are sorted by identifier; folders without Info.plist and files are skipped")
    func skipping() throws {
        try withTemporaryDirectory { root in
            try bundle("\(root)/one", "com.example.z", "z")
            try bundle("\(root)/two", "com.example.a", "a")
            try FileManager.default.createDirectory(atPath: "\(root)/empty", withIntermediateDirectories: true)
            try Data("hello".utf8).write(to: URL(filePath: "\(root)/README.md"))
            try bundle("\(root)/deep/er", "com.example.deep", "deep")
            let catalog = BundleCatalog(folders: [root])
            #expect(catalog.bundles.map(\.identifier) == ["com.example.a", "com.example.z"])
            #expect(catalog.problems == [])
            #expect(catalog.bundle(forCategory: "z")?.identifier == "com.example.z")
            #expect(catalog.bundle(forCategory: "Z") == nil, "categories are compared exactly")
            #expect(catalog.bundle(forCategory: "deep") == nil)
            #expect(catalog.bundle(forCategory: "") == nil)
        }
    }

    @Test("A folder may be a bundle itself")
    func itself() throws {
        try withTemporaryDirectory { root in
            try bundle("\(root)/one", "com.example.a")
            try bundle("\(root)/one/inner", "com.example.inner", "inner")
            let catalog = BundleCatalog(folders: ["\(root)/one"])
            #expect(catalog.bundles.map(\.identifier) == ["com.example.a"])
            #expect(catalog.bundles.first?.path == "\(root)/one")
        }
    }

    @Test(
        "Of two bundles with the same category the lowest identifier wins, and the other one is reported",
        arguments: [false, true]
    )
    func winner(reversed: Bool) throws {
        try withTemporaryDirectory { root in
            try bundle("\(root)/1", reversed ? "com.example.b" : "com.example.a", ["offers", "x"])
            try bundle("\(root)/2", reversed ? "com.example.a" : "com.example.b", ["offers", "y"])
            let catalog = BundleCatalog(folders: [root])
            #expect(catalog.bundle(forCategory: "offers")?.identifier == "com.example.a")
            #expect(catalog.bundles.count == 2)
            let problem = try #require(catalog.problems.first)
            #expect(catalog.problems.count == 1)
            #expect(problem.path == "\(root)/\(reversed ? 1 : 2)")
            #expect(problem.message.contains("com.example.a") && problem.message.contains("offers"))
        }
    }

    @Test(
        "Of two destinations with the same name the lowest identifier wins, and the other one is reported",
        arguments: [false, true]
    )
    func destinations(reversed: Bool) throws {
        try withTemporaryDirectory { root in
            let point = ExtensionBundle.Point.destination.rawValue
            for (folder, identifier, name) in [
                ("1", reversed ? "com.example.b" : "com.example.a", "braze"),
                ("2", reversed ? "com.example.a" : "com.example.b", "braze"),
                ("3", "com.example.c", "archive"), ("4", "com.example.0", "not a name"),
            ] {
                let changes = [
                    "CFBundleIdentifier": identifier, "NSExtensionPointIdentifier": point,
                    "PushhostDestinationName": name,
                ]
                _ = try BundleFolder("\(root)/\(folder)", changes)
            }
            try bundle("\(root)/5", "com.example.content", "braze")
            let catalog = BundleCatalog(folders: [root])
            #expect(catalog.bundles.count == 5)
            #expect(catalog.destinationNames == ["archive", "braze"])
            #expect(catalog.destination(named: "braze")?.identifier == "com.example.a")
            #expect(catalog.destination(named: "archive")?.identifier == "com.example.c")
            #expect(catalog.destination(named: "Braze") == nil, "names are compared exactly")
            #expect(catalog.destination(named: "not a name") == nil)
            let problem = try #require(catalog.problems.first)
            #expect(catalog.problems.count == 1)
            #expect(problem.path == "\(root)/\(reversed ? 1 : 2)")
            #expect(problem.message.contains("com.example.a") && problem.message.contains("braze"))
        }
    }

    @Test("Of two bundles with the same identifier the first is used, and the other one is reported")
    func duplicate() throws {
        try withTemporaryDirectory { root in
            try bundle("\(root)/b/one", "com.example.a", "first")
            try bundle("\(root)/a/two", "com.example.a", "second")
            let catalog = BundleCatalog(folders: ["\(root)/b", "\(root)/a"])
            #expect(catalog.bundles.map(\.path) == ["\(root)/b/one"])
            #expect(catalog.bundle(forCategory: "second") == nil)
            #expect(catalog.problems.map(\.path) == ["\(root)/a/two"])
            #expect(catalog.problems.first?.message.contains("\(root)/b/one") == true)
        }
    }

    @Test("A bundle that cannot be read is reported, and does not affect the others")
    func broken() throws {
        try withTemporaryDirectory { root in
            try bundle("\(root)/good", "com.example.a")
            try BundleFolder("\(root)/broken").write("<plist", to: "Info.plist")
            let catalog = BundleCatalog(folders: [root])
            #expect(catalog.bundles.map(\.identifier) == ["com.example.a"])
            #expect(catalog.problems.map(\.path) == ["\(root)/broken/Info.plist"])
        }
    }

    @Test("The category of a bundle of another extension point is ignored")
    func otherPoint() throws {
        try withTemporaryDirectory { root in
            let point = ExtensionBundle.Point.destination.rawValue
            _ = try BundleFolder("\(root)/1", ["NSExtensionPointIdentifier": point])
            try bundle("\(root)/2", "com.example.b")
            let catalog = BundleCatalog(folders: [root])
            #expect(catalog.bundle(forCategory: "offers")?.identifier == "com.example.b")
            #expect(catalog.problems == [])
        }
    }

    @Test(
        "Of several service extensions the lowest identifier wins, and the others are reported",
        arguments: [1, 2, 3]
    )
    func services(count: Int) throws {
        try withTemporaryDirectory { root in
            // Xcode's template has no attributes.
            let own = ["NSExtensionPointIdentifier": ExtensionBundle.Point.service.rawValue]
            for number in 1...count {
                let changes: [String: Any] = ["CFBundleIdentifier": "com.example.\(9 - number)", "NSExtension": own]
                _ = try BundleFolder("\(root)/\(number)", changes)
            }
            try bundle("\(root)/content", "com.example.0")
            let catalog = BundleCatalog(folders: [root])
            #expect(catalog.service?.identifier == "com.example.\(9 - count)")
            #expect(catalog.bundles.flatMap(\.problems) == [])
            #expect(catalog.problems.map(\.path) == (1..<count).reversed().map { "\(root)/\($0)" })
            for problem in catalog.problems { #expect(problem.message.contains("com.example.\(9 - count) ")) }
        }
    }

    @Test("Without a bundle of that point, there is no service extension")
    func noService() throws {
        try withTemporaryDirectory { root in
            try bundle("\(root)/content", "com.example.0")
            #expect(BundleCatalog(folders: [root]).service == nil)
        }
    }

    @Test("Missing folders contain no bundles")
    func nothing() {
        let catalog = BundleCatalog(folders: ["/nowhere/at/all", ""])
        #expect(catalog.bundles.isEmpty && catalog.problems.isEmpty)
    }

    @Test(
        "A bundle that cannot be looked at is a problem, and so is a folder, unless it is missing and nobody named it"
    )
    func unreadable() throws {
        try withTemporaryDirectory { root in
            try bundle("\(root)/good", "com.example.a")
            // The system refuses to follow a link to itself, whoever asks.
            try FileManager.default.createSymbolicLink(atPath: "\(root)/loop", withDestinationPath: "loop")
            let catalog = BundleCatalog(folders: ["\(root)/nowhere", root, "\(root)/loop"])
            #expect(catalog.bundles.map(\.identifier) == ["com.example.a"])
            let reason = "Too many levels of symbolic links"
            #expect(catalog.problems.count == 2, "\(catalog.problems)")
            #expect(catalog.problems.allSatisfy { $0.path.hasPrefix("\(root)/loop") && $0.message.contains(reason) })
            let named = BundleCatalog(folders: ["\(root)/nowhere"], reportsMissing: true).problems
            #expect(named.map(\.message) == ["the folder cannot be read: No such file or directory"])
        }
    }

    @Test("A folder without bundles that the user named is reported, one with a bundle or another problem is not")
    func empty() throws {
        try withTemporaryDirectory { root in
            try bundle("\(root)/deep/er/game", "com.example.a")
            func problems(_ folders: String...) -> [BundleProblem] {
                BundleCatalog(folders: folders, reportsMissing: true).problems
            }
            #expect(problems(root, "\(root)/deep/er").map(\.path) == [root])
            #expect(problems("\(root)/deep/er/game") == [])
            #expect(problems(root).map(\.severity) == [.warning])
            #expect(BundleCatalog(folders: [root]).problems.isEmpty)
            try BundleFolder("\(root)/broken").write("<plist", to: "Info.plist")
            #expect(problems(root).map(\.path) == ["\(root)/broken/Info.plist"])
        }
    }
}
