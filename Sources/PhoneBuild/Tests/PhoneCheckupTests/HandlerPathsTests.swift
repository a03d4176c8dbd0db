import PhoneTestSupport
import Testing

@testable import PhoneCheckup

/// The paths on which a completion handler is not called; a path that may call it is never one of them.
struct HandlerPathsTests {
    /// The lines of a method's body, from 1 on, on which a path without a call begins or ends.
    private func misses(_ body: String, members: String = "", label: String = "withContentHandler") throws -> [Int] {
        let head =
            "class Service { func didReceive(_ request: UNNotificationRequest, \(label) handler: @escaping () -> Void) {\n"
        return try withTemporaryFolder { folder in
            try write("\(head)\(body)\n} }\nextension Service {\n\(members)\n}\n", to: "\(folder)/Service.swift")
            return TargetCode(sources: ["\(folder)/Service.swift"], modules: []).misses.map { $0.place.line - 1 }
        }
    }

    @Test(arguments: [
        "handler()",
        "guard a else { return handler() }\nhandler()",
        "guard a else {\nhandler()\nreturn\n}\nhandler()",
        "defer { handler() }\nguard a else { return }",
        "if a { handler() } else { handler() }",
        "switch a {\ncase 1: handler()\ndefault: handler()\n}",
        "switch a {\ncase 1: fallthrough\ndefault: handler()\n}",
        "do { try a(); handler() } catch { handler() }",
        "do {\nhandler()\ntry a()\n} catch { print(error) }",
        "self.handler = handler\nfinish()",
        "self.handler = handler\nTask { await finish() }",
        "super.didReceive(request, withContentHandler: handler)",
        "download(request, handler)",
        "download { handler() }",
        "download { [weak self] in\nguard let self else { return }\nself.a = 1\nhandler()\n}",
        "let group = DispatchGroup()\nfor a in b {\ndownload { group.leave() }\n}\ngroup.notify(queue: .main) { handler() }",
        "let deliver = { handler() }\nif a { deliver() } else { deliver() }",
        "func deliver() { handler() }\nif a { deliver() } else { deliver() }",
        "copy = request.content.mutableCopy() as? UNMutableNotificationContent\nif let copy = copy { handler() }",
        "let new = request.content.mutableCopy() as? UNMutableNotificationContent\nguard let new else { return }\nhandler()",
        "self.handler = handler\nTask {\nif let handler = self.handler { handler() }\n}",
        "guard let new = request.content.mutableCopy() as? Content else { return handler() }\n"
            + "copy = new\nself.handler = handler\n"
            + "Task {\nif let handler = self.handler, let copy = self.copy { handler(copy) }\n}",
        "guard a else { fatalError() }\nhandler()",
        "extensionContext?.dismissNotificationContentExtension()",
        "#if DEBUG\nhandler()\n#else\nhandler()\n#endif",
        "repeat { handler() } while a",
        "a ? handler() : handler()",
    ])
    func aPathThatCallsIsNoMiss(_ body: String) throws {
        let members = "func finish() { deliver() }\nfunc deliver() { self.handler?() }"
        #expect(try misses(body, members: members) == [])
    }

    @Test(arguments: [
        ("print(1)", [2]),
        ("guard a else { return }\nhandler()", [1]),
        ("if a {\nhandler()\n}", [1]),
        ("if a { handler() }\nelse if b { handler() }", [2]),
        ("switch a {\ncase 1: handler()\ndefault: break\n}", [3]),
        ("do {\ntry a()\nhandler()\n} catch {\nprint(error)\n}", [4]),
        ("download { url in\nguard let url else { return }\nhandler()\n}", [2]),
        ("download { url in\nif url != nil { handler() }\n}", [2]),
        ("for a in b {\nguard a else { return }\n}\nhandler()", [2]),
        ("self.handler = handler\nstart()", [3]),
        ("let new = request.content.mutableCopy()\nguard let new, let a else { return }\nhandler()", [2]),
    ])
    func aPathWithoutACallIsAMiss(_ body: String, _ lines: [Int]) throws {
        #expect(try misses(body, members: "func start() { print(1) }") == lines)
        #expect(try misses(body, members: "func start() { print(1) }", label: "completionHandler") == lines)
    }
}
