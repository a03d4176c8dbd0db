import JSON
import TestSupport
import Testing

/// A hundred runs of an extension leave no more resources in use than one.
@Suite(.hangs, .wire, .processesAreListed) struct ExtensionsCyclesTests {
    @Test("A hundred clean starts and stops leave no process and no descriptor")
    func clean() throws {
        try Zoo.open(prepare: { try $0.add("saves") }) { zoo in
            for _ in 0..<100 {
                _ = try zoo.host.shown("saves")
                try zoo.host.result("reloadExtensions", ["force": true])
            }
            let saves = try zoo.host.describe("saves")
            #expect(saves["starts"] == 100)
            #expect(saves["faults"] == 0)
            #expect(try zoo.savedEvents() == 101)
        }
    }

    @Test("A hundred crashes leave no zombie, no child in a session of its own and no descriptor")
    func crashes() throws {
        try Zoo.open(["--restart-budget", "1000"], prepare: { try $0.add("escapedGrandchild") }) { zoo in
            for _ in 0..<100 {
                let reply = try zoo.host.show("escapedGrandchild")
                #expect(reply["error"]?["data"]?["exitCode"] == 6)
            }
            #expect(try zoo.host.describe("escapedGrandchild")["starts"] == 100)
            #expect(try zoo.host.describe("escapedGrandchild")["faults"] == 100)
        }
    }

    @Test("A hundred failed starts leave no zombie, no child in a session of its own and no descriptor")
    func failedStarts() throws {
        try Zoo.open(["--restart-budget", "1000"], prepare: { try $0.add(named: "missing", script: nil) }) { zoo in
            for _ in 0..<100 {
                let reply = try zoo.host.show("missing")
                #expect(reply["error"]?["code"] == 120)
            }
        }
    }
}
