import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost relay` from a source made with the kit.
@Suite(.waits, .wire) struct RelayTests {
    /// Accepts every record.
    private static let accepts = "def deliver(batch, n): return accept(batch)"
    /// Accepts every record; the first batch waits at the gate.
    private static let waits = """
        def deliver(batch, n):
            tell("batch")
            if n == 1: wait_at_gate()
            return accept(batch)
        """

    /// Stops a relay with SIGTERM.
    private func stop(_ relay: HostProcess) throws {
        relay.process.kill(SIGTERM)
        #expect(try relay.process.wait() == .code(0))
    }

    @Test("A relay to a file makes the folder of its data if it is missing")
    func newFolder() throws {
        try RelayWorkspace.open { workspace in
            try workspace.addRecords(1...3)
            let folder = "\(workspace.source)/new"
            // The first attempt must succeed: another one would come a day later.
            let pauses = ["--retry-base", "86400000", "--retry-limit", "86400000"]
            let relay = try workspace.relay(to: "file", ["--data", folder] + pauses)
            try workspace.awaitSettled(3)
            try stop(relay)
            let text = try String(contentsOfFile: "\(folder)/delivered.jsonl", encoding: .utf8)
            #expect(text.split(separator: "\n").count == 3)
            #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test("Records are delivered in the order of each user, suite by suite, also those that come later")
    func delivered() throws {
        try RelayWorkspace.open { workspace in
            try workspace.addRecords(1...2_500)
            try workspace.addRecords(2_501...3_000, suite: "other")
            let path = "\(workspace.source)/delivered.jsonl"
            let relay = try workspace.relay(to: "file", ["--deliver-file", path])
            try workspace.awaitSettled(3_000)
            try workspace.addRecords(3_001...3_010)
            try workspace.command("wake")
            try workspace.awaitSettled(3_010)
            try stop(relay)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let records = try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
            #expect(records.count == 3_010)
            #expect(records.count { $0["suite"] == "other" } == 500)
            RelayWorkspace.expectOrder(records)
            #expect(try workspace.done().values.allSatisfy { $0 == "delivered" })
            #expect(try workspace.possiblySent() == [:])
        }
    }

    @Test("A source whose answer is too long for a line is started again at once, and its records arrive")
    func longAnswer() throws {
        try RelayWorkspace.open { workspace in
            _ = try workspace.addDestination(Self.accepts)
            try workspace.addRecords(1...10)
            try workspace.setFault("pull-long")
            let relay = try workspace.relay(to: "tried")
            try workspace.awaitSettled(10)
            try stop(relay)
            #expect(try workspace.done().count == 10)
        }
    }

    @Test("Rejected records, held records and records that cannot be read become dead letters with their reasons")
    func deadLetters() throws {
        try RelayWorkspace.open { workspace in
            _ = try workspace.addDestination(
                """
                def deliver(batch, n):
                    named = {record["name"]: record["id"] for record in batch}
                    return {
                        "accepted": [named["E1"]],
                        "rejected": [{"id": named["E2"], "reason": "never"}],
                        "held": [{"id": named["E3"], "reason": "no user"}],
                    }
                """
            )
            try workspace.addRecords(1...3)
            try workspace.addRecords([["id": 4, "suite": "outbox", "kind": "purchase", "name": "n"]])
            let relay = try workspace.relay(to: "tried", unchecked: "the document does not allow the record")
            try workspace.awaitSettled(4)
            try stop(relay)
            let expected: [Int64: String] = [
                1: "delivered", 2: "dead: never", 3: "dead: no user",
                4: "dead: the record cannot be read: its kind is unknown",
            ]
            #expect(try workspace.done() == expected)
        }
    }

    @Test("After the destination died, its records are offered once more, and increments become dead letters")
    func destinationKilled() throws {
        try RelayWorkspace.open { workspace in
            let (folder, _) = try workspace.addDestination(
                """
                def deliver(batch, n):
                    if n == 1:
                        keep(batch)
                        os.kill(os.getpid(), signal.SIGKILL)
                    return accept(batch)
                """
            )
            try workspace.addRecords(1...20)
            try workspace.addRecords([
                [
                    "id": 21, "suite": "outbox", "kind": "customAttribute", "key": "n", "value": ["inc": 1],
                    "time": "2026-01-01T00:00:00.000Z", "user": ["external_id": "u1"],
                ]
            ])
            let relay = try workspace.relay(to: "tried")
            try workspace.awaitSettled(21)
            try stop(relay)
            let kept = try DestinationWorkspace.kept(folder)
            #expect(kept.count == 41)
            RelayWorkspace.expectOrder(kept)
            #expect(kept.suffix(20).allSatisfy { $0["possiblySent"] == 1 })
            let done = try workspace.done()
            #expect(done.count { $0.value == "delivered" } == 20)
            #expect(done[21]?.hasPrefix("dead: it may have been counted already") == true)
            let uncertain = try workspace.calls().compactMap { $0["settle"]?["uncertain"]?.array?.count }.reduce(0, +)
            #expect(uncertain == 20)
        }
    }

    @Test(
        "After the source died, what it had handed out comes again, as possibly sent if it was begun",
        arguments: ["pull-exit", "begin-exit-before", "begin-exit-after", "settle-exit-before", "settle-exit-after"]
    )
    func sourceKilled(fault: String) throws {
        try RelayWorkspace.open { workspace in
            let (folder, _) = try workspace.addDestination(Self.accepts)
            try workspace.addRecords(1...100)
            try workspace.setFault(fault)
            let relay = try workspace.relay(to: "tried")
            try workspace.awaitSettled(100)
            // A record for the next process of the source.
            try workspace.addRecords(101...101)
            try workspace.command("wake")
            try workspace.awaitSettled(101)
            try stop(relay)
            let kept = try DestinationWorkspace.kept(folder)
            RelayWorkspace.expectOrder(kept)
            #expect(Set(kept.compactMap { $0["id"]?.integer }) == Set(1...101))
            #expect(try workspace.done().values.allSatisfy { $0 == "delivered" })
            let again = kept.count { $0["possiblySent"] == 1 }
            switch fault {
            case "begin-exit-after": #expect(kept.count == 101 && again == 100)
            case "settle-exit-before": #expect(kept.count == 201 && again == 100)
            default: #expect(kept.count == 101 && again == 0)
            }
        }
    }

    @Test("However often relays are killed, only what they were sending counts: once more, then a dead letter")
    func relayKilled() throws {
        try RelayWorkspace.open { workspace in
            let (folder, batches) = try workspace.addDestination(
                """
                def deliver(batch, n):
                    if batch[0]["id"] == 1:
                        tell(f"batch of {len(batch)}")
                        signal.pause()
                    return accept(batch)
                """
            )
            // All of one user, so that only one batch is sent, and others are pulled ahead.
            try workspace.addRecords(1...1_700, users: 1)
            // What may have been sent is offered alone at first.
            for size in [1_000, 1] {
                let relay = try workspace.relay(to: "tried")
                try workspace.events.await("pulled 700")
                try batches.await("batch of \(size)")
                relay.process.kill(SIGKILL)
                #expect(try relay.process.wait() == .signal(SIGKILL))
            }
            let last = try workspace.relay(to: "tried")
            try workspace.awaitSettled(1_700)
            try stop(last)
            let done = try workspace.done()
            #expect(done[1]?.hasPrefix("dead: it may have been sent twice") == true)
            #expect(done.count { $0.value == "delivered" } == 1_699)
            let kept = try DestinationWorkspace.kept(folder)
            RelayWorkspace.expectOrder(kept)
            #expect(kept.count == 1_699)
            let again = kept.filter { $0["possiblySent"] != nil }.compactMap { $0["id"]?.integer }
            #expect(again.count == 999 && again.first == 2 && again.last == 1_000)
            #expect(try workspace.possiblySent() == [:])
        }
    }

    /// Delivers records from a source that answers the first three calls of a kind with an error: each arrives once.
    private func deliver(
        _ count: Int,
        despite fault: String,
        _ check: (RelayWorkspace, _ kept: [JSON]) -> Void = { _, _ in }
    ) throws {
        try RelayWorkspace.open { workspace in
            let (folder, _) = try workspace.addDestination(Self.accepts)
            try workspace.addRecords(1...Int64(count))
            try workspace.setFault(fault, times: 3)
            let relay = try workspace.relay(to: "tried")
            try workspace.awaitSettled(count)
            try stop(relay)
            let kept = try DestinationWorkspace.kept(folder)
            #expect(kept.count == count)
            RelayWorkspace.expectOrder(kept)
            check(workspace, kept)
        }
    }

    @Test("A batch of which the source does not store that it may be sent is not sent before it does")
    func beginRepeated() throws {
        try deliver(10, despite: "begin-error") { workspace, kept in
            #expect(kept.allSatisfy { $0["possiblySent"] == nil })
            #expect(workspace.log.all().contains("the source kit did not begin a batch"))
        }
    }

    @Test("A settlement that the source refuses is repeated, and nothing is delivered twice")
    func settlementRepeated() throws {
        try deliver(2_000, despite: "settle-error") { workspace, _ in
            #expect(workspace.log.all().contains("stored nothing"))
        }
    }

    @Test("A source that cannot hand out records is asked again")
    func pullRepeated() throws { try deliver(10, despite: "pull-error") }

    @Test("Records that are revoked are not sent any more")
    func revoked() throws {
        try RelayWorkspace.open { workspace in
            let (folder, batches) = try workspace.addDestination(Self.waits)
            let gate = try Gate(folder)
            try workspace.addRecords(1...1_500, users: 1)
            let relay = try workspace.relay(to: "tried")
            try batches.await("batch")
            try workspace.events.await("pulled 500")
            try workspace.command("revoke \((1_001...1_500).map { "\($0)" }.joined(separator: " "))")
            try workspace.log.await(containing: "revoked 500")
            try gate.releaseOne()
            try workspace.awaitSettled(1_500)
            try stop(relay)
            #expect(try DestinationWorkspace.kept(folder).count == 1_000)
            #expect(try workspace.done().count { $0.value == "revoked" } == 500)
        }
    }

    @Test("SIGTERM finishes the batch under way, and gives the other records back as not sent")
    func stopped() throws {
        try RelayWorkspace.open { workspace in
            let (folder, batches) = try workspace.addDestination(Self.waits)
            let gate = try Gate(folder)
            try workspace.addRecords(1...1_500, users: 1)
            let relay = try workspace.relay(to: "tried")
            try batches.await("batch")
            try workspace.events.await("pulled 500")
            relay.process.kill(SIGTERM)
            try workspace.log.await(containing: "stopping on signal")
            try gate.releaseOne()
            #expect(try relay.process.wait() == .code(0))
            #expect(try workspace.done().count == 1_000)
            #expect(try workspace.possiblySent() == [:])
            #expect(try workspace.calls().last == ["stop": true])
            let next = try workspace.relay(to: "tried")
            try workspace.awaitSettled(1_500)
            try stop(next)
            let kept = try DestinationWorkspace.kept(folder)
            #expect(kept.count == 1_500 && kept.allSatisfy { $0["possiblySent"] == nil })
        }
    }

    @Test("A second signal ends the relay at once")
    func stoppedAtOnce() throws {
        try RelayWorkspace.open { workspace in
            let (folder, batches) = try workspace.addDestination(Self.waits)
            _ = try Gate(folder)
            try workspace.addRecords(1...10)
            let relay = try workspace.relay(to: "tried")
            try batches.await("batch")
            relay.process.kill(SIGTERM)
            try workspace.log.await(containing: "stopping on signal")
            relay.process.kill(SIGTERM)
            #expect(try relay.process.wait() == .code(128 + SIGTERM))
        }
    }

    @Test("A destination that needs an operator gets nothing; the records are given back, and tried again later")
    func destinationStopped() throws {
        try RelayWorkspace.open { workspace in
            let (folder, _) = try workspace.addDestination(
                """
                def deliver(batch, n): return {"stop": "set the right key"} if n == 1 else accept(batch)
                """
            )
            try workspace.addRecords(1...100)
            let relay = try workspace.relay(to: "tried")
            try workspace.awaitSettled(100)
            try stop(relay)
            #expect(try DestinationWorkspace.kept(folder).allSatisfy { $0["possiblySent"] == nil })
            for list in ["unsent", "retry"] {
                let named = try workspace.calls().compactMap { $0["settle"]?[list]?.array?.count }.reduce(0, +)
                #expect(named == 100, "\(list)")
            }
            #expect(workspace.log.all().contains("set the right key"))
        }
    }

    @Test("The share of the rate limit goes to the destination; one that is not a number is not sent, with a warning")
    func share() throws {
        try RelayWorkspace.open { workspace in
            try workspace.destinations.bundles.add(
                named: "kit-destination",
                point: "pushhost.destination",
                script: "exec '\(try builtProduct("kit-destination"))'",
                attributes: ["PushhostDestinationName": "kit-destination"]
            )
            func add(_ id: Int64) throws {
                try workspace.addRecords([
                    [
                        "id": .integer(id), "suite": "outbox", "kind": "customEvent", "name": "share",
                        "time": "2026-01-01T00:00:00.000Z", "user": ["external_id": "u"],
                    ]
                ])
            }
            try add(1)
            let relay = try workspace.relay(to: "kit-destination")
            try workspace.awaitSettled(1)
            try workspace.command("share nan")
            try workspace.log.await(containing: "share is not sent: JSON has no nan")
            try workspace.command("share 0.25")
            try add(2)
            try workspace.command("wake")
            try workspace.awaitSettled(2)
            try workspace.command("share 1")
            try add(3)
            try workspace.command("wake")
            try workspace.awaitSettled(3)
            try stop(relay)
            let shares = workspace.log.all().matches(
                of: #/kit-destination\S* ([0-9.]+|the whole limit)$/#.anchorsMatchLineEndings()
            )
            #expect(shares.map { String($0.output.1) } == ["the whole limit", "0.25", "1.0"])
        }
    }

    @Test("A wrong name of a source or a destination is refused, with the known ones")
    func names() throws {
        try RelayWorkspace.open { workspace in
            _ = try workspace.addDestination(Self.accepts)
            let plugins = ["--plugins", workspace.destinations.bundles.plugins]
            for (ends, text) in [
                (["--from", "kitt", "--to", "tried"], "known sources: kit"),
                (["--from", "kit", "--to", "caller"], "a relay has no caller"),
                (["--from", "kit", "--to", "trie"], "there are file, tried"),
            ] {
                let run = try CommandRun(["relay"] + ends + plugins)
                #expect(run.status == .code(64))
                #expect(run.standardError.contains(text), "\(run.standardError)")
            }
        }
    }
}
