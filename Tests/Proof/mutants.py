"""Mistakes in the sources: those that operators make from a line, and those that are written out."""

import re
from pathlib import Path

# The files whose lines are changed, and the tests that should notice it: first those that run in the test's process,
# then those that start hosts. Filters of `swift test`.
UNIT = {
    "Sources/Calls": r"^HostCoreTests",
    "Sources/Suites": r"^SuitesTests",
    "Sources/Delivery": r"^(DeliveryTests|HostCoreTests)",
    "Sources/Delivering": r"^HostCoreTests",
    "Sources/JSONRPC": r"^JSONRPCTests",
    "Sources/ExtensionHost": r"^ExtensionHostTests",
    "Sources/BrazeRules": r"^(BrazeRulesTests|HostCoreTests)",
    "Sources/Platform": r"^(PlatformTests|DeliveryTests|HostCoreTests)",
    "Sources/Records": r"^HostCoreTests",
    "Sources/Records/Jobs": r"^HostCoreTests",
    "Sources/Relay": r"^HostCoreTests",
    "plugins/nats/leases": r"^PartitionLeasesTests",
}
HOSTS = {
    "Sources/Calls": "Order|Waiting|Wire|Durability|Pipe|BackgroundCommit|Fairness|Cancel|Meanwhile|Topic|Plist"
                     "|Descriptor",
    "Sources/Suites": "Durability|Idempotency|Backup|Plist|Destination|InputFiles|LongWork|Lease|Suite|Descriptor",
    "Sources/Delivery": "Delivery|Destination|UsersTrack|Outbox",
    "Sources/Delivering": "Delivery|Destination|FailingDisk|RelayTests|UsersTrack|Outbox",
    "Sources/JSONRPC": "Wire|Input|StandardStream|MCP|LSP|ErrorLength",
    "Sources/ExtensionHost": "Extensions|Budget|CheckExtension",
    "Sources/BrazeRules": "Braze|Record|CheckPayload|Durability",
    "Sources/Platform": "Delivery|Destination|FailingDisk|RelayTests",
    "Sources/Records": "LongWork|Plist|Idempotency|Save|Backup|Durability",
    "Sources/Records/Jobs": "LongWork|Plist|Backup|Durability",
    "Sources/Relay": "Relay|Fleet|NATS",
    "plugins/nats/leases": "Fleet|NATS",
}
FILES = [
    "Sources/Calls/AccessRule.swift", "Sources/Calls/Dispatcher.swift", "Sources/Calls/Ending.swift",
    "Sources/Calls/Invocation.swift", "Sources/Calls/Outbox.swift", "Sources/Calls/Peer.swift",
    "Sources/Calls/Scheduler.swift", "Sources/Suites/BulkChange.swift", "Sources/Suites/Claims.swift",
    "Sources/Suites/DeadLetters.swift", "Sources/Suites/FileLock.swift", "Sources/Suites/Fingerprint.swift",
    "Sources/Suites/ImportSweep.swift", "Sources/Suites/Leases.swift", "Sources/Suites/NewSuite.swift",
    "Sources/Suites/PendingRecords.swift",
    "Sources/Suites/RepeatableSaves.swift", "Sources/Suites/Reserve.swift",
    "Sources/Suites/StagedImport.swift", "Sources/Suites/Suite.swift", "Sources/Suites/SuiteCopy.swift",
    "Sources/Suites/SuiteCounters.swift", "Sources/Suites/SuiteFile.swift", "Sources/Suites/SuiteStore.swift",
    "Sources/Suites/SuiteSummary.swift", "Sources/Delivery/AmbiguousDelivery.swift",
    "Sources/Delivery/BatchTable.swift", "Sources/Delivery/BatchWindow.swift", "Sources/Delivery/DeliveryReply.swift",
    "Sources/Delivery/DestinationHealth.swift", "Sources/Delivery/Flush+Types.swift", "Sources/Delivery/Flush.swift",
    "Sources/Delivery/FlushSchedule.swift", "Sources/Delivery/PullReply.swift",
    "Sources/Delivering/CallerFlush.swift", "Sources/Delivering/FileDestination.swift",
    "Sources/Delivering/FlushDryRun.swift", "Sources/Delivering/FlushPolicyService.swift",
    "Sources/Delivering/FlushRun.swift", "Sources/Delivering/FlushService.swift", "Sources/JSONRPC/Call.swift",
    "Sources/JSONRPC/HeaderFramer.swift", "Sources/JSONRPC/LineFramer.swift", "Sources/JSONRPC/MemberReader.swift",
    "Sources/JSONRPC/Message.swift", "Sources/JSONRPC/Session.swift", "Sources/Platform/RetryPolicy.swift",
    "Sources/ExtensionHost/CallQueue.swift", "Sources/ExtensionHost/ExtensionProcess+Lifecycle.swift",
    "Sources/ExtensionHost/ExtensionProcess.swift", "Sources/ExtensionHost/Lifecycle.swift",
    "Sources/ExtensionHost/ResourceUsage.swift", "Sources/BrazeRules/BrazeDate.swift",
    "Sources/BrazeRules/Identity.swift", "Sources/BrazeRules/RecordLimits+CustomAttributes.swift",
    "Sources/BrazeRules/RecordLimits.swift", "Sources/BrazeRules/StandardField.swift",
    "Sources/Records/SaveService.swift", "Sources/Records/Jobs/Job.swift", "Sources/Records/Jobs/JobService.swift",
    "Sources/Relay/RelayService.swift", "Sources/Relay/SourceFeed.swift", "Sources/Relay/SourceQueue.swift",
    "plugins/nats/leases/FairShare.swift", "plugins/nats/leases/LinkedMessage.swift",
    "plugins/nats/leases/OpenRanges.swift",
    "plugins/nats/leases/PartitionState.swift", "plugins/nats/leases/PresenceObserver.swift",
    "plugins/nats/leases/SettledFloor.swift", "plugins/nats/leases/StreamLayout.swift",
]

# MARK: Operators

CONDITION = re.compile(r"^(?P<before>\s*(?:\} else )?(?P<word>if|guard|while) )(?P<parts>.*?)(?P<after> (?:else )?\{.*)$")
RETURN = re.compile(r"^(?P<before>\s*return )(?P<parts>[^;{}]+)(?P<after>)$")
COMPARISONS = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ",
               " && ": " || ", " || ": " && "}
NOT_AN_EXPRESSION = re.compile(r"(^|[(\s])(let|var|case|try|await|#available|#unavailable)\b|\bis\b|\bas\b")
STATEMENT = re.compile(r"^(?P<before>\s{8,})(?P<parts>[A-Za-z_][\w.?!\[\]]*(\(.*\)| [-+]?= .+))(?P<after>)$")
KEYWORDS = ("return", "let", "var", "case", "guard", "if", "for", "while", "switch", "throw", "default", "defer", "func",
            "init", "super", "precondition", "assert", "fatalError", "break", "continue", "in ", "else", "do", "try",
            "fileprivate", "private", "public", "package", "internal", "static", "mutating", "import", "logger")


def parts(text):
    """The parts of a condition, which commas outside of brackets and texts divide, each with its start."""
    depth, in_text, start, found = 0, False, 0, []
    for place, character in enumerate(text + ","):
        if character == '"':
            in_text = not in_text
        elif not in_text and character in "([{":
            depth += 1
        elif not in_text and character in ")]}":
            depth -= 1
        elif character == "," and depth == 0 and not in_text:
            part = text[start:place]
            found.append((start + len(part) - len(part.lstrip()), part.strip()))
            start = place + 1
    return found


class Mutant:
    """A mistake: at a place in a file, a text is replaced by another one."""

    def __init__(self, file, line, start, original, mistake, kind, names=("", "")):
        self.file, self.line, self.start = file, line, start
        self.original, self.mistake, self.kind = original, mistake, kind
        # The promise that it breaks, and the suite that must notice it.
        self.promise, self.suite = names
        self.number = 0

    @property
    def name(self):
        return self.promise or f"{self.file}:{self.line}: {self.original.strip()} -> {self.mistake.strip() or '(nothing)'}"

    @property
    def folder(self):
        return str(Path(self.file).parent)


def comparisons(expression):
    """The expressions with one operator replaced."""
    for sign, other in COMPARISONS.items():
        place = expression.find(sign)
        while place >= 0:
            if expression[:place].count('"') % 2 == 0:
                yield expression[:place] + other + expression[place + len(sign):]
            place = expression.find(sign, place + len(sign))


def mutants_of_line(file, number, line, previous, following):
    """What the operators make of a line: other conditions, and statements that are missing."""
    code = line.rstrip("\n")
    if code.strip().startswith(("//", "@", "#")) or '"""' in code:
        return
    match = CONDITION.match(code)
    if match and match["parts"].count("{") == match["parts"].count("}"):
        for start, part in parts(match["parts"]):
            if not part or NOT_AN_EXPRESSION.search(part) or part.startswith("["):
                continue
            place = match.start("parts") + start
            constant = "true" if match["word"] == "guard" else "false"
            for mistake in [constant, *comparisons(part)]:
                yield Mutant(file, number, place, part, mistake, "expression")
        return
    match = RETURN.match(code)
    if match and not NOT_AN_EXPRESSION.search(match["parts"]):
        for mistake in comparisons(match["parts"]):
            yield Mutant(file, number, match.start("parts"), match["parts"], mistake, "expression")
        return
    match = STATEMENT.match(code)
    if not match or match["parts"].startswith(KEYWORDS) or match["parts"].count("(") != match["parts"].count(")"):
        return
    # The only line of a body may be its value; a line that the next one continues is no statement.
    alone = previous.rstrip().endswith(("{", "in")) and following.strip().startswith("}")
    goes_on = following.strip().startswith((".", "+", "-", "?", ":", "&&", "||")) or previous.rstrip().endswith(
        ("(", ",", "=", "+", ":", "&&", "||", "return", "?"))
    if not alone and not goes_on:
        yield Mutant(file, number, match.start("parts"), match["parts"], "", "statement")


def mutants_of_files(root):
    """All that the operators make of the files."""
    for file in FILES:
        lines = (root / file).read_text(encoding="utf-8").splitlines()
        in_init, in_text = False, False
        for index, line in enumerate(lines):
            if line.count('"""') % 2:
                in_text = not in_text
            if in_text:
                continue
            if re.match(r"\s*(@\w+ )?(package |public |private |fileprivate |convenience )*init\b", line):
                in_init = True
            elif re.match(r"    \}", line):
                in_init = False
            previous = lines[index - 1] if index else ""
            following = lines[index + 1] if index + 1 < len(lines) else ""
            for mutant in mutants_of_line(file, index + 1, line, previous, following):
                if not (in_init and mutant.kind == "statement"):
                    yield mutant


# MARK: Written out

# Mistakes that earlier tests did not notice. If the place needs more text, « » enclose what is replaced.
WRITTEN = [
    ("Sources/Calls/Peer.swift", "expression", "peer.scheduler.waiting.count + peer.scheduler.running.count <= Self.waitingLimit", "true"),
    ("Sources/Calls/Peer.swift", "expression", "$0.topics.isEmpty || $0.unreadBytes + outbox.waitingBytes <= outputLimit",
     "true"),
    ("Sources/Calls/Peer.swift", "expression", "!outbox.awaitsCommit(session) && isOpen(to: peer)", "isOpen(to: peer)"),
    ("Sources/Calls/Peer.swift", "expression", "«inbox.isEmpty»,\n            gate", "true"),
    ("Sources/Calls/Outbox.swift", "expression", "ended.suites.filter { $0.beginCheckpoint(onEnd: { wakeup.signal() }) }",
     "[] as [Suite]"),
    ("Sources/Calls/Outbox.swift", "statement", "isReleasing = true", ""),
    ("Sources/Suites/SuiteFile.swift", "expression", "!writersLock.isMarked", "false"),
    ("Sources/Suites/SuiteCounters.swift", "expression", "totals.roomBytes + (changes?.roomBytes ?? 0) + staged.bytes",
     "totals.roomBytes + (changes?.roomBytes ?? 0)"),
    ("Sources/Suites/Claims.swift", "expression",
     '"UPDATE pending SET uncertain = uncertain + 1 WHERE id BETWEEN ? AND ?"',
     '"UPDATE pending SET uncertain = 1 WHERE id BETWEEN ? AND ?"'),
    ("Sources/Suites/RepeatableSaves.swift", "expression", "(time < before && !isBeforeAll) || time > now",
     "time < before && !isBeforeAll"),
    ("Sources/Suites/RepeatableSaves.swift", "statement", "file.rollback()", ""),
    ("Sources/Delivery/BatchWindow.swift", "statement", "busy.insert(user)\n                last.isBusy = true", ""),
    ("Sources/Delivery/BatchWindow.swift", "statement", "allowance += 1", ""),
    ("Sources/Delivery/DestinationHealth.swift", "statement", "if isOpen { retry.fail(at: now) }", "retry.fail(at: now)"),
    ("Sources/Delivery/DestinationHealth.swift", "statement", "if seen.delivered { retry.restartPatience(at: now) }", ""),
    ("Sources/JSONRPC/Message.swift", "statement", "isEscaped = true", ""),
    ("Sources/JSONRPC/Call.swift", "expression", "size > Batch.limit", "false"),
    ("Sources/JSONRPC/LineFramer.swift", "expression", "Self.isSpace(first) || Self.closes(first)", "Self.isSpace(first)"),
    ("Sources/ExtensionHost/Lifecycle.swift", "statement", "«needsRestart = false»\n        state = .idle", ""),
    ("Sources/BrazeRules/RecordLimits+CustomAttributes.swift", "expression", "depth - 3", "depth"),
]
# Promises, each broken on purpose, and the suites that must notice it.
BROKEN = [
    ("a save is answered before its commit", "DurabilitySyncTests",
     "Sources/Calls/Outbox.swift", "statement", "waiting.append(savedAs: id, to: call, dependsOn: suite)",
     'call.answer(.success(["id": .integer(id)]))'),
    ("a commit is not synced", "DurabilitySyncTests",
     "Sources/Suites/SuiteFile.swift", "expression",
     '"PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA wal_autocheckpoint = 0"',
     '"PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0"'),
    ("one record in 10,000 is dropped", "DurabilityKillTests",
     "Sources/Suites/PendingRecords.swift", "statement", "suite.counters.countSaved(record.kind, bytes: bytes)",
     "suite.counters.countSaved(record.kind, bytes: bytes); if id % 10_000 == 0 { try file.access { db in "
     'try db.execute(sql: "DELETE FROM pending WHERE id = ?", arguments: [id]) } }'),
    ("a record counts as delivered before it is acknowledged", "FlushTests",
     "Sources/Delivery/Flush.swift", "statement", "reply.verdicts[record.id] = .ambiguous",
     "reply.verdicts[record.id] = .accepted"),
    ("two records of a user change their order", "DestinationHostileTests",
     "Sources/Delivery/BatchWindow.swift", "expression", "busy.contains(user)", "false"),
    ("an idempotency key is forgotten", "IdempotencyTests",
     "Sources/Suites/RepeatableSaves.swift", "statement", "try storeKey(of: save, fingerprint, id, in: file)", ""),
]
# Mistakes of the operators that change nothing, each with the reason: a part of the name, and why.
EQUIVALENT = {
    "StagedImport.swift:92: isBegun": "an import that was not begun has no rows",
    "line.count > batchLimit -> ": "a line of so many bytes has fewer members",
    "session.trackedCount > 0 -> session.trackedCount >= 0": "without calls there is none with the id",
    "recent.text == text -> false": "the table finds the same number, later",
    "PendingRecords.swift:254: sqlite3_reset": "the last use of the statement ended with it too",
    "HeaderFramer.swift:193: !text.isEmpty -> true": "an empty text is no number",
    "Dispatcher.swift:97: !invocation.call.isAnswered": "a session does not track a call that is answered",
    "text.utf8.count > characters -> true": "the scalars of a text of so few bytes are counted, and are as few",
    "text.utf8.count > characters -> text.utf8.count >= ": "the scalars of a text of so many bytes are counted",
    "Suite.swift:268: isInTransaction -> true": "without a transaction there is nothing to roll back or release",
    "Scheduler.swift:133: !index.isEmpty -> true": "nothing is found in an empty index either",
    "Scheduler.swift:304: index < numbers.count -> index <= ": "a number that is removed is there",
    "Scheduler.swift:316: !isInSecondPart(last) -> false": "the search finds the same, later",
    "Scheduler.swift:317: isInSecondPart(first) -> false": "the search finds the same, later",
    "BatchWindow.swift:130: !isBlocked -> true": "without a change, the search finds nothing again",
    "Session.swift:234: call.trackedAs == nil -> true": "a call that is tracked again is the same entry",
    "insertStatement = statement -> (nothing)": "the statement is prepared for each save",
    "Outbox.swift:169: isReleasing = false": "notifications wait for the end of the iteration, in the same order",
    "SuiteStore.swift:205: !reserve.isReleased": "a file is opened a second time, and fails in the same way",
    "start > bytes.count / 2 -> start >= ": "bytes that were written are removed at another time",
    "Session.swift:131: start = []": "bytes are freed that are not read again",
    "recent.uncounted > 0 -> recent.uncounted >= 0": "adds 0",
    "-> block.start != start || block.bytes.count <= Int(end - start)": "the same bytes are read again",
    "FileDestination.swift:328: count < 0 -> ": "a file takes at least one byte, or fails without an interruption",
    "FileDestination.swift:329: count > 0 -> count >= 0": "a file takes at least one byte, or fails",
    "RepeatableSaves.swift:124: changes.keys > 0 -> changes.keys >= 0": "none of no rows is removed",
    "RepeatableSaves.swift:295: key.number >= first -> key.number > first":
        "the run is written, and the file has the key",
    "BatchTable.swift:92: entries[index].claim > 0 -> entries[index].claim >= 0":
        "a batch without a claim is asked only after it has one",
    "(isIdle && size > 0) || store.reserve.isReleased -> isVacuumed || size > limit || (isIdle && size >= 0)":
        "an empty log has nothing to copy",
    "FlushService.swift:306: isStopping = true -> (nothing)":
        "no flush begins any more: calls that wait are refused, and the policy has stopped",
    "Peer.swift:225: outbox.isCommitting -> true": "without a commit, it is admitted as any other message",
    "FileDestination.swift:328: errno == EINTR": "the system does not interrupt a write to a regular file",
    "run.pipes.outputClosed != nil":
        "resting saves time, and the deadline of a closed stdout is found when a rest begins",
    "run.monitor.holds(run.child.pid, now: now()) -> true": "a process that did nothing is sampled again, with the same result",
    "RelayService.swift:156: end <= Clock.monotonic() -> end < ": "the pause is one millisecond longer",
    "RelayService.swift:220: request.reportInterval = .max": "a relay ignores reports of progress",
    "SuiteStore.swift:253: !isFolderDurable || !missing.isEmpty -> true": "the parent is synced once more",
    "NewSuite.swift:106: descriptor >= 0 -> descriptor > 0": "0 is standard input, so no file that is opened gets it",
    "PendingRecords.swift:262: code == SQLITE_ROW || code == SQLITE_DONE -> true":
        "the end of a transaction that met a damaged page fails with the same error",
    "BatchWindow.swift:110: isBlocked = false": "a record that is in no batch keeps no other one waiting",
    "BatchTable.swift:121: entries.count < count -> ": "it is about reports of progress, which a relay ignores",
    "BatchTable.swift:291: self.time = time": "the same text is made again",
    "Scheduler.swift:106: invocation.held = []": "it is set again before it is read",
    "text.count > characters -> t": "a shorter text is decoded too, and then counted",
    "BatchTable.swift:218: bytes.reserveCapacity": "it only saves time: the array grows by itself",
    "BatchWindow.swift:168: !ids.isEmpty -> true": "nothing is removed: the same batch is built, and the same search repeated",
    "recent.uncounted > 0 -> true": "adds 0",
    "BatchWindow.swift:256: hasOneMember(user) -> false": "the parser finds the same text, later",
    "Flush.swift:283: undecided += 1": "an ambiguous record fails the batch, whatever was decided on the others",
    "Flush.swift:306: ending == nil -> true": "an ending is not replaced, and nothing is left to withdraw",
    "FlushSchedule.swift:104: retry.endPauseIfOver": "a pause that is over does not lengthen the next one",
    "session.trackedCount > 0 -> true": "without calls there is none with the id",
    "HeaderFramer.swift:151: !partial.isEmpty -> true": "the same message is copied before it is passed on",
    "LineFramer.swift:103: !partial.isEmpty -> true": "the same line is copied before it is reported",
    "LineFramer.swift:130: count > limit -> ": "a line within the limit stays within it without its CR and mark",
    "LineFramer.swift:152: depth = 0": "a message begins only after the one before it has ended",
    "LineFramer.swift:167: depth > 0 -> ": "it is asked only while a message is open",
    "Session.swift:242: call.trackedAs = nil": "a call that is answered is neither tracked nor plain again",
    "SourceFeed.swift:167: pullRetry.endPauseIfOver": "a pause that is over ends before the next one, whose end counts",
    "SourceFeed.swift:296: !records.isEmpty -> true": "without records, nothing is counted and no batch changes",
    "SourceQueue.swift:95: !all.isEmpty -> true": "without records, nothing is recalled or given back",
    "SourceQueue.swift:109: !revoked.isEmpty -> true": "without records, nothing is removed",
    "SourceQueue.swift:230: !waiting.isEmpty -> true": "if nothing waits, the next guard returns nil too",
    "LinkedMessage.swift:50: body.reserveCapacity": "the bytes are the same, only allocated in more steps",
    "Dispatcher.swift:168: retry.endPauseIfOver": "a pause that is over is replaced by the next one, which ends later",
    "Outbox.swift:315: lastLines = nil": "what is added here is no lines, and the last entry shows that",
    "Outbox.swift:348: lastLines == lines -> false": "each line is an entry of its own, in the same order",
    "Outbox.swift:352: lastLines = lines": "each line is an entry of its own, in the same order",
    "Peer.swift:280: calls = []": "a call is answered only once, and the host stops once",
    "Scheduler.swift:164: due.remove": "a call that is away is passed over again each time",
    "Scheduler.swift:248: !holders.isEmpty -> true": "empty tables have no candidate, so the result is the same",
    "PendingRecords.swift:203: previous.isEqual(to: bytes) -> false": "the same text is decoded again",
    "PendingRecords.swift:290: code == SQLITE_OK -> true": "without success there is no statement, which is checked too",
    "RepeatableSaves.swift:94: suite.keys.run?.nextInFile = next": "the same number is looked up again",
    "RepeatableSaves.swift:124: changes.keys > 0 -> true": "none of no rows is removed",
    "RepeatableSaves.swift:193: spare > 0 -> ": "each row has at least one key, which is too many then",
    "RepeatableSaves.swift:304: isFollowed(by: key) -> true":
        "the search for the key has just found that it follows, or has written the run",
    "StagedImport.swift:119: self.before = nil": "the next part begins with the same state",
    "StagedImport.swift:173: range.contains(next) -> true": "as many ids as there are rows were reserved before",
    "SuiteFile.swift:85: configuration.foreignKeysEnabled = false": "no table has a foreign key",
    "SuiteFile.swift:179: knownSecret = secret": "the same secret is read again",
    "SuiteFile.swift:187: stagingStatements = statements": "the statements are prepared for each part of an import",
    "SuiteFile.swift:200: change >= 0 -> change > 0": "0 is standard input, so no file that is opened gets it",
    "SuiteFile.swift:310: stamp == lastStamp -> false": "the files themselves are checked instead, with the same result",
    "SuiteFile.swift:314: lastStamp = stamp.flatMap": "the files themselves are checked the next time, with the same result",
    "Claims.swift:118: total < ids.count -> t": "if all are pending, the list of the missing ones is empty too",
    "FileLock.swift:18: descriptor >= 0 -> descriptor > 0": "0 is standard input, so no file that is opened gets it",
    "Fingerprint.swift:50: words.reserveCapacity": "the array grows by itself",
    "NewSuite.swift:42: found -> true": "the folder is synced once more",
    "NewSuite.swift:64: descriptor >= 0 -> descriptor > 0": "0 is standard input, so no file that is opened gets it",
    "NewSuite.swift:93: csystem_unlock": "the file is removed or a suite, and nobody locks it any more",
    "NewSuite.swift:106: descriptor >= 0 -> true": "no file can be locked or closed by the number -1",
    "NewSuite.swift:108: csystem_unlock": "the file is removed, or its lock belongs to another process",
    "Reserve.swift:66: descriptor >= 0 -> descriptor > 0": "0 is standard input, so no file that is opened gets it",
    "Reserve.swift:81: write(": "this code is compiled for other systems only",
    "SuiteStore.swift:156: !withUnfinishedImports.isEmpty -> true": "an empty list has nothing to sort or remove",
    "SuiteStore.swift:269: isFolderDurable = true": "the parent is synced once more when a suite is made",
    "SuiteSummary.swift:98: configuration.foreignKeysEnabled": "the tables have no foreign keys",
    "JobService.swift:98: retry.endPauseIfOver": "the next attempt is later than a pause that is over",
    "lastSuite.name.text.utf8.elementsEqual(text.utf8) -> false": "the store has the same suite",
    "SaveService.swift:278: lastSuite = suite": "the store finds the same suite",
    "FileDestination.swift:196: descriptor < 0 -> descriptor <= 0":
        "0 is standard input, so no file that is opened gets it",
    "FileDestination.swift:207: descriptor >= 0 -> descriptor > 0":
        "0 is standard input, so no file that is opened gets it",
    "FileDestination.swift:281: block = (-1, [])": "no line is read after that; each batch opens the file again",
    "FlushDryRun.swift:69: !invocation.call.isAnswered -> true": "a call that is answered is not answered again",
    "FlushService.swift:299: !isExpedited -> true": "a flush that is expedited again stays as it is",
}


def written(root, file, kind, original, mistake, promise="", suite=""):
    """A mistake whose text is in one place of a file."""
    text = (root / file).read_text(encoding="utf-8")
    before, original, after = re.fullmatch(r"(?s)(?:(.*)«)?(.*?)(?:»(.*))?", original).groups(default="")
    context = before + original + after
    assert text.count(context) == 1, f"{file}: {context!r} is there {text.count(context)} times"
    place = text.index(context) + len(before)
    start = text.rfind("\n", 0, place) + 1
    return Mutant(file, text.count("\n", 0, place) + 1, place - start, original, mistake, kind, (promise, suite))


def written_mutants(root):
    """The mistakes that are written out: those that were overlooked once, and broken promises."""
    return [*(written(root, *mistake) for mistake in WRITTEN),
            *(written(root, *mistake, promise, suite) for promise, suite, *mistake in BROKEN)]
