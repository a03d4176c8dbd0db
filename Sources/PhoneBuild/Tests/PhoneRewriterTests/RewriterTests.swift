import Foundation
import PhoneDiagnostics
import PhoneTestSupport
import Testing

@testable import PhoneRewriter

/// What the copies are: the lines that change, and that the compiler accepts all of them.
struct RewriterTests {
    private static let modules: Set = [
        "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "PhoneRuntime", "Swift", "UIKit",
        "UserNotifications",
        "UserNotificationsUI",
    ]

    func rewrite(_ texts: String..., names: Set<String> = []) -> RewrittenTarget {
        let files = texts.enumerated().map { SourceFile(path: "/app/File\($0).swift", text: $1) }
        return RewrittenTarget(files, Conditions(names: names, modules: Self.modules))
    }

    /// The lines of a copy that differ from those of the source, without the blanks at their ends.
    func changes(_ source: String, in target: RewrittenTarget, file: Int = 0) -> [String] {
        let old = source.split(separator: "\n", omittingEmptySubsequences: false)
        let new = target.files[file].text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
        return zip(old, new).filter { $0 != $1 }.map { $1.trimmingCharacters(in: .whitespaces) }
    }

    /// What is registered, as `Class outlet` and `Class action:`.
    func registered(_ target: RewrittenTarget) -> [String] {
        target.files.flatMap { file in
            file.text.matches(of: /PhoneObject\.register\(([\w.]+)\.self(?:, (\w+): (?:\["([^"]+)")?)?/).map { match in
                "\(match.1)" + ((match.3 ?? match.2).map { " \($0)" } ?? "")
            }
        }
        // Each controller has this initializer.
        .filter { !$0.hasSuffix(" nib") }
    }

    func check(
        _ target: RewrittenTarget,
        flags: [String] = ["-swift-version", "5"],
        warnings: [String] = []
    ) throws {
        let calls = target.registrations.map { "    \($0)()\n" }.joined()
        let entry = "import PhoneRuntime\n@MainActor func registerAll() {\n\(calls)}\n"
        let sources = target.files.map { ($0.path, $0.text) } + [("Entry.swift", entry)]
        let output = try StandIns.check(sources, flags: flags)
        #expect(output == "")
        #expect(target.diagnostics.map(\.description) == warnings)
    }

    // MARK: Attributes

    @Test func attributesOfInterfaceBuilderGo() throws {
        let source = """
            import UIKit

            @IBDesignable @objcMembers
            class Card: UIViewController {
                @IBOutlet weak var a: UILabel!
                @IBOutlet private(set) var b: UILabel?
                @IBOutlet var c: [UIButton]!
                @IBOutlet
                fileprivate weak var d: UIView! { didSet { d?.isHidden = true } }
                @IBInspectable dynamic var e: CGFloat = 0
                @IBOutlet var f, g: UILabel!
                @IBOutlet var `default`: UILabel!
                @IBOutlet weak var field: UITextField? = nil
                @IBOutlet weak var target: (any UITextFieldDelegate)?
                @nonobjc var plain = 1
                @IBInspectable var ratio = 0.5
                @IBInspectable var color: UIColor? = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
            }
            """
        let target = rewrite(source)
        try check(target)
        let expected = [
            "", "weak var a: UILabel!", "private(set) var b: UILabel?", "var c: [UIButton]!", "",
            #"var e: CGFloat = 0 { didSet { PhoneObject.didChange(self, "e") } }"#,
            "var f, g: UILabel!", "var `default`: UILabel!", "weak var field: UITextField? = nil",
            "weak var target: (any UITextFieldDelegate)?", "var plain = 1",
        ]
        #expect(Array(changes(source, in: target).prefix(expected.count)) == expected)
        let outlets = ["a", "b", "c", "d", "e", "e", "f", "g", "default", "field", "target", "ratio", "color"].map {
            "Card \($0)"
        }
        #expect(registered(target) == ["Card"] + outlets)
    }

    @Test func columnsStay() {
        let source = "class A {\n    @IBOutlet weak var x: Missing!\n}\n"
        let line = rewrite(source).files[0].text.split(separator: "\n")[3]
        #expect(line == "              weak var x: Missing!")
    }

    @Test func errorsNameTheFileAndItsLine() throws {
        let source = "import UIKit\n\nclass A: UIView {\n    @IBOutlet var x: Mistake!\n}\nlet y: Error2 = 1\n"
        let target = rewrite(source)
        let output = try StandIns.check(target.files.map { ($0.path, $0.text) })
        let lines = output.split(separator: "\n").filter { $0.contains("error:") }
        #expect(lines.allSatisfy { $0.hasPrefix("/app/File0.swift:4:") || $0.hasPrefix("/app/File0.swift:6:8: error") })
        #expect(lines.contains("/app/File0.swift:4:22: error: cannot find type 'Mistake' in scope"))
    }

    // MARK: Actions

    @Test func actionsAreCalledByTheirNames() throws {
        let source = """
            import UIKit

            class Card: UIViewController {
                @IBAction func none() {}
                @IBAction private func one(_ sender: UIButton) {}
                @IBAction func two(_ sender: Any, forEvent event: UIEvent) {}
                @IBAction func named(sender: UIButton?) {}
                @objc func any(_ sender: AnyObject?, _ more: Any?, last: [String: Any]!) -> Bool { true }
                @objc(custom:with:) func other(_ a: String, b: Int) {}
                @objc func posted(_ note: Notification) {}
                @objc func done(with handler: @escaping (String) -> Void) {}
                @objc func later(_ handler: @escaping @Sendable () -> Void, _ other: (() -> Int)?) {}
                @objc fileprivate func load() async throws {}
                @objc static func shared() {}
                func plain() {}
            }
            """
        let target = rewrite(source)
        try check(target)
        let actions = [
            "none", "one:", "two:forEvent:", "namedWithSender:", "any::last:", "custom:with:", "posted:", "doneWith:",
            "later::",
        ]
        #expect(registered(target) == ["Card"] + actions.map { "Card \($0)" })
    }

    @Test func selectorsBecomeNames() throws {
        let source = """
            import UIKit

            class Card: UIViewController {
                @objc var count = 0
                override func viewDidLoad() {
                    let button = UIButton()
                    button.addTarget(self, action: #selector(tap), for: .touchUpInside)
                    button.addTarget(self, action: #selector(self.tap(_:)), for: .touchUpInside)
                    button.addTarget(nil, action: #selector(Card.move(from:to:)), for: .touchUpInside)
                    button.addTarget(self, action: #selector(twice as () -> Void), for: .touchUpInside)
                    button.addTarget(self, action: #selector(Self.twice(_:)), for: .touchUpInside)
                    button.addTarget(self, action: #selector(Helper.help), for: .touchUpInside)
                    button.addTarget(view, action: #selector(UIView.endEditing), for: .touchUpInside)
                    let names = [#selector(getter: count), #selector(setter: Card.count), #selector(
                        inherited(_:)
                    )]
                    print(names, #keyPath(Card.count), #keyPath(view.isHidden))
                }
                @objc func tap(_ sender: UIButton) {}
                @objc func move(from: Int, to: Int) {}
                @objc func twice() {}
                @objc func twice(_ sender: Any) {}
                @objc(elsewhere) func inherited(_ sender: Any) {}
            }

            class Helper: NSObject {
                @objc func help(_ first: Any, more: Any) {}
            }
            """
        let target = rewrite(source)
        try check(target)
        let text = target.files[0].text
        let names = text.matches(of: /Selector\("([^"]+)"\)/).map { String($0.1) }
        let expected = [
            "tap:", "tap:", "moveFrom:to:", "twice", "twice:", "help:more:", "endEditing:", "count", "setCount:",
            "elsewhere",
        ]
        #expect(names == expected)
        #expect(text.contains(/print\(names, "count" +, "view.isHidden" +\)/))
    }

    @Test func aSelectorRegistersAMethodWithoutAttribute() throws {
        // Swift 3 gave methods of such classes their names in Objective-C without being asked.
        let target = rewrite(
            "import UIKit\nclass Card: UIViewController {\n    func tap(_ sender: Any) {}\n    func other() {}\n}\n",
            "import UIKit\nextension Card {\n    var tapped: Selector { #selector(tap) }\n    var b: Selector { Selector(\"other\") }\n}\n"
        )
        let text = "warning: a selector names this method, so Objective-C has to know it: add @objc"
        try check(target, warnings: ["/app/File0.swift:3:10: \(text)", "/app/File0.swift:4:10: \(text)"])
        #expect(registered(target) == ["Card", "Card tap:", "Card other"])
    }

    @Test func aSelectorIsThatOfOneClass() throws {
        let target = rewrite(
            """
            import UIKit
            class Model { func tap() {} }
            class Card: UIViewController {
                var tapped: Selector { #selector(tap) }
                @objc func tap() {}
            }
            """
        )
        try check(target)
    }

    @Test func objectiveCKnowsTheMembersOfSubclassesAndOverrides() throws {
        let source = """
            import UIKit

            @objcMembers class Base: UIViewController {}
            class Card: Base {
                override func viewDidLoad() {}
                func tap() {}
            }
            extension Card { func swipe() {} }
            let names: [Selector] = [#selector(Card.viewDidLoad), #selector(Card.tap), #selector(Card.swipe)]
            """
        let target = rewrite(source)
        try check(target)
        #expect(registered(target) == ["Base", "Card", "Card viewDidLoad", "Card tap", "Card swipe"])
    }

    @Test func aStructureRegistersNothing() throws {
        let source = """
            import UIKit

            extension String { func trim() -> String { self } }
            extension CGRect { func tap() {} }
            struct Tapper { func tap() {} }
            actor Keeper { final class Inner: NSObject { @objc func tap() {} } }
            let names: [Selector] = [Selector("trim"), #selector(Keeper.Inner.tap)]
            """
        let target = rewrite(source)
        try check(target)
        #expect(registered(target) == ["Inner tap"])
    }

    // MARK: Protocols

    @Test func protocolsOfObjectiveCBecomeProtocolsOfClasses() throws {
        let source = """
            import UIKit

            @objc protocol First { func a() }
            @objc protocol Second: CustomStringConvertible { @objc optional func b(_ x: Int); func c() }
            @objc(Third) public protocol Third: NSObjectProtocol {
                @objc optional func d() -> String?
            }

            class Card: UIViewController {
                weak var first: First?
                weak var second: Second?
                weak var third: (any Third)?
                func ask() {
                    first?.a()
                    second?.b?(1)
                    print(third?.d?() ?? "none")
                }
            }

            class Helper: NSObject, First, Second {
                func a() {}
                func c() {}
            }
            """
        let target = rewrite(source)
        try check(target)
        let expected = [
            "protocol First: AnyObject { func a() }",
            "protocol Second: AnyObject, CustomStringConvertible {                func b(_ x: Int); func c() }"
                + "; extension Second { func b(_ x: Int) { } }",
            "public protocol Third: NSObjectProtocol {",
            "func d() -> String?",
            "}; public extension Third { func d() -> String? { nil } }",
            "second?.b (1)",
            "print(third?.d () ?? \"none\")",
        ]
        #expect(Array(changes(source, in: target).prefix(expected.count)) == expected)
    }

    // MARK: Files

    @Test func importsFollowTheModules() throws {
        let source = """
            import CoreGraphics
            import Darwin
            import Foundation
            import MapKit
            import UIKit.UIGestureRecognizerSubclass
            import struct Foundation.URL
            #if canImport(AppKit)
            import AppKit
            #elseif os(iOS) && !os(Linux)
            let request = URLRequest(url: URL(fileURLWithPath: "/"))
            #else
            import Nothing
            #endif
            """
        let target = rewrite(source)
        try check(target)
        let expected = ["", "import Glibc", "", "import UIKit", "#elseif true    && !false"]
        #expect(changes(source, in: target) == expected)
        #expect(target.missingImports.map { "\($0.module) \($0.place.line):\($0.place.column)" } == ["MapKit 4:1"])
    }

    @Test func aFileOfAnAbsentFrameworkStillHasUIKit() throws {
        try check(rewrite("import MapKit\n\nfinal class Map: UIView { var size = CGFloat(1) }\n"))
    }

    @Test func conditionsChooseWhatIsRegistered() throws {
        let source = """
            import UIKit

            #if CARD || swift(<5)
            class Card: UIViewController {
                #if DEBUG && targetEnvironment(simulator)
                @IBOutlet var a: UILabel!
                #else
                @IBOutlet var b: UILabel!
                #endif
            }
            #else
            class Other: UIViewController {}
            #endif
            """
        let target = rewrite(source, names: ["CARD", "DEBUG"])
        try check(target, flags: ["-swift-version", "5", "-DCARD", "-DDEBUG"])
        #expect(registered(target) == ["Card", "Card b"])
    }

    @Test func literalsBecomeCalls() throws {
        let source = """
            import UIKit

            let color = #colorLiteral(red: 0.1, green: 0.2, blue: 0.3, alpha: 1)
            let image = #imageLiteral(resourceName: "cup")
            let file: URL = #fileLiteral(resourceName: "cup.svg")

            @available(iOS 17, *)
            #Preview("Two") {
                UIView()
            }
            """
        let target = rewrite(source)
        try check(target)
        let expected = [
            "let color = UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 1)",
            #"let image = UIImage(named: "cup")!"#,
            #"let file: URL = Bundle.main.url(forResource: "cup.svg", withExtension: nil)!"#,
            "", "", "", "",
        ]
        #expect(changes(source, in: target) == expected)
    }

    @Test func filesOfOneNameGetDifferentNames() {
        let paths = [
            "/a/main.swift", "/b/Card.swift", "/c/Card.swift", "/d/card.swift", "/e/A+B.swift", "/f/A_B.swift",
        ]
        let target = RewrittenTarget(paths.map { SourceFile(path: $0, text: "") }, Conditions(names: [], modules: []))
        let expected = ["main_.swift", "Card.swift", "Card-2.swift", "card-3.swift", "A+B.swift", "A_B-2.swift"]
        #expect(target.files.map(\.path) == expected)
    }

    @Test func whatCannotBeRewrittenIsNamed() {
        let source = """
            import UIKit

            class Card: UIViewController {
                @IBOutlet var label = make()
                @NSManaged var name: String
                @NSManaged var other: String
            }

            @objc protocol Source {
                @objc optional var count: Int { get }
                @objc optional func height() -> Int
            }
            """
        let texts = rewrite(source).diagnostics.map { $0.description.replacing("/app/File0.swift:", with: "") }
        let optional = "an optional requirement of this kind needs Objective-C: make it one that every type has"
        let expected = [
            "4:19: error: the type of an outlet is not written: add it behind a colon",
            "5:5: error: Core Data needs Objective-C: keep the managed object out of the extension's target",
            "10:5: error: \(optional)",
            "11:5: error: \(optional)",
        ]
        #expect(texts == expected)
    }

    @Test(
        arguments: [
            ("tap", [], "tap"), ("tap", ["_"], "tap:"), ("tap", ["sender"], "tapWithSender:"),
            ("move", ["to", "_", "by"], "moveTo::by:"), ("applied", ["with"], "appliedWith:"),
            ("dismissFor", ["view"], "dismissForView:"), ("set", ["forKey"], "setForKey:"),
            ("load", ["url", "x"], "loadWithUrl:x:"),
        ] as [(String, [String], String)]
    )
    func namesAreThoseOfObjectiveC(base: String, labels: [String], expected: String) {
        #expect(ObjectiveCName.selector(base, labels) == expected)
    }

    @Test func thePrincipalClassIsFoundByItsNameInObjectiveC() {
        let target = rewrite(
            "import UIKit\n@objc(CardController)\nclass Card: UIViewController {}\nclass Other: UIView {}\n"
        )
        let names = ["CardController", "Extension.Card", "Other", "Missing"].map(target.principalClass)
        #expect(names == ["Card", "Card", "Other", nil])
    }
}
