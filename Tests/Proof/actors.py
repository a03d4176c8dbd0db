"""What works on one data folder in the proof of kills: commands and a host, and what each is known to have done."""

import json
import plistlib
import random
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

from history import name_of
from hosts import Hang, Host

SUITE = "group.com.example.kills"
#: The exit code of a command that finds the suite in use, and says to try again.
BUSY = 75
#: An extension that saves an event with the name that the title gives.
EXTENSION = f"""#!{sys.executable}
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "method" not in message or "id" not in message:
        continue
    result = {{"version": "1.0"}} if message["method"] == "activate" else {{}}
    if message["method"] == "didReceive":
        name = message["params"]["request"]["content"]["title"]
        params = {{"name": name, "suite": "{SUITE}", "notification": message["params"]["notification"]}}
        print(json.dumps({{"jsonrpc": "2.0", "id": name, "method": "saveCustomEvent", "params": params}}), flush=True)
        reply = json.loads(sys.stdin.readline())
        assert "result" in reply, reply
        result = {{"view": {{"type": "text", "text": name}}}}
    print(json.dumps({{"jsonrpc": "2.0", "id": message["id"], "result": result}}), flush=True)
"""


def make_bundle(folder):
    """Writes the bundle of the extension."""
    bundle = Path(folder) / "saver"
    bundle.mkdir(parents=True)
    info = {
        "CFBundleIdentifier": "com.example.saver",
        "CFBundleExecutable": "run",
        "NSExtension": {
            "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
            "NSExtensionAttributes": {"UNNotificationExtensionCategory": "saver"},
        },
    }
    (bundle / "Info.plist").write_bytes(plistlib.dumps(info))
    entitlements = {"com.apple.security.application-groups": [SUITE]}
    (bundle / "run.entitlements").write_bytes(plistlib.dumps(entitlements))
    (bundle / "run").write_text(EXTENSION, encoding="utf-8")
    (bundle / "run").chmod(0o755)


class Ledger:
    """What the answers say about the records and values of a data folder. Several actors write into it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.taken = 0
        #: Each record by its name: `open` until its save is answered, then `sure` or `refused`.
        self.records = {}
        #: Records that left the suite, and those that may have.
        self.gone, self.may_be_gone = set(), set()
        #: Records that became dead letters in an import; those that an answered discard had to delete.
        self.dead, self.discarded = set(), set()
        #: The values that each key may have.
        self.values = {}
        #: The name and the id of the record that was saved with a key; the id is `None` until it is known.
        self.keys = {}
        #: The records of imports that were not answered.
        self.open_imports = []
        #: What showed the records: a title, those that were sure before, and the names that it has.
        self.shown = []
        #: Whether a flush was not answered, and whether dead letters may have been retried or discarded.
        self.may_be_in_flight = self.may_be_retried = self.may_be_discarded = False
        self.problems = []

    def name(self, kind):
        with self.lock:
            self.taken += 1
            return f"{kind}.{self.taken}"

    def open(self, *names):
        with self.lock:
            self.records.update((name, "open") for name in names)

    def sure(self, *names):
        with self.lock:
            self.records.update((name, "sure") for name in names)

    def sure_now(self):
        with self.lock:
            return {name for name, state in self.records.items() if state == "sure"}

    def fail(self, text):
        with self.lock:
            self.problems.append(text)


class Command:
    """Runs one command again and again; `make` returns its words and what its output means."""

    def __init__(self, round_, make, dice):
        self.round, self.ledger, self.make, self.dice = round_, round_.ledger, make, dice
        self.is_stopped = self.is_killed = False
        self.process, self.is_running = None, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.is_stopped:
            words, done = self.make(self)
            command = [self.round.program, *map(str, words), "--data", self.round.data, *self.round.options]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, text=True, start_new_session=True, cwd="/")
            self.is_running.set()
            # The host of a killed command holds stderr until it ends.
            output, errors = self.process.communicate()
            if self.process.returncode == 0:
                done(output)
            elif not self.is_killed and self.process.returncode != BUSY:
                said = f"{output}{errors}".strip()[:1000]
                self.ledger.fail(f"{' '.join(command[1:3])} ended with {self.process.returncode}: {said}")

    def victims(self):
        """The processes that may be killed: the command, or its host, which are in one session."""
        pid = self.process.pid
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
        except (FileNotFoundError, ProcessLookupError):
            children = []
        return [[pid], *([int(child)] for child in children), [pid, *map(int, children)]]

    def join(self):
        self.is_stopped = True
        self.thread.join()


# The commands

def save(actor):
    ledger, name = actor.ledger, actor.ledger.name("e")
    ledger.open(name)
    key = f"key-{name}" if actor.dice.random() < 0.5 else None
    if key:
        ledger.keys[key] = (name, None)

    def done(output):
        ledger.sure(name)
        if key:
            ledger.keys[key] = (name, json.loads(output)["id"])

    return ["save", "event", name, "--suite", SUITE, "--json", *(["--idempotency-key", key] if key else [])], done


def push(actor):
    name = actor.ledger.name("p")
    actor.ledger.open(name)
    payload = actor.round.folder / f"{name}.apns"
    payload.write_text(json.dumps({"aps": {"category": "saver", "alert": {"title": name}}}), encoding="utf-8")
    return ["push", payload, "--plugins", actor.round.plugins], lambda _: actor.ledger.sure(name)


def flush(actor):
    # Without an answer the batch of that moment may have been written, and settled or not.
    actor.ledger.may_be_in_flight = True
    return ["flush", "--to", "file", "--json"], lambda _: None


def write_import(path, records, dead, values):
    names = records + [f"{name}~{'x' * 300}" for name in dead]
    path.write_bytes(plistlib.dumps({"pending_custom_events": [{"event_name": name} for name in names], **values}))


def import_(actor):
    ledger, path = actor.ledger, actor.round.folder / f"{actor.ledger.name('i')}.plist"
    records = [f"{path.stem}.{number}" for number in range(actor.dice.choice([1, 5, 40]))]
    dead = [f"{path.stem}.d{number}" for number in range(actor.dice.choice([0, 1, 3]))]
    write_import(path, records, dead, {path.stem: 1})
    with ledger.lock:
        ledger.dead.update(dead)
        # A discard that began before may see them.
        ledger.may_be_gone.update(dead if ledger.may_be_discarded else [])
        ledger.values[path.stem] = [None, 1]
        ledger.open_imports.append(records + dead)
    ledger.open(*records, *dead)

    def done(_):
        ledger.sure(*records, *dead)
        ledger.values[path.stem] = [1]

    return ["import", path, "--suite", SUITE, "--json"], done


def shows(actor, title, words, names):
    """A command that shows records: `names` finds them in its output."""
    before = actor.ledger.sure_now()
    return words, lambda output: actor.ledger.shown.append((title, before, set(names(output))))


def lines(output):
    return [name_of(json.loads(line)) for line in output.splitlines()]


def pending(actor):
    return shows(actor, "pending", ["pending", "--json"], lines)


def export(actor):
    path = actor.round.folder / f"{actor.ledger.name('x')}.export"
    actor.round.exports.append(path)
    return shows(actor, "export", ["export", path, "--suite", SUITE], lambda _: exported(path))


def exported(path):
    events = plistlib.loads(path.read_bytes()).get("pending_custom_events", [])
    return [event["event_name"].split("~")[0] for event in events]


def backup(actor):
    path = actor.round.folder / f"{actor.ledger.name('b')}.backup"
    actor.round.backups.append(path)
    return shows(actor, f"backup {path.name}", ["backup", path], lambda _: actor.round.names_in(path))


def dead_letters(_):
    return ["dead-letters", "--json"], lines


def retry(actor):
    actor.ledger.may_be_retried = True
    return ["dead-letters", "retry", "--all"], lambda _: None


def discard(actor):
    ledger = actor.ledger
    with ledger.lock:
        ledger.may_be_discarded = True
        ledger.may_be_gone.update(ledger.dead)
        before = {name for name in ledger.dead if ledger.records.get(name) == "sure"}
    return ["dead-letters", "discard", "--all"], lambda _: ledger.discarded.update(before)


def suites(_):
    return ["suites", "--json"], lambda output: [json.loads(line) for line in output.splitlines()]


def doctor(_):
    return ["doctor", "--to", "file"], lambda _: None


class Serve:
    """A host that one client asks, several requests at once."""

    def __init__(self, round_, _, dice):
        self.round, self.ledger, self.dice = round_, round_.ledger, dice
        self.is_stopped = self.is_killed = False
        self.asked, self.leases, self.number = {}, [], 0
        self.host = Host(round_.program, round_.data, *round_.options)
        self.process, self.is_running = self.host.process, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            while not self.is_stopped:
                self.host.send([self.request() for _ in range(self.dice.randint(1, 20))])
                self.is_running.set()
                if self.dice.random() < 0.8:
                    for reply in self.host.replies():
                        self.note(reply)
            for reply in self.host.replies():
                self.note(reply)
            if self.host.finish() != 0 and not self.is_killed:
                self.ledger.fail("a host that was not killed failed")
        except Hang as error:
            if not self.is_killed:
                return self.ledger.fail(f"serve: {error}")
            for line in self.host.finish_killed().split(b"\n")[:-1]:
                self.note(json.loads(line))

    def request(self):
        self.number += 1
        method, params, name, luck = "saveCustomEvent", {"suite": SUITE}, None, self.dice.random()
        if luck < 0.7:
            name = params["name"] = self.ledger.name("h")
            self.ledger.open(name)
            if luck < 0.2:
                params["idempotencyKey"] = f"key-{name}"
                self.ledger.keys[params["idempotencyKey"]] = (name, None)
        elif luck < 0.8:
            method, params["key"], params["value"] = "store", f"value.{id(self)}", self.number
            self.ledger.values.setdefault(params["key"], [None]).append(self.number)
        elif luck < 0.9 and self.leases:
            method, (params["lease"], names) = "acknowledge", self.leases.pop()
            self.ledger.may_be_gone.update(names)
            name = names
        elif luck < 0.95:
            method, params["limit"], params["lease"] = "flushPending", 3, 3600
        else:
            method, params["to"], self.ledger.may_be_in_flight = "flushPending", "file", True
        self.asked[self.number] = method, params, name
        return {"id": self.number, "method": method, "params": params}

    def note(self, reply):
        method, params, name = self.asked[reply["id"]]
        result = reply.get("result")
        if result is None:
            if reply["error"]["data"]["reason"] not in ("suiteBusy", "flushBusy"):
                self.ledger.fail(f"serve: {method}: {reply['error']['message']}")
            elif method == "saveCustomEvent":
                self.ledger.records[name] = "refused"
        elif method == "saveCustomEvent":
            self.ledger.sure(name)
            if "idempotencyKey" in params:
                self.ledger.keys[params["idempotencyKey"]] = (name, result["id"])
        elif method == "store":
            values = self.ledger.values[params["key"]]
            del values[: values.index(params["value"])]
        elif method == "acknowledge":
            self.ledger.gone.update(name)
        elif "lease" in result:
            names = [name_of(call) for call in result["calls"]]
            again = [one for one, count in Counter(names).items() if count > 1 or one in self.ledger.gone]
            if again:
                self.ledger.fail(f"a flush returned again: {again}")
            self.leases.append((result["lease"], names))

    def victims(self):
        return [[self.process.pid]]

    def join(self):
        self.is_stopped = True
        self.thread.join()


COMMANDS = {
    "save": save, "push": push, "flush": flush, "import": import_, "export": export, "backup": backup, "pending": pending,
    "suites": suites, "doctor": doctor, "dead-letters": dead_letters, "dead-letters retry": retry,
    "dead-letters discard": discard,
}


def start(name, round_, seed):
    """Starts the actor with a name."""
    kind = Serve if name == "serve" else Command
    return kind(round_, COMMANDS.get(name), random.Random(seed))
