import JSON
import Testing

@testable import Notifications

/// Payloads of Live Activities and widgets, and sounds, by Apple's rules.
@Suite struct ActivityCheckTests {
    /// Each finding as its level, reason and path.
    private func found(_ aps: JSON, isTemplate: Bool = false) -> [String] {
        var surroundings = PayloadCheck.Surroundings()
        surroundings.isTemplate = isTemplate
        let check = PayloadCheck(["aps": aps], surroundings)
        for finding in check.findings { #expect(!finding.advice.isEmpty) }
        return check.findings.map { "\($0.level) \($0.reason) \($0.path)" }
    }

    /// The members of a Live Activity's payload that is right, with others.
    private func activity(_ event: String, _ members: [(String, JSON)] = [], without absent: String? = nil) -> JSON {
        var all: [(String, JSON)] = [
            ("timestamp", 1_800_000_000), ("event", .string(event)), ("content-state", ["score": 3]),
        ]
        if event == "start" {
            let alert: JSON = ["title": ["loc-key": "GOAL", "loc-args": ["A"]], "body": "b", "sound": "goal.aif"]
            all += [("attributes-type", "GameAttributes"), ("attributes", [:]), ("alert", alert)]
        }
        let names = members.map(\.0) + [absent].compactMap { $0 }
        return .object(JSON.Object(all.filter { !names.contains($0.0) } + members))
    }

    @Test("A right payload of a Live Activity has only the information that one shows it")
    func right() {
        let information = ["information liveActivity /aps"]
        #expect(found(activity("start", [("input-push-token", 1)])) == information)
        #expect(found(activity("update", [("relevance-score", 100), ("stale-date", 1_800_000_600)])) == information)
        #expect(found(activity("update", [("alert", ["title": "t", "body": "b", "sound": "default"])])) == information)
        #expect(found(activity("end", [("dismissal-date", 0)])) == information)
        #expect(found(activity("update", [("timestamp", "{{ 'now' | date: '%s' }}")]), isTemplate: true) == information)
    }

    @Test(
        "What a phone does not accept of a Live Activity is found",
        arguments: [
            ("stop", [], nil, ["error ignoredMember /aps/event"]),
            ("update", [("event", 1)], nil, ["error ignoredMember /aps/event"]),
            ("update", [], "event", ["error missingKey /aps"]), ("update", [], "timestamp", ["error missingKey /aps"]),
            ("update", [("timestamp", "now")], nil, ["error ignoredMember /aps/timestamp"]),
            ("update", [("timestamp", 1_800_000_000_000)], nil, ["error ignoredMember /aps/timestamp"]),
            ("update", [("stale-date", 1_800_000_000_000)], nil, ["error ignoredMember /aps/stale-date"]),
            ("update", [("content-state", "x")], nil, ["error ignoredMember /aps/content-state"]),
            ("update", [], "content-state", ["error missingKey /aps"]),
            ("end", [], "content-state", ["warning missingKey /aps"]),
            ("start", [], "attributes-type", ["error missingKey /aps"]),
            ("start", [], "attributes", ["error missingKey /aps"]),
            ("start", [], "alert", ["error missingKey /aps"]),
            ("start", [("attributes", [])], nil, ["error ignoredMember /aps/attributes"]),
            ("start", [("alert", ["title": 1, "body": "b"])], nil, ["error ignoredMember /aps/alert/title"]),
            ("start", [("alert", [:])], nil, ["error missingKey /aps/alert"]),
            ("update", [("alert", ["tittle": "x"])], nil, ["error misspeltKey /aps/alert/tittle"]),
            ("update", [("alert", ["title": "x", "sound": 5])], nil, ["error ignoredMember /aps/alert/sound"]),
            ("start", [("input-push-token", "x")], nil, ["error ignoredMember /aps/input-push-token"]),
            ("update", [("dismissal-date", 1_800_000_000)], nil, ["warning ignoredMember /aps/dismissal-date"]),
            ("update", [("relevance-score", "high")], nil, ["error ignoredMember /aps/relevance-score"]),
            ("update", [("content_state", [:])], nil, ["error misspeltKey /aps/content_state"]),
        ] as [(String, [(String, JSON)], String?, [String])]
    )
    func wrong(event: String, members: [(String, JSON)], absent: String?, findings: [String]) {
        #expect(found(activity(event, members, without: absent)) == findings + ["information liveActivity /aps"])
    }

    @Test("Milliseconds are reported as such")
    func milliseconds() throws {
        let payload: JSON = ["aps": activity("update", [("timestamp", 1_800_000_000_000)])]
        let finding = try #require(PayloadCheck(payload, PayloadCheck.Surroundings()).findings.first)
        #expect(finding.advice == "divide it by 1000 if it is in milliseconds")
    }

    @Test("A payload of widgets has the information that they are reloaded")
    func widgets() {
        let information = "information widgetUpdate /aps/content-changed"
        #expect(found(["content-changed": true]) == [information])
        #expect(found(["content-changed": 1]) == ["error ignoredMember /aps/content-changed", information])
        #expect(found(["content_changed": true]).first == "error misspeltKey /aps/content_changed")
    }

    @Test(
        "The dictionary of a sound has critical 0 or 1, a name and a volume from 0 to 1",
        arguments: [
            ("default", []), (["critical": 1, "name": "a.aif", "volume": 0.5], []), (["name": "default"], []),
            (["critical": 0, "name": "default", "volume": 1], []),
            (["critical": true, "name": "x"], ["wrongValue critical"]),
            (["critical": 2, "name": "x"], ["wrongValue critical"]), (["critical": 1], ["missingKey"]),
            (["critical": 1, "name": 5], ["wrongValue name"]), (["critical": 1, "name": ""], ["wrongValue name"]),
            (["name": "x", "volume": 2], ["wrongValue volume"]),
            (["name": "x", "volume": -0.1], ["wrongValue volume"]),
            (["name": "x", "volume": "1"], ["wrongValue volume"]), (["name": "x", "volum": 1], ["misspeltKey volum"]),
        ] as [(JSON, [String])]
    )
    func sound(sound: JSON, findings: [String]) {
        let all = found(["alert": "x", "sound": sound]).filter { $0.contains("/aps/sound") }
        #expect(
            all
                == findings.map { finding in
                    let parts = finding.split(separator: " ")
                    return "error \(parts[0]) /aps/sound" + (parts.count > 1 ? "/\(parts[1])" : "")
                }
        )
    }
}
