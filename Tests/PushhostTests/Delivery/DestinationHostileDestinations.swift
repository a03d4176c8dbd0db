/// A destination that misbehaves in one way.
struct HostileDestination: CustomStringConvertible {
    let name: String
    /// Its `deliver` function, as ``DestinationWorkspace`` expects it.
    let program: String
    /// The reason of the error with which every flush to it ends; nil if a flush succeeds.
    var error: String?
    /// The host's options for it.
    var options: [String] = []

    var description: String { name }

    /// Misbehaves in every third batch; accepts twenty records of the others.
    private static func everyThirdBatch(_ wrong: String) -> String {
        """
        def deliver(batch, n):
            if n % 3 == 2:
                \(wrong)
            return accept(batch[:20])
        """
    }

    private static func everyBatch(_ body: String) -> String { "def deliver(batch, n): \(body)" }

    /// Destinations whose deliveries are ambiguous: the host cannot know whether the records arrived.
    static let ambiguous = [
        HostileDestination(name: "exits before it stores the batch", program: everyThirdBatch("os._exit(1)")),
        HostileDestination(
            name: "exits after it stored the batch",
            program: everyThirdBatch("keep(batch); os._exit(1)")
        ),
        HostileDestination(
            name: "exits with 0 in the middle of the batch",
            program: everyThirdBatch("keep(batch[:7]); sys.exit(0)")
        ),
        HostileDestination(
            name: "is killed",
            program: everyThirdBatch("keep(batch[7:]); os.kill(os.getpid(), signal.SIGKILL)")
        ),
        HostileDestination(
            name: "exits after half of an answer",
            program: everyThirdBatch(
                """
                keep(batch); sys.stdout.write('{"jsonrpc":"2.0","id":'); sys.stdout.flush(); os._exit(0)
                """
            )
        ),
        HostileDestination(
            name: "hangs",
            program: everyThirdBatch("keep(batch[:20]); signal.pause()"),
            options: ["--deliver-deadline", "700"]
        ),
        HostileDestination(
            name: "answers garbage",
            program: everyThirdBatch("print('what', flush=True); keep(batch); return 'yes'")
        ),
        HostileDestination(name: "answers a list", program: everyThirdBatch("return ids(accept(batch)['accepted'])")),
        HostileDestination(
            name: "answers neither a result nor an error",
            program: everyThirdBatch("send(id=id); return None"),
            options: ["--deliver-deadline", "700"]
        ),
        HostileDestination(
            name: "names foreign records",
            program: everyThirdBatch("keep(batch); return {'accepted': ids(batch) + [9999]}")
        ),
        HostileDestination(
            name: "names a record twice",
            program: everyThirdBatch("keep(batch); return {'accepted': ids(batch) * 2}")
        ),
        HostileDestination(
            name: "names a record in two lists",
            program: everyThirdBatch("keep(batch); return {'accepted': ids(batch), 'held': reasoned(batch[:1])}")
        ),
        HostileDestination(
            name: "gives no reason",
            program: everyThirdBatch("return {'rejected': [{'id': batch[0]['id']}]}")
        ),
        HostileDestination(
            name: "gives ids as strings",
            program: everyThirdBatch("return {'accepted': [str(i) for i in ids(batch)]}")
        ),
        HostileDestination(
            name: "asks for a negative pause",
            program: everyThirdBatch("keep(batch); return {'retryAfter': -1}")
        ),
        HostileDestination(
            name: "reports an unknown outcome",
            program: everyThirdBatch("keep(batch[:9]); return {'uncertain': ids(batch)}")
        ),
        HostileDestination(
            name: "always reports an unknown outcome",
            program: everyBatch("return {'uncertain': ids(batch)}")
        ),
        HostileDestination(
            name: "reports an unknown outcome of increments",
            program: """
                def deliver(batch, n):
                    keep(batch)
                    uncertain = [r for r in batch if r.get("value") == {"inc": 1}]
                    return {"accepted": ids([r for r in batch if r not in uncertain]), "uncertain": ids(uncertain)}
                """
        ),
        HostileDestination(
            name: "closes its stdout",
            program: everyThirdBatch("keep(batch[:20]); os.close(1); signal.pause()")
        ),
        HostileDestination(
            name: "closes its stdin after it stored the batch",
            program: everyThirdBatch("keep(batch); os.close(0); os._exit(1)")
        ),
    ]

    /// Exits after each answer, when it may already have received the next batch.
    static let exitingAfterAnswer = HostileDestination(
        name: "exits after each answer",
        program: """
            def deliver(batch, n):
                send(id=id, result=accept(batch[:60]))
                sys.exit(0)
            """
    )

    /// Destinations without ambiguous deliveries, which eventually accept, reject or hold everything.
    static let unambiguous = [
        HostileDestination(
            name: "exits when it starts",
            program: "if count('starts') % 2: sys.exit(1)\n" + everyBatch("return accept(batch[:90])")
        ),
        HostileDestination(
            name: "refuses to start",
            program: """
                if count('starts') % 2:
                    refuse(json.loads(sys.stdin.readline())["id"])
                """ + "\n" + everyBatch("return accept(batch[:90])")
        ),
        HostileDestination(name: "refuses", program: everyThirdBatch("return refuse(id)")),
        HostileDestination(
            name: "answers that it has no method deliver",
            program: everyThirdBatch("return refuse(id, -32601)")
        ),
        HostileDestination(name: "accepts nothing of every third batch", program: everyThirdBatch("return {}")),
        HostileDestination(
            name: "accepts little and asks for more at once",
            program: everyBatch("return accept(batch[:20]) | {'retryAfter': 0}")
        ),
        HostileDestination(name: "accepts the last records first", program: everyBatch("return accept(batch[-30:])")),
        HostileDestination(name: "rejects", program: everyThirdBatch("return {'rejected': reasoned(batch[5:25])}")),
        HostileDestination(name: "holds", program: everyThirdBatch("return {'held': reasoned(batch[5:25])}")),
        HostileDestination(name: "holds everything", program: everyBatch("return {'held': reasoned(batch)}")),
        HostileDestination(name: "rejects everything", program: everyBatch("return {'rejected': reasoned(batch)}")),
        HostileDestination(
            name: "answers twice",
            program: """
                def deliver(batch, n):
                    result = accept(batch[:60])
                    send(id=id, result=result)
                    send(id=id + 1000, result=result)
                    return result
                """
        ),
        HostileDestination(
            name: "logs a lot before it answers",
            program: """
                def deliver(batch, n):
                    for i in range(500):
                        log("x" * 100)
                        print("no message", flush=True)
                    return accept(batch[:90])
                """
        ),
        HostileDestination(
            name: "floods its stderr",
            program: """
                def deliver(batch, n):
                    sys.stderr.write("e" * 300000 + chr(10))
                    sys.stderr.flush()
                    return accept(batch[:90])
                """
        ),
        HostileDestination(
            name: "reads slowly",
            program: """
                def read():
                    line = b""
                    while byte := os.read(0, 1):
                        line += byte
                        if byte == b"\\n": yield line; line = b""
                lines = read()
                """ + "\n" + everyBatch("return accept(batch[:90])")
        ),
        HostileDestination(
            name: "answers with unknown members",
            program: """
                def deliver(batch, n):
                    return accept(batch[:90]) | {"more": [1], "diagnostics": [{"reason": "r", "message": "m"}] * 50}
                """
        ),
        HostileDestination(
            name: "calls methods that it must not call",
            program: """
                def deliver(batch, n):
                    for method in ["flushPending", "saveCustomEvent", "shutdown", "pending"]:
                        send(id=n, method=method, params={"name": "mine"})
                    return accept(batch[:90])
                """
        ),
    ]

    /// Destinations that never accept a record: the flush ends, and all records stay pending.
    static let neverDelivering = [
        HostileDestination(name: "accepts nothing", program: everyBatch("return {}"), error: "destinationUnavailable"),
        HostileDestination(
            name: "accepts nothing and asks for more at once",
            program: everyBatch("return {'retryAfter': 0}"),
            error: "destinationUnavailable"
        ),
        HostileDestination(
            name: "always refuses",
            program: everyBatch("return refuse(id)"),
            error: "destinationUnavailable"
        ),
        HostileDestination(name: "never starts", program: "sys.exit(1)", error: "destinationUnavailable"),
        HostileDestination(
            name: "speaks another version",
            program: "version = '2.0'",
            error: "destinationUnavailable"
        ),
        HostileDestination(
            name: "stops",
            program: everyBatch("return {'stop': 'give it a key'}"),
            error: "destinationStopped"
        ),
        HostileDestination(
            name: "asks for a long pause",
            program: everyBatch("return {'retryAfter': 3600000}"),
            error: "destinationUnavailable"
        ),
    ]
}
