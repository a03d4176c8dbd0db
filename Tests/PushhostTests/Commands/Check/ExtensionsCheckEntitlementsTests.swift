import TestSupport
import Testing

/// The findings of `pushhost extensions check` in the entitlements of a bundle.
@Suite(.waits, .wire) struct ExtensionsCheckEntitlementsTests {
    private static let flaws = [
        BundleFlaw("none", place: "run.entitlements", message: "it is missing", severity: "warning") {
            $0.entitlements = [:]
        },
        BundleFlaw(
            "singular",
            place: "run.entitlements",
            message: "com.apple.security.application-group is ignored; did you mean"
        ) {
            $0.entitlements["run.entitlements"] = ["com.apple.security.application-group": ["group.a"]]
        },
        BundleFlaw("no key", place: "run.entitlements", message: "it lists no", severity: "warning") {
            $0.entitlements["run.entitlements"] = ["aps-environment": "development"]
        },
        BundleFlaw("no group", place: "run.entitlements", message: "is empty", severity: "warning") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: [String]()]
        },
        BundleFlaw("bad name", place: "run.entitlements", message: "is not a suite name: a name is") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: ["group/a"]]
        },
        BundleFlaw("case", place: "run.entitlements", message: "differ only in case") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: ["group.a", "group.A"]]
        },
        BundleFlaw("no prefix", place: "run.entitlements", message: "begin with group.", severity: "warning") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: ["com.example"]]
        },
        BundleFlaw("type", place: "run.entitlements", message: "a string or an array of strings") {
            $0.entitlements["run.entitlements"] = [CheckedBundle.groups: 5]
        },
        BundleFlaw("another name", place: "app.entitlements", message: "because there is no run", severity: "warning") {
            $0.entitlements = ["app.entitlements": $0.entitlements["run.entitlements"] ?? [:]]
        },
        BundleFlaw("a second file", place: "app.entitlements", message: "it is not read", severity: "warning") {
            $0.entitlements["app.entitlements"] = [CheckedBundle.groups: ["group.other"]]
        },
        BundleFlaw("other names", place: "app.entitlements", message: "the first of 2 entitlements files") {
            let list = $0.entitlements["run.entitlements"] ?? [:]
            $0.entitlements = ["app.entitlements": list, "run-debug.entitlements": list]
        },
        BundleFlaw("ending", place: "run.entitlements.plist", message: "rename it run.entitlements") {
            $0.entitlements = ["run.entitlements.plist": $0.entitlements["run.entitlements"] ?? [:]]
        },
    ]

    @Test("Without CFBundleExecutable the entitlements are named after the folder")
    func sourcePlist() throws {
        let run = try CheckedBundle.check(
            {
                $0.info = [:]
                $0.entitlements = ["checked.entitlements": $0.entitlements["run.entitlements"] ?? [:]]
            },
            ["--only", "notification"]
        )
        #expect(!run.output.contains("name it after the executable"), "\(run.output)")
        #expect(run.output.contains("checked.entitlements: the extension may touch"), "\(run.output)")
    }

    @Test("A mistake in the entitlements is reported with the file and what to do", arguments: flaws)
    func entitlements(flaw: BundleFlaw) throws { try flaw.expectFinding() }
}
