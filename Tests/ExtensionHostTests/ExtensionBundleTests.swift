import ExtensionHost
import Foundation
import TestSupport
import Testing

@Suite struct ExtensionBundleTests {
    private static let prefix = "UNNotificationExtension"

    /// Loads a bundle with changes to its Info.plist.
    private func load(
        _ changes: [String: Any] = [:],
        format: PropertyListSerialization.PropertyListFormat = .xml,
        _ prepare: (BundleFolder) throws -> Void = { _ in }
    ) throws -> ExtensionBundle {
        try withTemporaryDirectory { root in
            let folder = try BundleFolder("\(root)/bundle", changes, format: format)
            try prepare(folder)
            return try ExtensionBundle(folder: folder.path)
        }
    }

    /// Returns why a bundle with changes to its Info.plist cannot be loaded.
    private func problem(_ changes: [String: Any]) throws -> BundleProblem {
        do {
            let bundle = try load(changes)
            throw TestFailure("the bundle \(bundle.identifier) was loaded")
        } catch let problem as BundleProblem {
            return problem
        }
    }

    @Test("A property list of either kind is read", arguments: [true, false])
    func formats(isBinary: Bool) throws {
        let changes: [String: Any] = [
            "UNNotificationExtensionCategory": ["offers", "games"],
            "UNNotificationExtensionInitialContentSizeRatio": 0.75,
            "UNNotificationExtensionDefaultContentHidden": true,
            "UNNotificationExtensionOverridesDefaultTitle": true,
            "UNNotificationExtensionUserInteractionEnabled": true,
            "CFBundleShortVersionString": "1.0",
        ]
        let bundle = try load(changes, format: isBinary ? .binary : .xml)
        #expect(bundle.identifier == "com.example.a")
        #expect(bundle.executable == "run")
        #expect(bundle.point == .content)
        #expect(bundle.categories == ["offers", "games"])
        #expect(bundle.initialContentSizeRatio == 0.75)
        #expect(bundle.defaultContentHidden && bundle.overridesDefaultTitle && bundle.userInteractionEnabled)
        #expect(bundle.problems == [])
    }

    @Test("Absent attributes have their defaults")
    func defaults() throws {
        let bundle = try load()
        #expect(bundle.categories == ["offers"], "a string is a list of one")
        #expect(bundle.initialContentSizeRatio == 1)
        #expect(!bundle.defaultContentHidden && !bundle.overridesDefaultTitle && !bundle.userInteractionEnabled)
        #expect(bundle.applicationGroups == [])
        #expect(bundle.problems == [])
    }

    @Test(
        "A ratio may be an integer, as Xcode writes it, or a real",
        arguments: [(2, 2.0), (0.5, 0.5)] as [(Double, Double)]
    )
    func ratio(written: Double, read: Double) throws {
        let value: Any = written == written.rounded() ? Int(written) : written
        #expect(try load(["UNNotificationExtensionInitialContentSizeRatio": value]).initialContentSizeRatio == read)
    }

    @Test("Every extension point is known", arguments: ExtensionBundle.Point.allCases)
    func points(point: ExtensionBundle.Point) throws {
        #expect(try load(["NSExtensionPointIdentifier": point.rawValue]).point == point)
    }

    @Test("The misspelt key of the guide works and is reported")
    func misspelt() throws {
        let bundle = try load(["UNNotificationExtensionInteractionEnabled": true])
        #expect(bundle.userInteractionEnabled)
        #expect(bundle.problems.count == 1)
        #expect(bundle.problems.first?.message.contains("UNNotificationExtensionUserInteractionEnabled") == true)
        #expect(bundle.problems.first?.path.hasSuffix("bundle/Info.plist") == true)
        let both = [
            "UNNotificationExtensionInteractionEnabled": true, "UNNotificationExtensionUserInteractionEnabled": false,
        ]
        #expect(try !load(both).userInteractionEnabled, "the right key wins")
    }

    @Test(
        "A ratio that is not a finite number is ignored and reported",
        arguments: [Double.infinity, -.infinity, .nan]
    )
    func ratio(value: Double) throws {
        let bundle = try load([
            "UNNotificationExtensionCategory": "c", "UNNotificationExtensionInitialContentSizeRatio": value,
        ])
        #expect(bundle.initialContentSizeRatio == 1)
        #expect(bundle.problems.count == 1)
    }

    @Test("A ratio that is not positive counts as 1, as on iOS", arguments: [0, -0.65, -1])
    func wrongRatio(value: Double) throws {
        let bundle = try load(["UNNotificationExtensionInitialContentSizeRatio": value])
        #expect(bundle.initialContentSizeRatio == 1)
        #expect(bundle.problems.map(\.severity) == [.error])
        #expect(bundle.problems.first?.message.contains("must be above 0") == true, "\(bundle.problems)")
        #expect(bundle.problems.first?.key == "UNNotificationExtensionInitialContentSizeRatio")
    }

    @Test("A ratio that fits no screen is used and reported", arguments: [0.049, 10.1, 65])
    func oddRatio(value: Double) throws {
        let bundle = try load(["UNNotificationExtensionInitialContentSizeRatio": value])
        #expect(bundle.initialContentSizeRatio == value)
        #expect(bundle.problems.map(\.severity) == [.warning])
        #expect(bundle.problems.first?.message.contains("which does not fit a screen") == true, "\(bundle.problems)")
    }

    @Test("A ratio at a usual limit is not reported", arguments: [0.05, 10])
    func usualRatio(value: Double) throws {
        let bundle = try load(["UNNotificationExtensionInitialContentSizeRatio": value])
        #expect(bundle.initialContentSizeRatio == value)
        #expect(bundle.problems == [])
    }

    @Test("A category that is not a string is ignored and reported")
    func categories() throws {
        for value: Any in [5, true, ["a": "b"], ["offers", 5] as [Any], "", [""], [String]()] {
            let bundle = try load(["UNNotificationExtensionCategory": value])
            #expect(bundle.categories == [], "\(value)")
            #expect(bundle.problems.count == 1, "\(value)")
            #expect(
                bundle.problems.first?.message.hasPrefix("UNNotificationExtensionCategory") == true,
                "\(value): \(bundle.problems)"
            )
            #expect(bundle.problems.first?.path.hasSuffix("bundle/Info.plist") == true)
        }
        #expect(try load(["UNNotificationExtensionCategory": NSNull()]).problems.count == 1)
    }

    @Test("An attribute of a wrong type is ignored and reported")
    func attributes() throws {
        let bundle = try load([
            "UNNotificationExtensionInitialContentSizeRatio": "large",
            "UNNotificationExtensionDefaultContentHidden": "YES",
            "UNNotificationExtensionUserInteractionEnabled": true,
        ])
        #expect(bundle.initialContentSizeRatio == 1)
        #expect(!bundle.defaultContentHidden)
        #expect(bundle.userInteractionEnabled)
        #expect(bundle.categories == ["offers"])
        #expect(bundle.problems.count == 2)
    }

    @Test(
        "A required key that is absent or of a wrong type is named",
        arguments: ["CFBundleIdentifier", "CFBundleExecutable", "NSExtension", "NSExtensionPointIdentifier"]
    )
    func missing(key: String) throws {
        // Xcode 13 and later write the first two when they build, so sources lack them.
        let absent: [Any] = key.hasPrefix("CF") ? [] : [NSNull()]
        for value: Any in absent + [5, ""] {
            let problem = try problem([key: value])
            #expect(problem.message.contains(key), "\(problem)")
            #expect(problem.path.hasSuffix("bundle/Info.plist"))
        }
    }

    @Test("An unknown extension point is refused with the known ones")
    func unknownPoint() throws {
        let problem = try problem(["NSExtensionPointIdentifier": "com.apple.widgetkit-extension"])
        #expect(problem.message.contains("com.apple.widgetkit-extension"))
        #expect(problem.message.contains(BundleFolder.content))
    }

    @Test(
        "An identifier that recordings use for other participants is refused",
        arguments: ["client", "host", "stderr"]
    )
    func reservedIdentifier(name: String) throws {
        let problem = try problem(["CFBundleIdentifier": name])
        #expect(problem.message.contains("CFBundleIdentifier must be an identifier of its own"))
        #expect(problem.message.contains("com.example.\(name)"))
    }

    @Test(
        "An executable that is not the name of a file in the bundle is refused",
        arguments: ["a/b", "/bin/sh", "..", ".", "../run"]
    )
    func executableName(name: String) throws {
        let problem = try problem(["CFBundleExecutable": name])
        #expect(problem.message.contains("CFBundleExecutable"))
        #expect(problem.message.contains(name))
    }

    @Test("A file that is not a property list is refused with its path", arguments: ["", "<plist>", "{\"a\": 1", "[]"])
    func noPropertyList(text: String) throws {
        try withTemporaryDirectory { root in
            let folder = try BundleFolder("\(root)/bundle")
            try folder.write(text, to: "Info.plist")
            let error = #expect(throws: BundleProblem.self) { try ExtensionBundle(folder: folder.path) }
            #expect(error?.path == "\(folder.path)/Info.plist")
            #expect(error?.message.isEmpty == false)
        }
    }

    // MARK: Entitlements

    private static let key = "com.apple.security.application-groups"

    @Test("Entitlements with the executable's name are preferred; otherwise the first file is used")
    func entitlements() throws {
        let both = try load { folder in
            try folder.write([Self.key: ["group.a"]], to: "a.entitlements")
            try folder.write([Self.key: ["group.run", "group.b"]], to: "run.entitlements", .binary)
        }
        #expect(both.applicationGroups == ["group.run", "group.b"])
        let other = try load { folder in
            try folder.write([Self.key: ["group.b"]], to: "b.entitlements")
            try folder.write([Self.key: ["group.a"]], to: "a.entitlements")
        }
        #expect(other.applicationGroups == ["group.a"])
        let empty = try load { try $0.write(["other": true], to: "run.entitlements") }
        #expect(empty.applicationGroups == [] && empty.problems == [] && !empty.isLockedWithDevice)
    }

    @Test("Entitlements that cannot be read are reported and leave the extension without suites")
    func badEntitlements() throws {
        let garbage = try load { try $0.write("groups: all", to: "run.entitlements") }
        let numbers = try load { try $0.write([Self.key: [1, 2]], to: "run.entitlements") }
        for bundle in [garbage, numbers] {
            #expect(bundle.applicationGroups == [])
            #expect(bundle.categories == ["offers"])
            #expect(bundle.problems.count == 1)
            #expect(bundle.problems.first?.path.hasSuffix("run.entitlements") == true)
        }
    }
}
