import Foundation
import JSON
import TestSupport

// What extensions may do wrong, and what the host answers to their callers.

extension HostileExtension {
    /// Extensions whose calls fail; their processes end unless `survives` is set.
    static let failing: [HostileExtension] =
        failingToStart + exiting + hanging + answeringInvalidly + exceedingLimits

    // MARK: The process does not start

    private static let failingToStart = [
        cannotStart("missingFile", "its executable run is missing") { try FileManager.default.removeItem(atPath: $0) },
        cannotStart("notExecutable", "it is not executable; chmod +x it") { chmod($0, 0o644) },
        cannotStart("folderAsProgram", "it is a folder, not an executable") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        },
        cannotStart("linkToFolder", "it is a folder, not an executable") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/")
        },
        cannotStart("badInterpreter", "its interpreter /nowhere/python3 is missing") { path in
            try writeExecutable("#!/nowhere/python3 -u\nprint('hello')\n", to: path)
        },
        cannotStart("wrongFormat", "Exec format error") { try writeExecutable("\u{7F}ELF, not really\n", to: $0) },
        exits("exitsAtOnce", 7).with { $0.saves = 0 },
        exits("exitsBeforeActivate", 5, "no configuration found\n").with { $0.saves = 0 },
        exits("exitsAfterActivate", 0).with { $0.saves = 0 },
        exits("traceback", 1).with {
            $0.script = "exec python3 -c 'raise ValueError(\"no deck\")'"
            $0.standardError = "ValueError: no deck\n"
            $0.saves = 0
        },
        exits("rejection", 1).with {
            $0.script = "exec node -e 'Promise.reject(new Error(\"no deck\"))'"
            $0.saves = 0
        },
        hangs("muteActivate", "--activate-deadline", message: "did not answer activate within 2000 ms"),
        // It never reads its stdin, but floods its stdout.
        hangs("yes", "--activate-deadline", message: "a line on its stdout is not a message: y").with {
            $0.script = "exec yes"
            $0.saves = 0
        },
        hangs(
            "wrongIdAtStart",
            "--activate-deadline",
            message: "it answered the id 77, which no request has; the request that waits has the id"
        )
        .with {
            $0.script = #"read -r line; echo '{"jsonrpc":"2.0","id":77,"result":{"version":"1.0"}}'; exec sleep 60"#
        },
        failure("badVersion", 124, "badExtensionReply", "activate must be answered with a version"),
        failure("otherVersion", 124, "badExtensionReply", "2.0"),
        failure("refusesActivate", 123, "extensionRefused", "not on a Sunday"),
        // It echoes each request of the host. The host refuses that as a request of the extension, and the extension
        // echoes the error, which is then its answer.
        failure("echo", 123, "extensionRefused", "activate").with { $0.script = "exec cat" },
        failure("hogsMemoryAtStart", 125, "extensionMisbehaved", "MiB of memory").with {
            $0.options = ["--extension-memory", "\(128 << 20)"]
        },
    ]

    // MARK: The process exits during the call

    private static let exiting = [
        exits("exitsInCall", 3, "loading the deck\nfatal: a card is missing\n"),
        exits("halfMessage", 0),
        exits("badUTF8", 4, "caf\u{FFFD}\n"),
        exits("savesThenCrashes", 3).with { $0.saves = 2 },
        exits("diesTalking", 8),
        exits("diesInLongLine", 8),
        exits("grandchild", 6),
        exits("escapedGrandchild", 6),
        exits("escapedFlood", 6),
        exits("daemonisesAndEnds", 6),
        exits("multipliesAndEnds", 6),
        HostileExtension(
            name: "diesBySignal",
            answer: .error(121, "extensionExited"),
            message: ["signal \(SIGUSR1)"],
            data: ["signal": .integer(Int64(SIGUSR1))]
        ),
    ]

    // MARK: The process does not answer

    private static let hanging = [
        hangs("muteCall"),
        hangs("garbageThenHang", message: "a line on its stdout is not a message: Segmentation fault"),
        hangs("halfMessageThenHang", message: "the last line on its stdout has no end"),
        hangs("wrongId", message: "it answered the id 999, which no request has; the request that waits has the id"),
        hangs("answersForOthers"),
        hangs("stopsForEver", message: "a signal keeps it stopped"),
        hangs("floodsRequests"),
        hangs("floodsForEver"),
        hangs("joinsHostGroup"),
        hangs("printsWithoutEnd", message: "a line on its stdout is not a message: Loading the deck... {"),
        hangs("duplicateMembers", message: "a line on its stdout is not a message: {"),
        hangs("notANumber", message: "a line on its stdout is not a message: {"),
        hangs("deepJSON", message: "a line on its stdout is not a message: {"),
        hangs("prettyPrints", message: "a line on its stdout is not a message: {"),
        // It takes some time to write such a line.
        hangs("longAnswer", message: "a line on its stdout is longer than \(16 << 20) bytes")
            .with { $0.options = ["--call-deadline", "10000"] },
        failure("closesOutput", 125, "extensionMisbehaved", "closed its stdout without ending").with { $0.saves = 1 },
        failure("closesBoth", 125, "extensionMisbehaved", "closed its stdout without ending").with { $0.saves = 1 },
    ]

    // MARK: The process sends an invalid answer

    private static let answeringInvalidly = [
        answersBadly("resultAndError", "result"),
        answersBadly("errorWithoutCode", "code"),
        answersBadly("badView", "needs a type: one of button, card, carousel"),
        answersBadly("deepView", "nests more than 64 deep"),
        answersBadly("badActions", "actions must be an array"),
        answersBadly("badMedia", "none, default, overlay"),
        answersBadly("badResult", "the result must be an object"),
        HostileExtension(
            name: "refuses",
            answer: .error(123, "extensionRefused"),
            message: ["not today"],
            data: ["cause": ["code": 1, "message": "not today"]],
            standardError: "it is raining\n",
            survives: true
        ),
    ]

    // MARK: The process exceeds its resource limits

    private static let exceedingLimits = [
        failure("hogsMemory", 125, "extensionMisbehaved", "MiB of memory").with {
            $0.options = ["--extension-memory", "\(128 << 20)"]
            $0.saves = 1
        },
        failure("hogsMemoryByChild", 125, "extensionMisbehaved", "MiB of memory").with {
            $0.options = ["--extension-memory", "\(128 << 20)"]
            $0.saves = 1
        },
        failure("hogsMemoryByDaemon", 125, "extensionMisbehaved", "MiB of memory").with {
            $0.options = ["--extension-memory", "\(128 << 20)"]
            $0.saves = 1
        },
        failure("leavesTooMuchUnread", 125, "extensionMisbehaved", "left more than \(16 << 20) bytes unread").with {
            $0.options = ["--call-deadline", "60000"]
            $0.saves = 1
        },
        failure("burnsProcessor", 125, "extensionMisbehaved", "500 ms of processor time for didReceive").with {
            $0.options = ["--extension-cpu", "500"]
            $0.saves = 1
        },
    ]

    // MARK: The process misbehaves, but sends a valid answer

    /// Extensions whose calls succeed.
    static let served: [HostileExtension] = [
        HostileExtension(name: "garbageFirst"), HostileExtension(name: "printsAtStart"),
        HostileExtension(name: "byteByByte"),
        HostileExtension(name: "windowsLines"),
        HostileExtension(name: "answersTwice"),
        HostileExtension(name: "floodsErrors"), HostileExtension(name: "mediumLine"),
        HostileExtension(name: "longLine"),
        HostileExtension(name: "badRequests"), HostileExtension(name: "batch", saves: 2),
        HostileExtension(name: "badBatches"),
        HostileExtension(name: "savesInvalid"), HostileExtension(name: "savesElsewhere"),
        HostileExtension(name: "saves", saves: 2),
        HostileExtension(name: "closesInput"), HostileExtension(name: "ignoresTheEnd"),
        HostileExtension(name: "ignoresDeactivate"),
        HostileExtension(name: "stopsItself"), HostileExtension(name: "daemonises"),
        HostileExtension(name: "daemonisesBare"),
        HostileExtension(name: "multiplies"), HostileExtension(name: "changesBundle"),
        HostileExtension(name: "neverReads"),
        HostileExtension(name: "floodsAfterDismissal"), HostileExtension(name: "floodsRequestsAfterwards"),
    ]

    // MARK: Expected errors

    private static func failure(_ name: String, _ code: Int64, _ reason: String, _ message: String) -> HostileExtension
    {
        HostileExtension(name: name, answer: .error(code, reason), message: [message], saves: 0)
    }

    private static func cannotStart(
        _ name: String,
        _ message: String,
        change: @escaping @Sendable (_ program: String) throws -> Void
    ) -> HostileExtension {
        failure(name, 120, "cannotStart", message).with {
            $0.change = { folder in try change("\(folder)/run") }
        }
    }

    private static func exits(_ name: String, _ exitCode: Int64, _ standardError: String? = nil) -> HostileExtension {
        HostileExtension(
            name: name,
            answer: .error(121, "extensionExited"),
            message: ["exited with code \(exitCode)"],
            data: ["exitCode": .integer(exitCode)],
            standardError: standardError
        )
    }

    private static func hangs(
        _ name: String,
        _ option: String = "--call-deadline",
        message: String...
    ) -> HostileExtension {
        HostileExtension(
            name: name,
            answer: .error(122, "extensionTimedOut"),
            message: ["did not answer "] + message,
            options: [option, option == "--call-deadline" ? "1000" : "2000"],
            isLate: true,
            saves: option == "--call-deadline" ? 1 : 0
        )
    }

    private static func answersBadly(_ name: String, _ message: String...) -> HostileExtension {
        HostileExtension(name: name, answer: .error(124, "badExtensionReply"), message: message, survives: true)
    }
}
