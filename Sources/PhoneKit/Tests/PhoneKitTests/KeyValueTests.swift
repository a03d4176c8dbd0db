import Foundation
import JSON
import PhoneRuntime
import Testing
import UIKit

/// What Objective-C knows of properties by their names.
@MainActor
struct KeyValueTests {
    /// A class as the rewriter leaves it.
    private final class Player: NSObject {
        var rate = 0 { didSet { PhoneObject.didChange(self, "rate") } }
        var item: Item? { didSet { PhoneObject.didChange(self, "item") } }
        var summary: String { "at \(rate)" }
        var seen: [String] = []

        @MainActor
        static func registered() -> Player {
            PhoneObject.register(
                Player.self,
                outlets: ["rate": { PhoneObject.set(\Player.rate, of: $0, to: $1) }],
                actions: [
                    "observeValueForKeyPath:of:change:context:": { object, arguments in
                        guard let player = object as? Player, let path = arguments[0] as? String else { return }
                        let change = arguments[2] as? [NSKeyValueChangeKey: Any]
                        let text = "\(path) \(change?[.oldKey] ?? "-") \(change?[.newKey] ?? "-")"
                        player.seen.append(text)
                    }
                ]
            )
            PhoneObject.register(Player.self, values: ["rate": { ($0 as? Player)?.rate }])
            PhoneObject.register(Player.self, values: ["item": { ($0 as? Player)?.item }])
            PhoneObject.register(Player.self, values: ["summary": { ($0 as? Player)?.summary }])
            PhoneObject.register(Player.self, property: "summary", dependsOn: ["rate"])
            return Player()
        }
    }

    private final class Item: NSObject {
        var status = 0 { didSet { PhoneObject.didChange(self, "status") } }
    }

    @Test("An observation gets old and new values until it ends")
    func observation() {
        let player = Player.registered()
        var seen: [String] = []
        var observation: NSKeyValueObservation? = player.observe(
            PhoneObject.named(\.rate, "rate"),
            options: [.initial, .old, .new]
        ) { _, change in
            seen.append("\(change.oldValue.map(String.init) ?? "-") \(change.newValue.map(String.init) ?? "-")")
        }
        player.rate = 1
        player.rate = 1
        #expect(seen == ["- 0", "0 1", "1 1"])
        withExtendedLifetime(observation) {}
        observation = nil
        player.rate = 2
        #expect(seen.count == 3)
    }

    @Test("A path follows the object that a property holds, and a property those that it depends on")
    func paths() {
        let (player, first, second) = (Player.registered(), Item(), Item())
        player.item = first
        var statuses: [Int?] = []
        let token = player.observe(PhoneObject.named(\.item?.status, "item.status"), options: .new) { _, change in
            statuses.append(change.newValue ?? nil)
        }
        first.status = 1
        player.item = second
        first.status = 2
        second.status = 3
        #expect(statuses == [1, 0, 3])
        var summaries: [String?] = []
        let other = player.observe(PhoneObject.named(\.summary, "summary"), options: .new) { _, change in
            summaries.append(change.newValue)
        }
        player.rate = 4
        #expect(summaries == ["at 4"])
        withExtendedLifetime((token, other)) {}
    }

    @Test("An observer that was added by name is told until it is removed")
    func observer() {
        let player = Player.registered()
        player.addObserver(player, forKeyPath: "rate", options: [.old, .new], context: nil)
        player.rate = 1
        player.removeObserver(player, forKeyPath: "rate")
        player.rate = 2
        #expect(player.seen == ["rate 0 1"])
    }

    @Test("Values are read and set by name; a name that nothing has is reported")
    func coding() {
        let player = Player.registered()
        player.setValue(7, forKey: "rate")
        #expect(player.value(forKey: "rate") as? Int == 7)
        #expect(NSDictionary(dictionary: ["a": ["b": "c"]]).value(forKeyPath: "a.b") as? String == "c")
        _ = CurrentPresentation.takeDiagnostics(of: "")
        player.setValue(1, forKey: "volume")
        #expect(CurrentPresentation.takeDiagnostics(of: "").map { $0["reason"] } == ["unknownKey"])
    }

    @Test("The size of a table's content is observed, as code that sets a height does")
    func contentSize() {
        final class Source: NSObject, UITableViewDataSource {
            func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 3 }
            func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
                UITableViewCell(style: .default, reuseIdentifier: nil)
            }
        }
        let (table, source) = (UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 0)), Source())
        table.rowHeight = 20
        var heights: [CGFloat] = []
        let token = table.observe(PhoneObject.named(\.contentSize, "contentSize"), options: .new) { _, change in
            heights.append(change.newValue?.height ?? 0)
        }
        table.dataSource = source
        table.layoutIfNeeded()
        #expect(heights == [60])
        withExtendedLifetime(token) {}
    }

    @Test("Associated values live as long as their object, and an assigned one keeps nothing alive")
    func associations() {
        final class Value {}
        var key: UInt8 = 0
        var object: NSObject? = NSObject()
        weak var kept: Value?
        do {
            let value = Value()
            kept = value
            objc_setAssociatedObject(object as Any, &key, value, .OBJC_ASSOCIATION_RETAIN)
        }
        #expect(kept != nil && objc_getAssociatedObject(object as Any, &key) as? Value === kept)
        object = nil
        let other = NSObject()
        do {
            let value = Value()
            objc_setAssociatedObject(other, &key, value, .OBJC_ASSOCIATION_ASSIGN)
            #expect(objc_getAssociatedObject(other, &key) as? Value === value)
        }
        #expect(kept == nil)
        #expect(objc_getAssociatedObject(other, &key) == nil)
    }

    @Test("A class that only a metatype names is made by what is registered, or by UIKit's initializer")
    func metatypes() {
        final class Framed: UIView {
            let text: String
            override init(frame: CGRect) {
                text = "framed"
                super.init(frame: frame)
            }
            required init?(coder: NSCoder) { nil }
        }
        PhoneObject.register(Framed.self, frame: { Framed(frame: $0) })
        func make<T: UIView>(_ type: T.Type = T.self) -> T { PhoneObject.make(T.self) }
        let badge: Framed = make()
        #expect(badge.text == "framed")
        #expect(type(of: make(UILabel.self)) == UILabel.self)
        #expect(UILabel.appearance().text == nil)
        let cell = PhoneObject.make(UITableViewCell.self, style: .subtitle, reuseIdentifier: "x")
        #expect(cell.reuseIdentifier == "x")
    }

    @Test("A number chooses the form of a plural when a text is formatted")
    func plurals() {
        let forms: JSON = [
            "argument": 1, "cases": [["numbers": [1], "text": "%1$@ message"]], "other": "%1$@ messages",
        ]
        LocalizedTexts.set(["count": forms])
        defer { LocalizedTexts.set([:]) }
        let format = LocalizedTexts.text("count", table: nil, bundle: .main, value: "")
        #expect(LocalizedTexts.format(format, nil, [1]) == "1 message")
        #expect(LocalizedTexts.format(format, Locale(identifier: "en_US"), [1_200]) == "1,200 messages")
        #expect(LocalizedTexts.format("%d of %@", nil, [3, "x"]) == "3 of x")
        #expect(String(format: "%@", NSError(domain: "d", code: 4)).contains("Code=4"))
    }
}
