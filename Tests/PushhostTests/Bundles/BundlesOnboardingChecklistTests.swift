import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesOnboardingChecklistTests {
    @Test("Completed steps are ticked, and the others are buttons")
    func checklist() throws {
        try BundlesHost.with { host in
            let shown = try show(host, completed: " account ,elsewhere")
            #expect(shown["count"] == ["type": "text", "id": "count", "text": "1 of 3 done", "style": "title"])
            #expect(shown["progress"] == ["type": "progress", "id": "progress", "value": 1, "total": 3])
            #expect(shown["step-account"] == ["type": "text", "id": "step-account", "text": "✓ Sign up"])
            #expect(shown["step-photo"] == ["type": "button", "id": "step-photo", "title": "○ Add a photo"])
            #expect(shown["step-invite"] == ["type": "button", "id": "step-invite", "title": "○ Invite a=b"])
            #expect(shown.actions == [])
            #expect(try host.pending() == [])
        }
    }

    @Test("A touch ticks off a step and saves it once; the last step completes the checklist")
    func flow() throws {
        try BundlesHost.with { host in
            let shown = try show(host, completed: "account")
            let first = try touch("step-invite", shown, host)
            #expect(first["progress"]?["value"] == 2)
            #expect(first["step-invite"]?["text"] == "✓ Invite a=b")
            #expect(first.actions == [])
            #expect(try refusedTouch("step-invite", shown, host) == "stepIsDone")
            #expect(try refusedTouch("step-account", shown, host) == "stepIsDone")
            let last = try touch("step-photo", shown, host)
            #expect(last["done"]?["text"] == "You're all set!")
            #expect(last.actions == [["identifier": "START", "title": "Open the app", "options": ["foreground"]]])
            #expect(try host.pending() == [done("invite"), done("photo"), completed])
            let press: JSON = ["notification": shown.notification, "actionIdentifier": "START"]
            #expect(try host.result("didReceiveResponse", press)["forwarded"] == true)
        }
    }

    @Test("Ticked steps are remembered for the user, in every thread and process")
    func remembered() throws {
        try BundlesHost.withSuccessors { host in
            _ = try touch("step-photo", try show(host), host)
            #expect(try show(host)["progress"]?["value"] == 1)
            #expect(try show(host, thread: "other")["progress"]?["value"] == 1)
            #expect(try show(host, user: "bob", thread: "bob")["progress"]?["value"] == 0)
        } _: { host in
            let shown = try show(host, completed: "account")
            #expect(shown["step-photo"]?["type"] == "text")
            #expect(try touch("step-invite", shown, host).actions != [])
            #expect(try host.pending() == [done("photo"), done("invite"), completed])
        }
    }

    @Test("Of two notifications for one user, the second does not save a step that the first one saved")
    func together() throws {
        try BundlesHost.with { host in
            let (first, second) = (try show(host, thread: "first"), try show(host, thread: "second"))
            _ = try touch("step-account", first, host)
            _ = try touch("step-photo", first, host)
            #expect(try touch("step-photo", second, host)["progress"]?["value"] == 2)
            #expect(try touch("step-invite", second, host).actions != [])
            #expect(try touch("step-invite", first, host).actions != [])
            #expect(try host.pending() == [done("account"), done("photo"), done("invite"), completed])
        }
    }

    @Test("A later notification of the thread brings other steps, and each checklist is completed separately")
    func thread() throws {
        try BundlesHost.with { host in
            let first = try show(host, steps: "a=A")
            _ = try touch("step-a", first, host)
            let second = try show(host, steps: "a=A, b=B")
            #expect(second.actions == [])
            #expect(second["step-a"]?["text"] == "✓ A")
            #expect(try touch("step-b", second, host).actions != [])
            #expect(try host.pending() == [done("a"), completed, done("b"), completed])
        }
    }

    @Test("A checklist that is already complete offers to open the app and saves nothing")
    func allDone() throws {
        try BundlesHost.with { host in
            let shown = try show(host, completed: "account,photo,invite")
            #expect(shown["done"] != nil)
            #expect(shown.actions != [])
            #expect(try host.pending() == [])
        }
    }

    @Test("A retry after a failure does not save a checklist step twice", arguments: [0, 1])
    func retry(saved: Int) throws {
        try BundlesHost.with(["--suite-records", "2"]) { host in
            let shown = try show(host, completed: "account,photo")
            for _ in saved..<2 { try host.saveUnrelatedRecord() }
            let params: JSON = ["notification": shown.notification, "element": "step-invite"]
            for _ in 1...2 {
                #expect(try host.refusal("interact", params)["data"]?["reason"] == "suiteFull")
            }
            try host.flush()
            #expect(try touch("step-invite", shown, host).actions != [])
            #expect(try host.pending()[...] == [done("invite"), completed].dropFirst(saved))
        }
    }

    @Test("An invalid key-value pair of a checklist is refused, and the error says what is needed")
    func wrongPairs() throws {
        let many = (1...13).map { "s\($0)=Step" }.joined(separator: ",")
        let wrong: [(String, JSON?)] = [
            ("steps", nil), ("steps", ""), ("steps", "Sign up"), ("steps", "a="), ("steps", "a=A,"), ("steps", "=A"),
            ("steps", "a=A,a=B"), ("steps", "a b=A"), ("steps", "é=A"), ("steps", .string(many)), ("steps", ["a=A"]),
            ("completed_steps", 1), ("completed_steps", .null),
        ]
        try BundlesHost.with { host in
            for (key, value) in wrong {
                let good: [(String, JSON)] = [("steps", "a=A")]
                let pairs = good.filter { $0.0 != key } + (value.map { [(key, $0)] } ?? [])
                let payload = BundlesHost.payload(category: "onboarding_checklist", pairs)
                let refusal = try host.refusal("didReceive", ["payload": payload])
                let path = "/params/request/content/userInfo/\(key)"
                #expect(refusal["data"] == ["reason": "invalidUserInfo", "path": .string(path)])
                #expect(refusal["message"]?.string?.hasPrefix("the key-value pair \(key) must be a string") == true)
            }
        }
    }

    @Test("Only steps can be touched", arguments: ["count", "progress"])
    func otherElements(element: String) throws {
        try BundlesHost.with { host in
            let shown = try show(host)
            #expect(try refusedTouch(element, shown, host) == "notTouchable")
            #expect(try host.pending() == [])
        }
    }

    // MARK: Steps

    private let completed: JSON = [
        "kind": "customEvent", "name": "Completed Onboarding", "user": ["braze_id": "ada"],
    ]

    private func done(_ step: String) -> JSON {
        [
            "kind": "customEvent", "name": "Completed Onboarding Step", "properties": ["Step": .string(step)],
            "user": ["braze_id": "ada"],
        ]
    }

    private func show(
        _ host: BundlesHost,
        user: String = "ada",
        thread: String = "onboarding",
        steps: String = "account=Sign up, photo = Add a photo ,invite=Invite a=b",
        completed: String? = nil
    ) throws -> Shown {
        let pairs: [(String, JSON)] = [("braze_id", .string(user)), ("steps", .string(steps))]
        let known = completed.map { [("completed_steps", JSON.string($0))] } ?? []
        return try host.receive(category: "onboarding_checklist", thread: thread, pairs + known)
    }

    private func touch(_ element: String, _ shown: Shown, _ host: BundlesHost) throws -> Shown {
        let params: JSON = ["notification": shown.notification, "element": .string(element)]
        return Shown(try host.result("interact", params))
    }

    private func refusedTouch(_ element: String, _ shown: Shown, _ host: BundlesHost) throws -> JSON? {
        let params: JSON = ["notification": shown.notification, "element": .string(element)]
        return try host.refusal("interact", params)["data"]?["reason"]
    }
}
