import Foundation
import PhoneDiagnostics
import PhoneTestSupport
import Testing

@testable import PhoneRewriter

/// What becomes of classes, their members and their initializers.
extension RewriterTests {
    @Test func nestedPrivateAndExtendedClassesAreRegistered() throws {
        let first = """
            import UIKit

            enum Names {
                struct Inner {
                    private class Hidden: UIView {
                        @IBOutlet private var label: UILabel!
                        @objc private func tap() {}
                    }
                }
            }

            private class Target: NSObject {
                @objc func fire() {}
            }

            final class Card: UIViewController {
                @IBOutlet private var label: UILabel!
            }
            """
        let second = """
            import UIKit

            extension Card {
                @objc func extended(_ sender: UIControl) {}
            }

            extension UIViewController {
                @objc func dismissKeyboard() { view.endEditing(true) }
            }

            @objc extension Card {
                func all() {}
            }
            """
        let target = rewrite(first, second)
        try check(target)
        let expected = [
            "Hidden", "Hidden frame", "Hidden label", "Hidden tap", "Target fire", "Card", "Card label",
            "Card extended:",
            "UIViewController dismissKeyboard", "Card all",
        ]
        #expect(registered(target) == expected)
        #expect(target.registrations == ["__phoneRegister_File0", "__phoneRegister_File1"])
    }

    @Test func subclassesRegisterTheirGenericSuperclass() throws {
        let first = """
            import UIKit

            class Base<Item>: UIViewController {
                @IBOutlet var list: UIView!
                var items: [Item] = []
                @objc func reload(_ sender: Any?) {}
            }
            """
        let second = """
            import UIKit

            class Texts: Base<String> {
                @objc func more() {}
            }

            final class Numbers: Base<Int> {}
            """
        let target = rewrite(first, second)
        try check(target)
        let calls = target.files[1].text.split(separator: "\n").filter { $0.hasPrefix("__phoneRegister_File0_0()") }
        #expect(calls.count == 2)
        #expect(target.registrations == ["__phoneRegister_File1"])
    }

    @Test func cellsRegisterTheirInitializers() throws {
        let source = """
            import UIKit

            class Plain: UICollectionViewCell {}

            class Framed: UICollectionViewCell {
                override init(frame: CGRect) { super.init(frame: frame) }
                required init?(coder: NSCoder) { fatalError("not from a storyboard") }
            }

            class Coded: UICollectionViewCell {
                required init?(coder: NSCoder) { super.init(coder: coder) }
            }

            class Row: UITableViewCell {}

            final class SpecialRow: Row {
                override init(style: CellStyle, reuseIdentifier: String?) {
                    super.init(style: style, reuseIdentifier: reuseIdentifier)
                }
                required init?(coder: NSCoder) { super.init(coder: coder) }
            }
            """
        let target = rewrite(source)
        try check(target)
        let expected = [
            "Plain", "Plain frame", "Framed", "Framed frame", "Coded", "Row", "Row style", "SpecialRow",
            "SpecialRow style",
        ]
        #expect(registered(target) == expected)
    }

    @Test func whatOnlyAMetatypeMakesIsMadeByTheRuntime() throws {
        let source = """
            import UIKit

            func make<T: UIView>(_ configure: (T) -> Void) -> T { let made = T(); configure(made); return made }
            func framed<T>(_ type: T.Type) -> T where T: UILabel { type.init(frame: .zero) }
            extension UIView {
                static func empty() -> Self { self.init() }
                static func wide() -> Self { Self(frame: CGRect(x: 0, y: 0, width: 9, height: 1)) }
            }
            class Holder<Screen: UIViewController & NSCopying> { func screen() -> Screen { Screen() } }
            class Badge: UIView {
                init() { super.init(frame: .zero) }
                required init?(coder: NSCoder) { super.init(coder: coder) }
                convenience init(text: String) { self.init() }
            }
            struct Box<T: Equatable> { func copy(_ make: () -> T) -> T { make() } }
            """
        let target = rewrite(source)
        try check(target)
        let expected = [
            "func make<T: UIView>(_ configure: (T) -> Void) -> T { let made = PhoneObject.make(T.self); configure(made); return made }",
            "func framed<T>(_ type: T.Type) -> T where T: UILabel { PhoneObject.make(type, frame: .zero) }",
            "static func empty() -> Self { PhoneObject.make(self) }",
            "static func wide() -> Self { PhoneObject.make(Self.self, frame: CGRect(x: 0, y: 0, width: 9, height: 1)) }",
            "class Holder<Screen: UIViewController & NSCopying> { func screen() -> Screen { PhoneObject.make(Screen.self) } }",
        ]
        #expect(Array(changes(source, in: target).prefix(expected.count)) == expected)
        #expect(registered(target) == ["Badge", "Badge plain"])
    }

    @Test func dynamicPropertiesTellTheirObservers() throws {
        let source = """
            import UIKit

            class Model: NSObject {
                @objc dynamic var title = ""
                @objc dynamic var count: Int = 0 { didSet { print(oldValue) } }
                @objc dynamic var ratio: Double { get { 0 } set { print(newValue) } }
                @objc dynamic var rest: Int { 1 - count }
                @objc let name = "model"
                @objc dynamic var id = NSUUID().uuidString
                @objc dynamic var kind = Model.usual
                static let usual = "usual"
                @objc class func keyPathsForValuesAffectingRest() -> Set<String> { ["count"] }
                var plain = 0
            }
            class Watcher: NSObject {
                var token: NSKeyValueObservation?
                func watch(_ model: Model) { token = model.observe(\\.title) { print($0.title) } }
                override func observeValue(
                    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                    context: UnsafeMutableRawPointer?
                ) { super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context) }
                func log(_ error: any Error) { NSLog("%@", error as CVarArg) }
            }
            """
        let target = rewrite(source)
        try check(target)
        for line in [
            #"var title = "" { didSet { PhoneObject.didChange(self, "title") } }"#,
            #"var count: Int = 0 { didSet { defer { PhoneObject.didChange(self, "count") }; print(oldValue) } }"#,
            #"var ratio: Double { get { 0 } set { defer { PhoneObject.didChange(self, "ratio") }; print(newValue) } }"#,
            "var rest: Int { 1 - count }",
            #"func watch(_ model: Model) { token = model.observe(PhoneObject.named(\.title, "title")) { print($0.title) } }"#,
            "func observeValue(",
            #"func log(_ error: any Error) { NSLog("%@", PhoneObject.formatArgument(error) as CVarArg) }"#,
        ] {
            #expect(target.files[0].text.contains(" \(line)\n"), "\(line)")
        }
        let all = registered(target)
        #expect(all.contains("Watcher observeValueForKeyPath:of:change:context:"))
        #expect(!all.contains("Model plain"))
    }

    @Test func overridesInExtensionsMoveIntoTheirClasses() throws {
        let first = """
            import UIKit

            class Base: UIViewController {
                private var count = 0
            }

            enum Outer { class Inner: UIView {} }

            extension Outer.Inner { override func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {} }
            """
        let second = """
            import UIKit

            extension Base {
                var first: Int { 1 }

                override func viewDidLoad() {
                    super.viewDidLoad()
                    view.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(setUp)))
                }
                @objc func setUp() {}
                func other() {}
            }

            class Card: Base {
                override func setUp() { super.setUp() }
            }

            public class Open: UIViewController {}

            public extension Open {
                func first() {}
                override func viewDidLoad() {}
                override public func loadView() {}
            }
            """
        let target = rewrite(first, second)
        try check(target)
        let location = "#sourceLocation(file: \"/app/File1.swift\", line: 6)\n    override func viewDidLoad() {\n"
        #expect(target.files[0].text.contains(location))
        #expect(changes(second, in: target, file: 1).prefix(5) == ["", "", "", "", ""])
        #expect(registered(target) == ["Base", "Inner", "Inner frame", "Base setUp", "Card", "Card setUp", "Open"])
        let broken = rewrite(first, second.replacing("super.viewDidLoad()", with: "super.viewDidLod()"))
        let output = try StandIns.check(broken.files.map { ($0.path, $0.text) })
        #expect(output.hasPrefix("/app/File1.swift:7:15: error: "))
    }

    @Test func aClassInAFunctionGetsAWarning() {
        let source = "import UIKit\nfunc f() {\n    class A: NSObject {\n        @objc func tap() {}\n    }\n}\n"
        let texts = rewrite(source).diagnostics.map(\.description)
        let text = "a class inside a function gets no selectors and outlets: move it out of the function"
        #expect(texts == ["/app/File0.swift:3:23: warning: \(text)"])
    }
}
