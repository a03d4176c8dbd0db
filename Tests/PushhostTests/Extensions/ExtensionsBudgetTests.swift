import Foundation
import JSON
import TestSupport
import Testing

/// How often a failing extension is restarted, and when it is not.
@Suite(.waits, .wire) struct ExtensionsBudgetTests {
    private func refusal(_ reply: JSON) throws -> JSON {
        let error = try #require(reply["error"], "\(reply)")
        #expect(error["code"] == 128)
        #expect(error["data"]?["reason"] == "extensionUnavailable")
        #expect(error["message"]?.string?.contains("failed too often, ") == true)
        return error
    }

    private func waitForState(_ state: JSON, _ host: HostProcess) throws {
        try Processes.wait(for: "the state \(state)") { try host.describe("exitsInCall")["state"] == state }
    }

    /// A host that runs a line only after the previous one was answered, so that no backoff can end between two lines.
    private func lockStepHost(_ workspace: Workspace, budget: Int) throws -> HostProcess {
        try workspace.host(["--seed", "1", "--restart-budget", "\(budget)"])
    }

    private func failAndBeRefused(_ host: HostProcess) throws {
        for _ in 0..<2 { try host.request("didReceive", HostProcess.payload("exitsInCall")) }
        #expect(try host.reply()["error"]?["code"] == 121)
        _ = try refusal(try host.reply())
    }

    @Test("After the free failures calls are refused during a reported backoff, and then the extension is restarted")
    func pause() throws {
        try Workspace.open { workspace in
            try workspace.add("exitsInCall")
            try workspace.add("good")
            let host = try lockStepHost(workspace, budget: 2)
            for fault in 1...2 {
                #expect(try host.show("exitsInCall")["error"]?["code"] == 121)
                #expect(try host.describe("exitsInCall")["faults"] == JSON(fault))
                #expect(try host.describe("exitsInCall")["state"] == "idle")
            }
            try host.request("didReceive", HostProcess.payload("exitsInCall"))
            try host.request("didReceive", HostProcess.payload("exitsInCall"))
            try host.request("extensions")
            try host.request("status")
            try host.request("didReceive", HostProcess.payload("good"))
            #expect(try host.reply()["error"]?["code"] == 121)
            let error = try refusal(try host.reply())
            #expect((1...1000).contains(error["data"]?["retryAfter"]?.integer ?? 0), "\(error)")
            let description = try HostProcess.description(of: "exitsInCall", in: try host.reply()["result"])
            #expect(description["state"] == "backingOff")
            #expect((0...1000).contains(description["retryAfter"]?.integer ?? -1))
            #expect(description["pid"] == nil)
            #expect(description["starts"] == 3, "the refused call started nothing")
            let status = try host.reply()["result"]
            #expect(status?["extensionsBackingOff"] == 1)
            #expect(status?["extensionFaults"] == 3)
            #expect(try host.reply()["result"] != nil, "the good one is served")

            try waitForState("idle", host)
            #expect(try host.result("status")["extensionsBackingOff"] == 0)
            try failAndBeRefused(host)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("reloadExtensions resets the restart budget at once, even if the bundle is unchanged")
    func resetByReload() throws {
        try Workspace.open { workspace in
            try workspace.add("exitsInCall")
            let host = try lockStepHost(workspace, budget: 0)
            for starts in 1...2 {
                try failAndBeRefused(host)
                #expect(try host.result("reloadExtensions")["changed"] == [])
                let description = try host.describe("exitsInCall")
                #expect(description["state"] == "idle")
                #expect(description["faults"] == 0)
                #expect(description["starts"] == JSON(starts))
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A call that waits behind the failure that exceeds the budget is refused too")
    func waiting() throws {
        try Workspace.open { workspace in
            try workspace.add("exitsInCall")
            let host = try workspace.host(["--restart-budget", "0"])
            let ids = try (0..<3).map { _ in try host.request("didReceive", HostProcess.payload("exitsInCall")) }
            let replies = try ids.map { _ in try host.reply() }
            #expect(replies.compactMap { $0["id"] } == ids)
            #expect(replies[0]["error"]?["code"] == 121)
            for reply in replies[1...] { _ = try refusal(reply) }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A failed start counts as a failure, and a reload after the repair serves the next call")
    func failedStart() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "exitsInCall", script: nil)
            let host = try lockStepHost(workspace, budget: 1)
            for _ in 0..<3 { try host.request("didReceive", HostProcess.payload("exitsInCall")) }
            for _ in 0..<2 { #expect(try host.reply()["error"]?["code"] == 120) }
            _ = try refusal(try host.reply())
            try writeExecutable("#!/bin/sh\n\(try Workspace.script("good"))\n", to: "\(folder)/run")
            try host.result("reloadExtensions")
            #expect(try host.show("exitsInCall")["result"] != nil)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Failures no longer count once they leave the window")
    func window() throws {
        try Workspace.open { workspace in
            try workspace.add("exitsInCall")
            let host = try workspace.host(["--restart-budget", "1", "--restart-window", "200"])
            for _ in 1...3 {
                #expect(try host.show("exitsInCall")["error"]?["code"] == 121)
                try Processes.wait(for: "the fault to leave the window") {
                    try host.describe("exitsInCall")["faults"] == 0
                }
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An exit while no call is running is not a failure")
    func unneeded() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host(["--restart-budget", "0"])
            for starts in 1...3 {
                let notification = try host.shown("good")
                try host.result("dismiss", [notification])
                kill(try host.pid(of: "good"), SIGKILL)
                try Processes.wait(for: "its end") { try host.describe("good")["state"] == "idle" }
                #expect(try host.describe("good")["faults"] == 0)
                #expect(try host.describe("good")["ends"]?.array?.count == starts)
            }
            #expect(try host.finish() == .code(0))
        }
    }
}
