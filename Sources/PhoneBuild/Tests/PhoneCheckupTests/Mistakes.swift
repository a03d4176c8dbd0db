/// The mistakes that the doctor is shown.
extension CheckupTests.Mistake {
    private static let project = "Cafe.xcodeproj/project.pbxproj"
    private static let groupKey = "<key>com.apple.security.application-groups</key>"
    private static let prefix = "<key>UNNotificationExtension"

    /// All mistakes.
    static let all = identities + groups + beginnings + categories + keys + handlers + privacy + sound

    /// Changes that are no mistakes.
    private static let sound: [Self] = [
        .init(
            "the identifier of the extension has a variable that only a build machine sets",
            edits: .init(project, "$(BASE_IDENTIFIER).picture", "$(TEAM).$(BASE_IDENTIFIER).picture")
        ),
        .init(
            "the app runs on an iOS without notification extensions",
            edits: .init(
                "Config/Shared.xcconfig",
                "IPHONEOS_DEPLOYMENT_TARGET = 16.0",
                "IPHONEOS_DEPLOYMENT_TARGET = 10.0"
            ),
            .init(
                project,
                "GENERATE_INFOPLIST_FILE = YES;",
                "GENERATE_INFOPLIST_FILE = YES; IPHONEOS_DEPLOYMENT_TARGET = 9.3;"
            )
        ),
        .init(
            "a category is a case of an enumeration",
            edits: .init("Cafe/CafeApp.swift", "\"order_late\", ", ""),
            .init(
                "Cafe/Model/Order.swift",
                "import Foundation\n",
                "import Foundation\n\nenum Category: String { case order_late }\n"
            )
        ),
        .init(
            "a second app with other settings has the extensions too",
            edits: .init(project, "targets = (", "targets = (\n\t\t\t\tCAFE00000000000000000F01,\n"),
            .init(
                project,
                "/* End PBXNativeTarget section */",
                """
                CAFE00000000000000000F01 = {isa = PBXNativeTarget; buildConfigurationList = CAFE00000000000000000F02;
                buildPhases = (CAFE00000000000000000602, CAFE00000000000000000640, ); dependencies = (); name = Bar;
                productName = Bar; productType = "com.apple.product-type.application"; };
                CAFE00000000000000000F02 = {isa = XCConfigurationList; buildConfigurations = (CAFE00000000000000000F03, ); };
                CAFE00000000000000000F03 = {isa = XCBuildConfiguration; name = Debug; buildSettings = {
                PRODUCT_BUNDLE_IDENTIFIER = com.example.bar; CURRENT_PROJECT_VERSION = 9;
                GENERATE_INFOPLIST_FILE = YES; }; };
                """
            )
        ),
    ]

    private static let identities: [Self] = [
        .init(
            "the bundle identifier is not that of the app with a suffix",
            "bundleIdentifier OrderCard",
            edits: .init(project, "$(BASE_IDENTIFIER).${TARGET_NAME:lower}", "com.example.ordercard")
        ),
        .init(
            "the bundle identifier lacks the point after that of the app",
            "bundleIdentifier OrderPicture",
            edits: .init(project, "$(BASE_IDENTIFIER).picture", "$(BASE_IDENTIFIER)picture")
        ),
        .init(
            "the bundle identifier in the Info.plist is another",
            "bundleIdentifier BrewGuide",
            edits: .init(
                "BrewGuide/Info.plist",
                "<key>NSExtension</key>",
                "<key>CFBundleIdentifier</key>\n<string>com.example.brew</string>\n<key>NSExtension</key>"
            )
        ),
        .init(
            "the extension needs a newer iOS",
            "deploymentTarget CupPairs",
            edits: .init(
                project,
                "INFOPLIST_FILE = CupPairs/Info.plist;",
                "INFOPLIST_FILE = CupPairs/Info.plist; IPHONEOS_DEPLOYMENT_TARGET = 17.0;"
            )
        ),
        .init(
            "the extension needs a newer iOS of the same year",
            "deploymentTarget OrderPicture",
            edits: .init(project, "CURRENT_PROJECT_VERSION = 7;", "IPHONEOS_DEPLOYMENT_TARGET = 16.4;")
        ),
        .init(
            "the build number differs",
            "version OrderPicture",
            edits: .init(project, "CURRENT_PROJECT_VERSION = 7;", "CURRENT_PROJECT_VERSION = 8;")
        ),
        .init(
            "the version differs",
            "version LoyaltyCard",
            edits: .init(
                project,
                "INFOPLIST_FILE = LoyaltyCard/Info.plist;",
                "INFOPLIST_FILE = LoyaltyCard/Info.plist; MARKETING_VERSION = 0.9;"
            )
        ),
        .init(
            "the version in the Info.plist is fixed",
            "version OrderCard",
            edits: .init("OrderCard/Info.plist", "$(MARKETING_VERSION)", "1.1")
        ),
        .init(
            "the Info.plist has no build number",
            "version OrderCard",
            edits: .init("OrderCard/Info.plist", "CFBundleVersion", "BundleVersion")
        ),
        .init(
            "the service extension is not embedded",
            "notEmbedded OrderPicture",
            edits: .init(project, "00134 /* OrderPicture.appex in Embed Foundation Extensions */,", "00134X,")
        ),
        .init(
            "a content extension is not embedded",
            "notEmbedded CupPairs",
            edits: .init(project, "00131 /* CupPairs.appex in Embed Foundation Extensions */,", "00131X,")
        ),
        .init(
            "the Info.plist is absent",
            "unreadable project",
            edits: .init(project, "INFOPLIST_FILE = TableBooking/Info.plist;", "INFOPLIST_FILE = Absent/Info.plist;")
        ),
    ]

    private static let groups: [Self] = [
        .init(
            "the App Group of the app is another",
            "appGroup OrderCard",
            "appGroup BrewGuide",
            "appGroup CupPairs",
            "appGroup LoyaltyCard",
            "appGroup DrinkVote",
            "appGroup TableBooking",
            "appGroup PourSound",
            "appGroup CafeFinder",
            edits: .init("Cafe/Cafe.entitlements", "$(BASE_IDENTIFIER)", "$(BASE_IDENTIFIER).app")
        ),
        .init(
            "the app has no entitlements",
            "appGroup OrderCard",
            "appGroup BrewGuide",
            "appGroup CupPairs",
            "appGroup LoyaltyCard",
            "appGroup DrinkVote",
            "appGroup TableBooking",
            "appGroup PourSound",
            "appGroup CafeFinder",
            edits: .init(project, "CODE_SIGN_ENTITLEMENTS = Cafe/Cafe.entitlements;", "")
        ),
        .init(
            "an extension has no entitlements",
            "appGroup BrewGuide",
            edits: .init(project, "CODE_SIGN_ENTITLEMENTS = Config/Extensions.entitlements;", "")
        ),
        .init(
            "the App Group of an extension is another",
            "appGroup OrderCard",
            "appGroup OrderCard",
            edits: .init("OrderCard/OrderCard.entitlements", "$(BASE_IDENTIFIER)", "$(BASE_IDENTIFIER).card")
        ),
        .init(
            "the code opens storage whose name is no literal, without a group",
            "appGroup OrderPicture",
            "privacyManifest OrderPicture",
            edits: .init(
                "OrderPicture/PictureName.swift",
                "import Foundation\n",
                "import Foundation\n\nlet shared = UserDefaults(suiteName: Bundle.main.bundleIdentifier)\n"
            ),
            .init(project, "PictureName.swift,\n", "")
        ),
        .init(
            "the code of a framework names a group that nobody has",
            "groupInCode OrderCard",
            edits: .init("CafeKit/GuestRecords.swift", "group.com.example.cafe", "group.com.example.coffee")
        ),
        .init(
            "the code of the app names a group that nobody has",
            "groupInCode Cafe",
            edits: .init(
                "Cafe/CafeApp.swift",
                "    init() {",
                "    private let group = \"group.com.example.cafes\"\n\n    init() {"
            )
        ),
    ]

    private static let content = "com.apple.usernotifications.content-extension"
    private static let service = "com.apple.usernotifications.service"

    private static let beginnings: [Self] = [
        .init(
            "the extension point of a content extension is misspelt",
            "extensionPoint LoyaltyCard",
            edits: .init("LoyaltyCard/Info.plist", content, "com.apple.usernotifications.content")
        ),
        .init(
            "the extension point of a service extension is misspelt",
            "extensionPoint OrderPicture",
            edits: .init("OrderPicture/Info.plist", service, "com.apple.usernotification.service")
        ),
        .init(
            "there is no extension point",
            "extensionPoint BrewGuide",
            edits: .init("BrewGuide/Info.plist", "NSExtensionPointIdentifier", "PointIdentifier")
        ),
        .init(
            "a content extension has the point of a service extension",
            "principalClass TableBooking",
            edits: .init("TableBooking/Info.plist", content, service)
        ),
        .init(
            "a service extension has the point of a content extension",
            "category OrderPicture",
            "mutableContent project",
            "principalClass OrderPicture",
            edits: .init("OrderPicture/Info.plist", service, content)
        ),
        .init(
            "the principal class has no module",
            "principalClass LoyaltyCard",
            edits: .init("LoyaltyCard/Info.plist", "$(PRODUCT_MODULE_NAME).", "")
        ),
        .init(
            "the principal class of the service extension has no module",
            "principalClass OrderPicture",
            edits: .init("OrderPicture/Info.plist", "$(PRODUCT_MODULE_NAME).", "")
        ),
        .init(
            "the principal class has the module of another target",
            "principalClass OrderPicture",
            edits: .init("OrderPicture/Info.plist", "$(PRODUCT_MODULE_NAME).", "OrderPictures.")
        ),
        .init(
            "the principal class does not exist",
            "principalClass BrewGuide",
            edits: .init("BrewGuide/Info.plist", ".BrewGuideController", ".BrewController")
        ),
        .init(
            "there is no principal class",
            "principalClass LoyaltyCard",
            edits: .init("LoyaltyCard/Info.plist", "NSExtensionPrincipalClass", "PrincipalClass")
        ),
        .init(
            "the principal class does not conform",
            "principalClass TableBooking",
            edits: .init(
                "TableBooking/TableBookingController.swift",
                "UIViewController, UNNotificationContentExtension",
                "UIViewController"
            )
        ),
        .init(
            "the storyboard has another name",
            "storyboard CupPairs",
            edits: .init("CupPairs/Info.plist", "<string>MainInterface", "<string>Main")
        ),
        .init(
            "the storyboard is not in the target",
            "storyboard OrderCard",
            edits: .init(project, "00105 /* MainInterface.storyboard in Resources */,", "00105X,")
        ),
        .init(
            "the storyboard has no initial controller",
            "storyboard OrderCard",
            edits: .init("OrderCard/Base.lproj/MainInterface.storyboard", "initialViewController=", "initial=")
        ),
        .init(
            "the class in the storyboard has no module",
            "storyboard CupPairs",
            edits: .init(
                "CupPairs/Base.lproj/MainInterface.storyboard",
                "customClass=\"CupPairsController\" customModule=\"CupPairs\" customModuleProvider=\"target\"",
                "customClass=\"CupPairsController\""
            )
        ),
        .init(
            "the class in the storyboard has another module",
            "storyboard CupPairs",
            edits: .init(
                "CupPairs/Base.lproj/MainInterface.storyboard",
                "customClass=\"CupPairsController\" customModule=\"CupPairs\" customModuleProvider=\"target\"",
                "customClass=\"CupPairsController\" customModule=\"Cups\""
            )
        ),
        .init(
            "the class in the storyboard does not exist",
            "principalClass CupPairs",
            edits: .init("CupPairs/Base.lproj/MainInterface.storyboard", "\"CupPairsController\"", "\"CupController\"")
        ),
        .init(
            "the storyboard has a plain controller",
            "storyboard CupPairs",
            edits: .init(
                "CupPairs/Base.lproj/MainInterface.storyboard",
                "customClass=\"CupPairsController\" customModule=\"CupPairs\" customModuleProvider=\"target\"",
                ""
            )
        ),
    ]

    private static let categories: [Self] = [
        .init(
            "the category in the Info.plist is not registered",
            "category TableBooking",
            edits: .init("TableBooking/Info.plist", "table_booking", "table_bookings")
        ),
        .init(
            "the app registers no such category",
            "category OrderCard",
            edits: .init("Cafe/CafeApp.swift", "\"order_late\", ", "")
        ),
        .init(
            "the Info.plist has no category",
            "category CupPairs",
            edits: .init("CupPairs/Info.plist", "UNNotificationExtensionCategory", "Category")
        ),
        .init(
            "a payload is mutable, and there is no service extension",
            "mutableContent project",
            edits: .init(project, after: "targets = (", "CAFE00000000000000000503 /* OrderPicture */,", "")
        ),
    ]

    private static let keys: [Self] = [
        .init(
            "a button of the storyboard gets no touch",
            "interaction CupPairs",
            edits: .init("CupPairs/Info.plist", after: "UserInteractionEnabled</key>", "<true/>", "<false/>")
        ),
        .init(
            "a control of the code gets no touch",
            "interaction TableBooking",
            edits: .init("TableBooking/Info.plist", after: "UserInteractionEnabled</key>", "<true/>", "<false/>")
        ),
        .init(
            "the key for touches is absent",
            "interaction OrderCard",
            edits: .init("OrderCard/Info.plist", "UNNotificationExtensionUserInteractionEnabled", "Interaction")
        ),
        .init(
            "a Boolean is the text YES",
            "textForBoolean LoyaltyCard",
            edits: .init(
                "LoyaltyCard/Info.plist",
                after: "DefaultContentHidden</key>",
                "<true/>",
                "<string>YES</string>"
            )
        ),
        .init(
            "a Boolean is the text NO",
            "textForBoolean BrewGuide",
            edits: .init(
                "BrewGuide/Info.plist",
                after: "UserInteractionEnabled</key>",
                "<true/>",
                "<string>NO</string>"
            )
        ),
        .init(
            "a number is a text",
            "textForBoolean CupPairs",
            edits: .init("CupPairs/Info.plist", "<real>1.125</real>", "<string>1.125</string>")
        ),
        .init(
            "a key has a blank at its end",
            "blankInKey TableBooking",
            edits: .init("TableBooking/Info.plist", "DefaultContentHidden</key>", "DefaultContentHidden </key>")
        ),
        .init(
            "the key of the category has a blank at its end",
            "blankInKey LoyaltyCard",
            edits: .init("LoyaltyCard/Info.plist", "ExtensionCategory</key>", "ExtensionCategory </key>")
        ),
        .init(
            "the category stands outside the attributes",
            "misplacedKey BrewGuide",
            edits: .init(
                "BrewGuide/Info.plist",
                "<key>UNNotificationExtensionCategory</key>\n\t\t\t<string>brew_guide</string>\n",
                ""
            ),
            .init(
                "BrewGuide/Info.plist",
                "<key>NSExtensionPointIdentifier</key>",
                "<key>UNNotificationExtensionCategory</key><string>brew_guide</string>"
                    + "<key>NSExtensionPointIdentifier</key>"
            )
        ),
    ]

    private static let handlers: [Self] = [
        .init(
            "a service extension returns early",
            "completionHandler OrderPicture",
            edits: .init(
                "OrderPicture/NotificationService.swift",
                "        bestAttempt = content\n",
                "        bestAttempt = content\n        guard content.categoryIdentifier == \"order_ready\" else { return }\n"
            )
        ),
        .init(
            "a service extension calls its handler only for pictures",
            "completionHandler OrderPicture",
            edits: .init(
                "OrderPicture/NotificationService.swift",
                "        }\n        contentHandler(content)\n",
                "            contentHandler(content)\n        }\n"
            )
        ),
        .init(
            "a case of a content extension does not call its handler",
            "completionHandler TableBooking",
            edits: .init(
                "TableBooking/TableBookingController.swift",
                "completion(.doNotDismiss)",
                "view.endEditing(true)"
            )
        ),
        .init(
            "a closure of a content extension does not call its handler",
            "completionHandler TableBooking",
            edits: .init(
                "TableBooking/TableBookingController.swift",
                "{ completion(.dismiss) }",
                "{ if self.form.name.isEmpty { completion(.dismiss) } }"
            )
        ),
    ]

    private static let privacy: [Self] = [
        .init(
            "a framework uses UserDefaults without a manifest",
            "privacyManifest OrderCard",
            "privacyManifest BrewGuide",
            "privacyManifest CupPairs",
            "privacyManifest LoyaltyCard",
            "privacyManifest DrinkVote",
            "privacyManifest TableBooking",
            "privacyManifest PourSound",
            "privacyManifest CafeFinder",
            edits: .init(project, "00136 /* PrivacyInfo.xcprivacy in Resources */,", "00136X,")
        ),
        .init(
            "the manifest has no reason for an App Group",
            "privacyManifest OrderCard",
            "privacyManifest BrewGuide",
            "privacyManifest CupPairs",
            "privacyManifest LoyaltyCard",
            "privacyManifest DrinkVote",
            "privacyManifest TableBooking",
            "privacyManifest PourSound",
            "privacyManifest CafeFinder",
            edits: .init("CafeKit/PrivacyInfo.xcprivacy", "<string>1C8F.1</string>", "")
        ),
        .init(
            "the manifest is about another API",
            "privacyManifest OrderCard",
            "privacyManifest BrewGuide",
            "privacyManifest CupPairs",
            "privacyManifest LoyaltyCard",
            "privacyManifest DrinkVote",
            "privacyManifest TableBooking",
            "privacyManifest PourSound",
            "privacyManifest CafeFinder",
            edits: .init("CafeKit/PrivacyInfo.xcprivacy", "CategoryUserDefaults", "CategoryDiskSpace")
        ),
        .init(
            "an extension uses UserDefaults without a manifest",
            "privacyManifest OrderPicture",
            edits: .init(
                "OrderPicture/NotificationService.swift",
                "        bestAttempt = content\n",
                "        bestAttempt = content\n        UserDefaults.standard.set(content.title, forKey: \"title\")\n"
            )
        ),
    ]
}
