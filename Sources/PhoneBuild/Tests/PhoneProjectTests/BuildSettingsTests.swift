import Foundation
import PhoneDiagnostics
import PhoneTestSupport
import Testing

@testable import PhoneProject

/// Settings: layers, variables and files.
struct BuildSettingsTests {
    @Test(arguments: [
        ("$(TARGET_NAME)", "My Card"),
        ("${TARGET_NAME}", "My Card"),
        ("$(TARGET_NAME:rfc1034identifier)", "My-Card"),
        ("${TARGET_NAME:c99extidentifier:lower}", "my_card"),
        ("com.$(COMPANY).$(TARGET_NAME:rfc1034identifier:lower)", "com.example.my-card"),
        ("$(ID_$(CONFIGURATION))", "debug.id"),
        ("$(ABSENT)", ""),
        ("$(ABSENT:default=there)", "there"),
        ("$(TARGET_NAME:default=there)", "My Card"),
        ("costs 5$ or $", "costs 5$ or $"),
        ("$(open", "$(open"),
        ("$(LOOP)", "x"),
        ("$(FILE:base).$(FILE:suffix)", "Cup..png"),
    ])
    func expandsVariables(text: String, expected: String) {
        let settings = BuildSettings(layers: [
            [
                "TARGET_NAME": "My Card", "COMPANY": "example", "CONFIGURATION": "Debug", "ID_Debug": "debug.id",
                "LOOP": "x$(LOOP)", "FILE": "a/Cup.png",
            ]
        ])
        #expect(settings.expanded(text) == expected)
    }

    @Test func aLayerInheritsFromTheLayersBelow() {
        var settings = BuildSettings(layers: [["FLAGS": "a"]])
        settings.add(["FLAGS": "$(inherited) b", "OTHER": "1"], configuration: "Debug")
        settings.add(["FLAGS": "c $(FLAGS)"], configuration: "Debug")
        #expect(settings.words("FLAGS") == ["c", "a", "b"])
        #expect(settings["OTHER"] == "1")
        #expect(settings["ABSENT"] == nil)
    }

    @Test func variablesSeeTheHighestLayer() {
        var settings = BuildSettings(layers: [
            ["PRODUCT_NAME": "$(TARGET_NAME)", "MODULE": "$(PRODUCT_NAME:c99extidentifier)"]
        ])
        settings.add(["PRODUCT_NAME": "Order Card"], configuration: "Debug")
        #expect(settings["MODULE"] == "Order_Card")
    }

    @Test func conditionsChooseTheValueForPhones() {
        var settings = BuildSettings(layers: [])
        let layer = [
            "A": "general", "A[sdk=iphoneos*]": "phone", "B": "general", "B[sdk=macosx*]": "desktop",
            "C[config=Debug]": "debug", "D[config=Release]": "release", "E[sdk=iphoneos*][config=Debug]": "both",
            "E[sdk=iphoneos*]": "one", "F[sdk=iphoneos18.0]": "old",
        ]
        settings.add(layer, configuration: "Debug")
        #expect(
            ["A", "B", "C", "D", "E", "F"].map { settings[$0] } == ["phone", "general", "debug", nil, "both", nil]
        )
    }

    @Test func wordsMayHaveQuotes() {
        #expect(BuildSettings.words(#"a "b c" 'd e'f  """#) == ["a", "b c", "d ef", ""])
    }

    @Test func aListIsWords() {
        let layer = BuildSettings.layer(["A": ["x", "y z"], "B": "t", "C": ["k": "v"]])
        #expect(layer == ["A": "x \"y z\"", "B": "t"])
    }

    @Test func filesOfSettingsIncludeOthers() throws {
        try withTemporaryFolder { folder in
            let base = """
                #include "sub/more.xcconfig"
                #include? "absent.xcconfig"
                #include "lost.xcconfig"
                // A comment
                A = 1 // one
                URL = https:/$()/example.com
                LIST = $(inherited) b;
                K[sdk=iphoneos*] = v
                """
            try write(base, to: "\(folder)/base.xcconfig")
            try write("LIST = a\n#include \"../base.xcconfig\"\n", to: "\(folder)/sub/more.xcconfig")
            var warnings: [Diagnostic] = []
            let settings = XcconfigFile.read("\(folder)/base.xcconfig", warnings: &warnings)
            let expected = ["A": "1", "URL": "https:/$()/example.com", "LIST": "a b", "K[sdk=iphoneos*]": "v"]
            #expect(settings == expected)
            #expect(warnings.map(\.path) == ["\(folder)/lost.xcconfig"])
        }
    }
}
