import TestSupport
import Testing

/// The findings of `pushhost extensions check` in the `Info.plist` of a bundle.
@Suite(.waits, .wire) struct ExtensionsCheckInfoPlistTests {
    private static let names = [
        BundleFlaw("a letter is missing", place: "Info.plist", message: "mean UNNotificationExtensionCategory?") {
            $0.attributes = ["UNNotificationExtensionCatgory": "checked"]
        },
        BundleFlaw("a plural", place: "Info.plist", message: "iOS does not know UNNotificationExtensionCategories") {
            $0.set("Categories", ["checked"])
        },
        BundleFlaw("another case", place: "Info.plist", message: "case counts") {
            $0.attributes = ["UNNotificationExtensionCATEGORY": "checked"]
        },
        BundleFlaw("another prefix", place: "Info.plist", message: "mean UNNotificationExtensionCategory?") {
            $0.attributes?["UNNotificatonExtensionCategory"] = "checked"
        },
        BundleFlaw("the guide's", place: "Info.plist", message: "UNNotificationExtensionUserInteractionEnabled") {
            $0.set("InteractionEnabled", true)
        },
        BundleFlaw("both", place: "Info.plist", message: "iOS knows only", severity: "warning") {
            $0.set("InteractionEnabled", true)
            $0.set("UserInteractionEnabled", true)
        },
        BundleFlaw("too high", place: "Info.plist", message: "move it to NSExtension/NSExtensionAttributes") {
            $0.nsExtension["UNNotificationExtensionCategory"] = "checked"
        },
        BundleFlaw("at the root", place: "Info.plist", message: "is in the root, where it is ignored") {
            $0.info["NSExtensionAttributes"] = ["UNNotificationExtensionCategory": "checked"]
        },
        BundleFlaw("too deep", place: "Info.plist", message: "move it to NSExtension") {
            $0.attributes?["NSExtensionPointIdentifier"] = "com.apple.usernotifications.content-extension"
        },
        BundleFlaw("a root key", place: "Info.plist", message: "did you mean CFBundleExecutable?") {
            $0.info["CFBundleExecutable"] = nil
            $0.info["CFBundleExecuteable"] = "run"
        },
        BundleFlaw("NSExtension", place: "Info.plist", message: "did you mean NSExtension?") {
            $0.info["NSExtensions"] = [String: String]()
        },
    ]

    private static let values = [
        BundleFlaw("ratio 0", place: "Info.plist", message: "must be above 0") {
            $0.set("InitialContentSizeRatio", 0)
        },
        BundleFlaw("ratio below 0", place: "Info.plist", message: "must be above 0") {
            $0.set("InitialContentSizeRatio", -0.5)
        },
        BundleFlaw("absurd ratio", place: "Info.plist", message: "which does not fit a screen", severity: "warning") {
            $0.set("InitialContentSizeRatio", 300)
        },
        BundleFlaw("ratio as text", place: "Info.plist", message: "must be a number") {
            $0.set("InitialContentSizeRatio", "0.5")
        },
        BundleFlaw("boolean as text", place: "Info.plist", message: "must be a boolean") {
            $0.set("DefaultContentHidden", "YES")
        },
        BundleFlaw("no category", place: "Info.plist", message: "must be a non-empty string") {
            $0.attributes = [:]
        },
        BundleFlaw("empty category", place: "Info.plist", message: "must be a non-empty string") {
            $0.set("Category", "")
        },
        BundleFlaw("empty list", place: "Info.plist", message: "must be a non-empty string") {
            $0.set("Category", [String]())
        },
        BundleFlaw("white space", place: "Info.plist", message: "white space at its beginning or end") {
            $0.set("Category", ["checked", "other "])
        },
        BundleFlaw("twice", place: "Info.plist", message: "is listed twice", severity: "warning") {
            $0.set("Category", ["checked", "checked"])
        },
        BundleFlaw("built-in misspelt", place: "Info.plist", message: "resembles Braze's ab_cat_yes_no") {
            $0.set("Category", ["checked", "ab_cat_yes_now"])
        },
        BundleFlaw("built-in with hyphens", place: "Info.plist", message: "Braze's ab_cat_push_story_v2") {
            $0.set("Category", "AB-Cat-Push-Story-V2")
        },
        BundleFlaw(
            "former",
            place: "Info.plist",
            message: "now it is ab_cat_push_story_v2",
            severity: "warning"
        ) {
            $0.set("Category", "ab_cat_push_story")
        },
        BundleFlaw("reserved", place: "Info.plist", message: "begins like Braze's own", severity: "warning") {
            $0.set("Category", "ab_cat_treasure_hunt")
        },
        BundleFlaw("no attributes", place: "Info.plist", message: "NSExtensionAttributes must be a dictionary") {
            $0.attributes = nil
        },
        BundleFlaw("point", place: "Info.plist", message: "NSExtensionPointIdentifier must be one of") {
            $0.nsExtension["NSExtensionPointIdentifier"] = "com.apple.usernotification.content-extension"
        },
        BundleFlaw("build variable", place: "Info.plist", message: "the folder's name", severity: "warning") {
            $0.info["CFBundleIdentifier"] = "$(PRODUCT_BUNDLE_IDENTIFIER)"
        },
        BundleFlaw("path", place: "Info.plist", message: "the name of a file in the bundle") {
            $0.info["CFBundleExecutable"] = "../run"
        },
    ]

    @Test("A wrong or misplaced key is reported with the key that was meant", arguments: names)
    func name(flaw: BundleFlaw) throws { try flaw.expectFinding() }

    @Test("An invalid value is reported with the valid ones", arguments: values)
    func value(flaw: BundleFlaw) throws { try flaw.expectFinding() }
}
