import Foundation
import JSON
import PhoneRuntime
import PhoneShadows
import Testing
import UIKit

/// Objects that are called by name.
@MainActor
struct PhoneObjectTests {
    private class Base: NSObject {
        var label: UILabel?
        var taps: [String] = []
    }

    private final class Derived: Base {
        var count = 0
    }

    private func register() {
        PhoneObject.register(
            Base.self,
            outlets: ["label": { PhoneObject.set(\Base.label, of: $0, to: $1) }],
            actions: ["tap:": { object, arguments in (object as? Base)?.taps.append("\(arguments[0] ?? "nil")") }]
        )
        PhoneObject.register(Derived.self, outlets: ["count": { PhoneObject.set(\Derived.count, of: $0, to: $1) }])
    }

    @Test("Outlets and actions are found in the class and in its superclasses")
    func lookup() {
        register()
        let object = Derived()
        let label = UILabel()
        #expect(PhoneObject.setOutlet("label", of: object, to: label))
        #expect(object.label === label)
        #expect(PhoneObject.setOutlet("count", of: object, to: 3))
        #expect(!PhoneObject.setOutlet("count", of: object, to: "three"))
        #expect(!PhoneObject.setOutlet("other", of: object, to: label))
        object.perform("tap:", with: "one")
        #expect(object.taps == ["one"])
        #expect(object.responds(to: "tap:"))
        #expect(!object.responds(to: "tap"))
        #expect(PhoneObject.type(named: "Derived") == Derived.self)
    }

    @Test("A notification calls the observer by name until it is removed")
    func observer() {
        register()
        let object = Derived()
        let name = Notification.Name("PhoneObjectTests")
        NotificationCenter.default.addObserver(object, selector: "tap:", name: name, object: nil)
        NotificationCenter.default.post(name: name, object: nil)
        #expect(object.taps.count == 1)
        NotificationCenter.default.removeObserver(object)
        NotificationCenter.default.post(name: name, object: nil)
        #expect(object.taps.count == 1)
    }

    @Test("An unknown selector ends the process, as on a phone")
    func unknown() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run { PhoneObject.send("unknown", to: NSObject()) }
        }
    }
}

/// Suites as `UserDefaults`, here without a host: the values stay in the process.
struct UserDefaultsTests {
    private let defaults = PhoneShadows.UserDefaults(suiteName: UUID().uuidString) ?? .standard

    @Test("Values come back as they went in")
    func values() throws {
        defaults.set(3, forKey: "integer")
        defaults.set(true, forKey: "bool")
        defaults.set(0.5, forKey: "double")
        defaults.set(Date(timeIntervalSinceReferenceDate: 1.25), forKey: "date")
        defaults.set(Data([1, 2, 255]), forKey: "data")
        defaults.set(["a": [1, "two", Date(timeIntervalSinceReferenceDate: 2)] as [Any]], forKey: "nested")
        defaults.set(CGFloat(1.5), forKey: "point")
        defaults.set(
            ["a": UInt8(7), "b": NSMutableArray(array: [NSDictionary(dictionary: ["c": 1])])],
            forKey: "foundation"
        )
        #expect(defaults.double(forKey: "point") == 1.5)
        #expect(defaults.dictionary(forKey: "foundation")?["a"] as? Int == 7)
        #expect((defaults.dictionary(forKey: "foundation")?["b"] as? [[String: Any]])?.first?["c"] as? Int == 1)
        #expect(defaults.object(forKey: "integer") as? Int == 3)
        #expect(defaults.object(forKey: "integer") as? Double == 3)
        #expect(defaults.integer(forKey: "integer") == 3)
        #expect(defaults.bool(forKey: "bool"))
        #expect(defaults.string(forKey: "integer") == "3")
        #expect(defaults.double(forKey: "double") == 0.5)
        #expect(defaults.object(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 1.25))
        #expect(defaults.data(forKey: "data") == Data([1, 2, 255]))
        let nested = try #require(defaults.dictionary(forKey: "nested")?["a"] as? [Any])
        #expect(nested[0] as? Int == 1)
        #expect(nested[2] as? Date == Date(timeIntervalSinceReferenceDate: 2))
        defaults.removeObject(forKey: "integer")
        #expect(defaults.object(forKey: "integer") == nil)
        defaults.register(defaults: ["integer": 7])
        #expect(defaults.integer(forKey: "integer") == 7)
    }

    @Test("A user attribute that the host returns is encoded again, as the guide's code reads it")
    func userAttributes() throws {
        let (suite, key) = (UUID().uuidString, "pending_user_attributes")
        CurrentPresentation.setLocalValue([["email": "ada@example.com"]], "\(suite)/\(key)")
        let defaults = PhoneShadows.UserDefaults(suiteName: suite)
        let read = try #require(defaults?.object(forKey: key) as? [Data])
        #expect(
            try read.map { try PropertyListDecoder().decode([String: String].self, from: $0) } == [
                ["email": "ada@example.com"]
            ]
        )
        defaults?.set(read + [Data([1])], forKey: key)
        #expect(defaults?.object(forKey: key) as? [Data] == read + [Data([1])])
    }
}

struct PredicateTests {
    @Test(
        "Formats",
        arguments: [
            ("SELF MATCHES '[a-z]+@[a-z]+'", "ada@x", true), ("SELF MATCHES '[a-z]+'", "Ada", false),
            ("SELF MATCHES[c] '[a-z]+'", "Ada", true), ("SELF BEGINSWITH 'A' AND NOT SELF CONTAINS 'z'", "Ada", true),
            ("SELF ==[c] 'ADA' || SELF == 'x'", "Ada", true),
            ("SELF LIKE 'A*a'", "Ada", true), ("length > 2", "Ada", true),
        ]
    )
    func formats(_ format: String, _ value: String, _ expected: Bool) {
        #expect(PhoneShadows.NSPredicate(format: format).evaluate(with: value) == expected)
    }

    @Test("Arguments and keys")
    func arguments() {
        let predicate = PhoneShadows.NSPredicate(format: "%K == %@ AND age >= %d", "name", "Ada", 30)
        #expect(predicate.evaluate(with: ["name": "Ada", "age": 36] as [String: Any]))
        #expect(!predicate.evaluate(with: ["name": "Ada", "age": 29] as [String: Any]))
    }
}

/// The clock of the host.
@MainActor
struct MainClockTests {
    @Test("Timers fire in the order of their times, and what they put on the main queue runs before the next one")
    func order() async {
        let clock = MainClock()
        clock.fix(at: Date(timeIntervalSince1970: 0))
        var order: [String] = []
        clock.schedule(after: 2) { order.append("two") }
        clock.schedule(after: 1) {
            order.append("one at \(clock.now.timeIntervalSince1970)")
            MainQueue.add { order.append("queued") }
            clock.schedule(after: 0.5) { order.append("one and a half") }
        }
        clock.schedule(after: 1.2) { order.append("never") }.cancel()
        clock.schedule(after: 9) { order.append("late") }
        await withCheckedContinuation { continuation in clock.advance(by: 3) { continuation.resume() } }
        #expect(order == ["one at 1.0", "queued", "one and a half", "two"])
        #expect(clock.now == Date(timeIntervalSince1970: 3))
        #expect(clock.nextDue == Date(timeIntervalSince1970: 9))
    }

    @Test("It stops as soon as it is enough")
    func enough() async {
        let clock = MainClock()
        clock.fix(at: Date(timeIntervalSince1970: 0))
        var count = 0
        for second in 1...5 { clock.schedule(after: Double(second)) { count += 1 } }
        await withCheckedContinuation { continuation in
            clock.advance(to: clock.now + 5, until: { count == 2 }) { continuation.resume() }
        }
        #expect(count == 2)
        #expect(clock.now == Date(timeIntervalSince1970: 2))
    }
}

struct RandomnessTests {
    @Test("With a seed the numbers are the same for a notification, whatever came before")
    func seed() {
        func numbers(_ notification: String) -> [Int] {
            PhoneRandomGenerator.start(seed: 1, notification: notification)
            var generator = PhoneRandomGenerator()
            return (0..<5).map { _ in Int.random(in: 0..<1_000, using: &generator) }
        }
        let first = numbers("a")
        #expect(numbers("b") != first)
        #expect(numbers("a") == first)
    }
}

struct DateFormatterTests {
    @Test(
        "Durations",
        arguments: [
            (PhoneShadows.DateComponentsFormatter.UnitsStyle.positional, 65.0, "1:05"), (.positional, 5, "0:05"),
            (.abbreviated, 3_661, "1h 1m 1s"), (.full, 120, "2 minutes"), (.short, 3_600, "1 hr"),
        ]
    )
    func durations(_ style: PhoneShadows.DateComponentsFormatter.UnitsStyle, _ seconds: Double, _ expected: String) {
        let formatter = PhoneShadows.DateComponentsFormatter()
        formatter.unitsStyle = style
        formatter.allowedUnits = [.hour, .minute, .second]
        #expect(formatter.string(from: seconds) == expected)
    }

    @Test("A countdown with two digits")
    func padded() {
        let formatter = PhoneShadows.DateComponentsFormatter()
        formatter.allowedUnits = [.minute, .second]
        formatter.zeroFormattingBehavior = .pad
        #expect(formatter.string(from: 65) == "01:05")
    }

    @Test("How long ago")
    func relative() {
        let formatter = PhoneShadows.RelativeDateTimeFormatter()
        #expect(formatter.localizedString(fromTimeInterval: -7_200) == "2 hours ago")
        formatter.dateTimeStyle = .named
        #expect(formatter.localizedString(fromTimeInterval: -86_400) == "yesterday")
    }
}
