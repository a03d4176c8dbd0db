/// A destination that misbehaves in one way.
struct HostileDestination: CustomStringConvertible {
    let name: String
    /// Its behaviour, in the form that `DestinationWorkshop` runs.
    let program: String
    /// The reason of the error with which its flush ends, no matter how often it is retried.
    var error: String?
    /// The host's options for it.
    var options: [String] = []

    var description: String { name }

    /// Delivers twenty records of a batch and leaves the others for the next one; every third batch fails in the given
    /// manner.
    private static func atTimes(_ wrong: String) -> String {
        """
        def deliver(batch, n):
            if n % 3 == 2:
                \(wrong)
            return take(batch[:20])
        """
    }

    private static func always(_ body: String) -> String { "def deliver(batch, n): \(body)" }

    /// Destinations that leave ambiguous deliveries: nobody knows whether the records arrived.
    static let doubtful = [
        HostileDestination(name: "dies before it keeps", program: atTimes("os._exit(1)")),
        HostileDestination(name: "dies when it has kept", program: atTimes("keep(batch); os._exit(1)")),
        HostileDestination(name: "exits with 0 in the middle", program: atTimes("keep(batch[:7]); sys.exit(0)")),
        HostileDestination(
            name: "is killed",
            program: atTimes("keep(batch[7:]); os.kill(os.getpid(), signal.SIGKILL)")
        ),
        HostileDestination(
            name: "dies when it has answered the half of a line",
            program: atTimes(
                """
                keep(batch); sys.stdout.write('{"jsonrpc":"2.0","id":'); sys.stdout.flush(); os._exit(0)
                """
            )
        ),
        HostileDestination(
            name: "hangs",
            program: atTimes("keep(batch[:20]); signal.pause()"),
            options: ["--deliver-deadline", "700"]
        ),
        HostileDestination(
            name: "answers garbage",
            program: atTimes("print('what', flush=True); keep(batch); return 'yes'")
        ),
        HostileDestination(name: "answers a list", program: atTimes("return ids(take(batch)['accepted'])")),
        HostileDestination(
            name: "answers neither a result nor an error",
            program: atTimes("send(id=id); return None"),
            options: ["--deliver-deadline", "700"]
        ),
        HostileDestination(
            name: "names foreign records",
            program: atTimes("keep(batch); return {'accepted': ids(batch) + [9999]}")
        ),
        HostileDestination(
            name: "names a record twice",
            program: atTimes("keep(batch); return {'accepted': ids(batch) * 2}")
        ),
        HostileDestination(
            name: "names a record in two lists",
            program: atTimes("keep(batch); return {'accepted': ids(batch), 'held': reasoned(batch[:1])}")
        ),
        HostileDestination(name: "gives no reason", program: atTimes("return {'rejected': [{'id': batch[0]['id']}]}")),
        HostileDestination(
            name: "gives ids as texts",
            program: atTimes("return {'accepted': [str(i) for i in ids(batch)]}")
        ),
        HostileDestination(
            name: "asks for less than no pause",
            program: atTimes("keep(batch); return {'retryAfter': -1}")
        ),
        HostileDestination(name: "cannot tell", program: atTimes("keep(batch[:9]); return {'uncertain': ids(batch)}")),
        HostileDestination(name: "can never tell", program: always("return {'uncertain': ids(batch)}")),
        HostileDestination(
            name: "cannot tell of increments",
            program: """
                def deliver(batch, n):
                    keep(batch)
                    doubted = [r for r in batch if r.get("value") == {"inc": 1}]
                    return {"accepted": ids([r for r in batch if r not in doubted]), "uncertain": ids(doubted)}
                """
        ),
        HostileDestination(
            name: "closes its stdout",
            program: atTimes("keep(batch[:20]); os.close(1); signal.pause()")
        ),
        HostileDestination(
            name: "leaves its input unread in the middle",
            program: atTimes("keep(batch); os.close(0); os._exit(1)")
        ),
    ]

    /// Exits right after it has answered, when it may already have received the next batch.
    static let leaving = HostileDestination(
        name: "leaves after each answer",
        program: """
            def deliver(batch, n):
                send(id=id, result=take(batch[:60]))
                sys.exit(0)
            """
    )

    /// Destinations that leave no ambiguous delivery and deliver everything in the end.
    static let clear = [
        HostileDestination(
            name: "exits when it starts",
            program: "if count('starts') % 2: sys.exit(1)\n" + always("return take(batch[:90])")
        ),
        HostileDestination(
            name: "refuses to start",
            program: """
                if count('starts') % 2:
                    refuse(json.loads(sys.stdin.readline())["id"])
                """ + "\n" + always("return take(batch[:90])")
        ),
        HostileDestination(name: "refuses", program: atTimes("return refuse(id)")),
        HostileDestination(name: "refuses as if it knew no batches", program: atTimes("return refuse(id, -32601)")),
        HostileDestination(name: "takes nothing at times", program: atTimes("return {}")),
        HostileDestination(
            name: "takes little and wants more at once",
            program: always("return take(batch[:20]) | {'retryAfter': 0}")
        ),
        HostileDestination(name: "takes the last first", program: always("return take(batch[-30:])")),
        HostileDestination(name: "rejects", program: atTimes("return {'rejected': reasoned(batch[5:25])}")),
        HostileDestination(name: "holds", program: atTimes("return {'held': reasoned(batch[5:25])}")),
        HostileDestination(name: "holds everything", program: always("return {'held': reasoned(batch)}")),
        HostileDestination(name: "rejects everything", program: always("return {'rejected': reasoned(batch)}")),
        HostileDestination(
            name: "answers twice",
            program: """
                def deliver(batch, n):
                    result = take(batch[:60])
                    send(id=id, result=result)
                    send(id=id + 1000, result=result)
                    return result
                """
        ),
        HostileDestination(
            name: "talks before it answers",
            program: """
                def deliver(batch, n):
                    for i in range(500):
                        tell("x" * 100)
                        print("no message", flush=True)
                    return take(batch[:90])
                """
        ),
        HostileDestination(
            name: "floods its stderr",
            program: """
                def deliver(batch, n):
                    sys.stderr.write("e" * 300000 + chr(10))
                    sys.stderr.flush()
                    return take(batch[:90])
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
                """ + "\n" + always("return take(batch[:90])")
        ),
        HostileDestination(
            name: "answers more than it is asked",
            program: """
                def deliver(batch, n):
                    return take(batch[:90]) | {"more": [1], "diagnostics": [{"reason": "r", "message": "m"}] * 50}
                """
        ),
        HostileDestination(
            name: "calls what it may not",
            program: """
                def deliver(batch, n):
                    for method in ["flushPending", "saveCustomEvent", "shutdown", "pending"]:
                        send(id=n, method=method, params={"name": "mine"})
                    return take(batch[:90])
                """
        ),
    ]

    /// Destinations that never deliver anything: their flush ends and keeps everything.
    static let hopeless = [
        HostileDestination(name: "takes nothing", program: always("return {}"), error: "destinationUnavailable"),
        HostileDestination(
            name: "takes nothing and wants more at once",
            program: always("return {'retryAfter': 0}"),
            error: "destinationUnavailable"
        ),
        HostileDestination(
            name: "refuses for ever",
            program: always("return refuse(id)"),
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
            program: always("return {'stop': 'give it a key'}"),
            error: "destinationStopped"
        ),
        HostileDestination(
            name: "asks for a long pause",
            program: always("return {'retryAfter': 3600000}"),
            error: "destinationUnavailable"
        ),
    ]
}
