"""Starts a host on files that a crash left, and compares what it finds with what was answered before."""

import json
import sqlite3
from collections import Counter
from pathlib import Path

from history import name_of, saved_name
from hosts import Host

# The totals that a suite keeps, and what they must be.
TOTALS = {
    0: "SELECT count(*) FROM pending WHERE kind = 0",
    1: "SELECT count(*) FROM pending WHERE kind = 1",
    2: "SELECT count(*) FROM pending WHERE kind = 2",
    3: "SELECT count(*) FROM dead_letters",
    4: "SELECT count(*) FROM defaults",
    5: "SELECT coalesce(sum(count), 0) FROM idempotency_keys",
}


def delivered(data):
    """The records in the files of the destination `file`, in their order, and the lines that are no records."""
    records, damaged, ends_whole = [], [], True
    paths = sorted(Path(data).glob("delivered*.jsonl"), key=lambda path: (len(path.name) == 15, len(path.name), path.name))
    for path in paths:
        contents = path.read_bytes()
        lines = contents.split(b"\n")
        if lines.pop():
            ends_whole = False
        for line in lines:
            try:
                records.append(json.loads(line))
            except ValueError:
                damaged.append(line)
                if line is lines[-1]:
                    ends_whole = False
    return records, damaged, ends_whole


def database_problems(path):
    """What is wrong with a suite's file: damage, and totals that differ from what it has."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
        if verdict != "ok":
            yield f"{path.name}: {verdict}"
        for kind, query in TOTALS.items():
            found = database.execute(query).fetchone()[0]
            total = database.execute("SELECT records FROM counters WHERE kind = ?", [kind]).fetchone()[0]
            if found != total:
                yield f"{path.name}: counter {kind} is {total}, and should be {found}"
    except sqlite3.Error as error:
        yield f"{path.name}: {error}"
    finally:
        database.close()


class Audit:
    """What a new host finds in a data folder, and everything in it that contradicts the facts."""

    def __init__(self, program, data, facts):
        self.program, self.data, self.facts = program, data, facts
        self.problems = list(facts.contradictions)
        self.before, self.after = {}, {}
        self.dead, self.dead_after = {}, {}

    def fail(self, text):
        self.problems.append(text)

    def run(self):
        """Checks everything, and returns the problems."""
        self.file_before = Counter(name_of(record) for record in delivered(self.data)[0])
        host = Host(self.program, self.data)
        replies = host.ask(self.requests())
        code = host.finish()
        if code:
            self.fail(f"the host exits with {code}")
        self.read(replies)
        records, damaged, ends_whole = delivered(self.data)
        self.file_after = {}
        for record in records:
            self.file_after.setdefault(name_of(record), []).append(record)
        # The next delivery repairs it.
        if not ends_whole and len(records) > self.file_before.total():
            self.fail("the file of delivered records does not end with a whole line")
        for line in damaged:
            if b"\0" not in line:
                self.fail(f"a line of the delivered records is no record: {line[:200]!r}")
        for name, suite in self.facts.suites.items():
            self.check_suite(name, suite)
        self.check_foreign()
        for path in sorted(Path(self.data).glob("*.sqlite")):
            self.problems += database_problems(path)
        return self.problems

    # What the host is asked

    def requests(self):
        requests = [{"id": "suites", "method": "suites"}]

        def ask(parts, method, **params):
            requests.append({"id": " ".join(parts), "method": method, "params": params})

        for name, suite in self.facts.suites.items():
            ask(["pending", name], "pending", suite=name)
            ask(["dead", name], "deadLetters", suite=name)
            for key in suite.values:
                ask(["value", name, key], "retrieve", suite=name, key=key)
            for key in sorted(suite.keys.keys() - suite.unsure_keys):
                method, params = suite.keys[key]
                ask(["key", name, key], method, **params)
        for name in self.facts.suites:
            ask(["flush", name], "flushPending", suite=name, to="file")
            ask(["pending after", name], "pending", suite=name)
            ask(["dead after", name], "deadLetters", suite=name)
        return requests

    def read(self, replies):
        """Takes the results; an error is a problem."""
        self.results = {}
        for key, reply in replies.items():
            if "error" in reply:
                self.fail(f"{key}: {reply['error']['message']}")
            self.results[key] = reply.get("result")
        for suite in (self.results["suites"] or {"suites": []})["suites"]:
            if "error" in suite:
                self.fail(f"a suite cannot be read: {suite}")
        for name in self.facts.suites:
            for key, target in (("pending", self.before), ("pending after", self.after)):
                target[name] = self.by_name(f"{key} {name}", "records")
            for key, target in (("dead", self.dead), ("dead after", self.dead_after)):
                target[name] = self.by_name(f"{key} {name}", "deadLetters")

    def by_name(self, key, member):
        page = self.results[key] or {member: [], "total": 0}
        if len(page[member]) != page["total"]:
            self.fail(f"{key}: the total is {page['total']}, and {len(page[member])} are listed")
        if any("damagedRecord" in diagnostic.values() for diagnostic in page.get("diagnostics", [])):
            self.fail(f"{key}: {page['diagnostics']}")
        found = {}
        for record in page[member]:
            if found.setdefault(name_of(record), record) is not record:
                self.fail(f"{key}: {name_of(record)} is there twice")
        return found

    # What it must find

    def check_suite(self, name, suite):
        for key in sorted(suite.keys.keys() - suite.unsure_keys):
            self.check_key(f"key {name} {key}", name, suite.records[saved_name(suite.keys[key][1])])
        for record in suite.records.values():
            self.check_record(name, record)
        for key, values in suite.values.items():
            result = self.results[f"value {name} {key}"]
            if result is not None and result["value"] not in values:
                self.fail(f"{name}: the value of {key} is {result['value']}, and should be one of {values}")
        for records in suite.open_imports:
            self.check_import(name, records)
        for found in self.after[name].values():
            record = suite.records.get(name_of(found))
            if not found.get("leased"):
                self.fail(f"{name}: {name_of(found)} is pending after a flush")
            elif record and not record.lease and not suite.may_have_leases:
                self.fail(f"{name}: {name_of(found)} is leased, and nobody took it")
        for found, letter in self.dead_after[name].items():
            old = self.before[name].get(found, {})
            if found not in self.dead[name] and not old.get("possiblySent"):
                self.fail(f"{name}: {found} became a dead letter: {letter['reason']}")

    def is_found(self, suite, name):
        return name in self.before[suite] or name in self.dead[suite]

    def check_key(self, key, suite, record):
        """A repeated save is answered as such if and only if the first one took effect."""
        result = self.results[key]
        if result is None:
            return
        is_repeated = result.get("repeated", False)
        # A save that was not answered is also known from a flush that returned its record, without an id.
        if record.is_sure and not (is_repeated and record.id in (None, result["id"])):
            self.fail(f"{suite}: the repeated save of {record.name}, record {record.id}, was answered {result}")
        if not record.is_sure and not record.may_be and is_repeated:
            self.fail(f"{suite}: {record.name} was refused, and a repeated save of it was answered {result}")
        is_known = self.is_found(suite, record.name) or self.file_before[record.name] > 0
        if is_known and not is_repeated:
            self.fail(f"{suite}: {record.name} is stored, and its key is forgotten")
        if is_repeated and not is_known and not record.is_gone and not record.may_be_gone:
            self.fail(f"{suite}: the key of {record.name} is stored, and the record is not")
        # The repetition was the first save.
        record.is_sure = record.is_sure or not is_repeated

    def check_record(self, suite, record):
        name, lines = record.name, self.file_after.get(record.name, [])
        is_found, count = self.is_found(suite, name), self.file_before[name]
        is_saved_now = record.is_sure and record.answered > self.facts.position and record.id is None
        if not record.is_sure and not record.may_be and (is_found or lines):
            self.fail(f"{suite}: {name} was refused, and is there")
        if record.is_gone and (is_found or len(lines) > count):
            self.fail(f"{suite}: {name} left the suite, and is there again")
        if record.must_be_there and not is_saved_now and not is_found and not count:
            self.fail(f"{suite}: {name} is lost")
        if record.must_be_there and not lines and name not in self.after[suite] and name not in self.dead_after[suite]:
            self.fail(f"{suite}: {name} is lost in a flush")
        # A flush passes over what another client leased meanwhile.
        is_leased = self.before[suite].get(name, {}).get("leased") and (record.lease or self.facts.suites[suite].may_have_leases)
        if record.is_delivered and name in self.before[suite] and not is_leased:
            self.fail(f"{suite}: {name} was delivered, and is pending")
        if count and name in self.before[suite] and not record.may_be_in_flight:
            self.fail(f"{suite}: {name} is pending and delivered")
        if name in self.dead[suite] and not record.is_dead and not record.may_be_dead:
            self.fail(f"{suite}: {name} is a dead letter")
        for line in lines[1:]:
            if not line.get("possiblySent"):
                self.fail(f"{suite}: {name} is delivered {len(lines)} times, and a line does not say so: {line}")
        if any(line["suite"] != suite for line in lines):
            self.fail(f"{suite}: {name} is delivered from another suite: {lines}")

    def check_import(self, suite, records):
        """An import that was not answered took effect as a whole or not at all."""
        if any(record.may_be_gone or record.is_gone for record in records):
            return
        found = [record.name for record in records if self.is_found(suite, record.name) or self.file_before[record.name]]
        if len(found) not in (0, len(records)):
            self.fail(f"{suite}: {len(found)} of {len(records)} records of an import are there")

    def check_foreign(self):
        """Every record that was found is one that somebody saved, in its suite."""
        known = {name for suite in self.facts.suites.values() for name in suite.records}
        for name, suite in self.facts.suites.items():
            for found in {**self.before[name], **self.dead[name], **self.after[name], **self.dead_after[name]}:
                if found not in suite.records:
                    self.fail(f"{name}: nobody saved {found} there")
        for name in self.file_after:
            if name not in known:
                self.fail(f"nobody saved {name}, and it is delivered")
