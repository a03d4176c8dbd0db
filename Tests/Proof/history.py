"""What clients asked a host and were answered, and what a host that starts later must therefore find."""

import json
from dataclasses import dataclass, field

NEVER = 1 << 60
SAVES = ("saveCustomEvent", "saveCustomAttribute")
#: The keys under which `removeObject` removes all pending records of a kind.
KINDS = {"pending_custom_events": "customEvent", "pending_custom_attributes": "customAttribute"}
#: What a refused request says if a power loss can bring it back.
DOUBT = "a power loss"


@dataclass
class Request:
    """A request, with the positions in the log at which it was read and answered."""

    id: int
    method: str
    params: dict
    process: int
    #: Its number among all requests, since one read brings in many.
    order: int
    sent: int
    answered: int = NEVER
    result: dict | None = None
    error: dict | None = None
    #: Where the process of its host ends; no effect comes later.
    end: int = NEVER

    @property
    def suite(self):
        return self.params.get("suite")

    def fate(self, position):
        """What is known at a position: `open`, `done`, `refused`, or `doubt` if a refused one may take effect."""
        if self.answered >= position:
            return "open"
        if self.error is None:
            return "done"
        # A flush to a destination that fails has delivered a part.
        is_partial = self.params.get("to") is not None or DOUBT in self.error["message"]
        return "doubt" if is_partial else "refused"


def name_of(record):
    """The name that a save gave a record, of which a dead letter's reason may need a longer one."""
    return (record.get("name") or record.get("key") or "?").split("~")[0]


def saved_name(params):
    """The name that a save gives its record."""
    return params.get("name") or params["key"]


def written_bytes(events):
    """What each write to stdout wrote, by its position: a full pipe takes only a part, and the rest is written again."""
    written, last = {}, {}
    for position, event in enumerate(events):
        if event.kind == "P":
            written[position], last[event.process, event.thread] = event.data, position
        elif event.kind == "Q":
            place = last[event.process, event.thread]
            written[place] = written[place][: len(written[place]) - event.number]
    return written


def requests_in(events):
    """The requests of all processes in a log, in the order in which they were read."""
    requests, inputs, outputs, by_id, ends = [], {}, {}, {}, {}
    written = written_bytes(events)
    for position, event in enumerate(events):
        ends[event.process] = position
        if event.kind == "I":
            lines = (inputs.get(event.process, b"") + event.data).split(b"\n")
            inputs[event.process] = lines.pop()
            for line in filter(None, lines):
                message = json.loads(line)
                params, order = message.get("params", {}), len(requests)
                request = Request(message["id"], message["method"], params, event.process, order, position)
                by_id[request.id] = request
                requests.append(request)
        elif event.kind == "P":
            lines = (outputs.get(event.process, b"") + written[position]).split(b"\n")
            outputs[event.process] = lines.pop()
            for line in filter(None, lines):
                reply = json.loads(line)
                request = by_id[reply["id"]]
                request.answered, request.result, request.error = position, reply.get("result"), reply.get("error")
    for request in requests:
        request.end = ends[request.process]
    return requests


@dataclass
class Record:
    """What a record's requests say about it."""

    name: str
    kind: str
    #: The number and the position of its first save.
    order: int
    sent: int
    process: int
    #: When its save was answered.
    answered: int = NEVER
    #: Whether its save was answered, and whether it may have taken effect.
    is_sure: bool = False
    may_be: bool = False
    #: Whether it certainly left the suite, and whether it may have.
    is_gone: bool = False
    may_be_gone: bool = False
    #: Whether a flush to the file was answered that had it, and whether one may be between claim and settlement.
    is_delivered: bool = False
    #: When that flush was answered.
    delivered: int = NEVER
    may_be_in_flight: bool = False
    #: Whether it was born as a dead letter, and whether it may have become one or be none any more.
    is_dead: bool = False
    may_be_dead: bool = False
    #: Whether a retry may have been too early for it, so that it is still a dead letter.
    may_be_retried: bool = False
    lease: str | None = None
    id: int | None = None

    @property
    def must_be_there(self):
        return self.is_sure and not self.is_gone and not self.may_be_gone


@dataclass
class SuiteFacts:
    """What is known about a suite at a position of the log."""

    records: dict = field(default_factory=dict)
    #: The values that each key may have.
    values: dict = field(default_factory=dict)
    #: The saves with keys: the request's parameters by idempotency key.
    keys: dict = field(default_factory=dict)
    #: The keys that one of several saves may have, and it is unknown which.
    unsure_keys: set = field(default_factory=set)
    #: The records of each import that was not answered: all or none are there.
    open_imports: list = field(default_factory=list)
    may_have_leases: bool = False


class Facts:
    """What is known at a position of the log."""

    def __init__(self, requests, imports, position):
        self.suites, self.imports, self.position = {}, imports, position
        #: Answers that contradict each other.
        self.contradictions = []
        known = [request for request in requests if request.sent < position and request.suite]
        # A flush that waits may also find records whose saves were read later, so all saves come first.
        for request in known:
            self.note_records(request, self.suites.setdefault(request.suite, SuiteFacts()))
        for request in known:
            self.note(request, self.suites[request.suite])

    def note_records(self, request, suite):
        if request.method in SAVES:
            self.note_save(request, request.fate(self.position), suite)
        elif request.method == "importSuite":
            self.note_import(request, request.fate(self.position), suite)

    def note(self, request, suite):
        fate = request.fate(self.position)
        if fate == "refused":
            return
        if request.method == "importSuite":
            for key, value in self.imports[request.params["path"]]["values"].items():
                self.note_value(key, value, fate, suite)
        elif request.method == "flushPending":
            self.note_flush(request, fate, suite)
        elif request.method == "acknowledge":
            for record in suite.records.values():
                if record.lease == request.params["lease"]:
                    self.leaves(record, fate)
        elif request.method in ("store", "removeObject") and request.params["key"] not in KINDS:
            self.note_value(request.params["key"], request.params.get("value"), fate, suite)
        elif request.method in ("removeObject", "resetStorageKeys"):
            kind = KINDS.get(request.params.get("key"))
            for record, is_sure in self.concerned(request, suite):
                if kind in (None, record.kind) and not record.is_dead:
                    self.leaves(record, fate if is_sure else "open")
        elif request.method == "retryDeadLetters":
            for record, is_sure in self.concerned(request, suite):
                is_retried = is_sure and fate == "done"
                record.may_be_retried = (record.may_be_retried or record.is_dead) and not is_retried
                record.may_be_dead = record.may_be_dead or record.is_dead
                record.is_dead = False
        elif request.method == "discardDeadLetters":
            for record, is_sure in self.concerned(request, suite):
                if record.is_dead or record.may_be_dead:
                    self.leaves(record, fate if is_sure and record.is_dead else "open")

    def concerned(self, request, suite):
        """The records that a request may find, and whether it certainly does so."""
        for record in suite.records.values():
            if record.answered < request.sent or (record.process == request.process and record.order < request.order):
                yield record, record.is_sure
            elif record.sent < min(request.answered, request.end):
                yield record, False

    @staticmethod
    def leaves(record, fate):
        if fate == "done" and record.is_sure:
            record.is_gone = True
        else:
            record.may_be_gone = True

    def add(self, request, fate, suite, name, kind):
        record = suite.records.setdefault(name, Record(name, kind, request.order, request.sent, request.process))
        if fate == "done":
            record.is_sure = True
            record.answered = min(record.answered, request.answered)
        elif fate != "refused":
            record.may_be = True
        return record

    def note_save(self, request, fate, suite):
        name = saved_name(request.params)
        kind = "customEvent" if "name" in request.params else "customAttribute"
        record = self.add(request, fate, suite, name, kind)
        if fate == "done":
            record.id = record.id or request.result["id"]
        key = request.params.get("idempotencyKey")
        # What was refused because another save has the key does not own it, and neither may one without an answer.
        if key and fate == "done":
            suite.keys[key] = (request.method, request.params)
            suite.unsure_keys.discard(key)
        elif key and not (request.error and fate == "refused"):
            _, owner = suite.keys.setdefault(key, (request.method, request.params))
            # Its host was killed before an answer, and so was that of this save: either may be the one that was stored.
            if owner != request.params and not suite.records[saved_name(owner)].is_sure:
                suite.unsure_keys.add(key)

    def note_import(self, request, fate, suite):
        contents = self.imports[request.params["path"]]
        records = [self.add(request, fate, suite, name, "customEvent") for name in contents["records"]]
        for name in contents["dead"]:
            records.append(self.add(request, fate, suite, name, "customEvent"))
            records[-1].is_dead = True
        if fate in ("open", "doubt"):
            suite.open_imports.append(records)

    def note_flush(self, request, fate, suite):
        if request.params.get("to"):
            result = request.result if fate == "done" else None
            is_whole = result is not None and "limit" not in request.params and not result.get("held")
            for record, is_sure in self.concerned(request, suite):
                if is_whole and is_sure and not (record.lease or record.is_dead or record.may_be_retried):
                    record.is_delivered, record.delivered = True, min(record.delivered, request.answered)
                elif result is None:
                    record.may_be_in_flight = True
                if result is None or result["rejected"] or result["possiblySent"]:
                    record.may_be_dead = True
            return
        token = request.params.get("lease")
        if fate != "done":
            suite.may_have_leases = suite.may_have_leases or token is not None
            for record, _ in self.concerned(request, suite):
                record.may_be_dead = record.may_be_dead or record.may_be_in_flight
                if token is None:
                    record.may_be_gone = True
            return
        for call in request.result["calls"]:
            record = suite.records[name_of(call)]
            if not record.is_sure and not record.may_be:
                self.contradictions.append(f"{record.name} was refused and then returned by a flush")
            if (record.is_gone or record.lease) and not call.get("possiblySent"):
                self.contradictions.append(f"{record.name} was returned by a second flush")
            if record.delivered < request.sent and not call.get("possiblySent"):
                self.contradictions.append(f"{record.name} was delivered and then returned by a flush")
            record.is_sure = True
            if token is None:
                record.is_gone = True
            else:
                record.lease = request.result["lease"]
        # By their ids, of which a save that was not answered says none.
        letters = request.result.get("deadLetters", [])
        for record in suite.records.values():
            record.may_be_dead = record.may_be_dead or bool(letters) and record.id in [None, *letters]

    @staticmethod
    def note_value(key, value, fate, suite):
        values = suite.values.setdefault(key, [None])
        if fate == "done":
            values.clear()
        values.append(value)
