"""The sessions whose files the proof of power loss records: what clients do with one host or two on a data folder."""

import os
import random
import signal
from pathlib import Path

from hosts import Host

LEASE_SECONDS = 3_600

# How often each step comes, the number of suites, and options; see `Session.step`.
THEMES = {
    "saves": {"steps": {"saves": 8, "take": 2, "lease": 2, "acknowledge": 2, "values": 4}, "suites": 2},
    "suites": {"steps": {"saves": 4, "values": 1, "take": 1, "file": 1}, "suites": 30},
    "file": {"steps": {"saves": 6, "file": 5, "take": 1, "lease": 1}, "suites": 2, "options": ["--deliver-file-bytes", 3000]},
    "keys": {"steps": {"keys": 8, "repeats": 4, "take": 1, "file": 2, "remove": 1}, "suites": 2},
    "large": {"steps": {"large": 6, "file": 1, "take": 1, "remove": 1}, "suites": 1, "steps_count": 40},
    "imports": {"steps": {"imported": 4, "saves": 3, "dead": 3, "take": 1, "file": 2}, "suites": 2},
    "two hosts": {"steps": {"saves": 8, "file": 3, "take": 1, "keys": 3, "repeats": 1, "lease": 1}, "suites": 2, "hosts": 2},
    "failing disk": {"steps": {"saves": 6, "values": 3, "take": 1, "file": 2, "keys": 2, "lease": 1}, "suites": 1, "fails": True},
}


class Session:
    """Runs a session of a theme, and keeps its log and the contents of the files that it imported."""

    def __init__(self, program, recorder, folder, theme, seed, broken=""):
        self.program, self.recorder, self.folder = program, recorder, Path(folder)
        self.theme, self.random, self.broken = THEMES[theme], random.Random(f"{theme} {seed}"), broken
        self.root, self.log = self.folder / "root", self.folder / "log"
        self.root.mkdir()
        self.imports, self.hosts, self.taken = {}, [], 0
        self.suites = [f"s{number}" for number in range(self.theme["suites"])]
        self.keyed, self.leases = [], []
        #: The suites of the requests for a lease, by the requests' ids.
        self.asked = {}

    def run(self):
        count = self.theme.get("steps_count", 60)
        self.hosts = [self.start() for _ in range(self.theme.get("hosts", 1))]
        for number in range(count):
            place = self.random.randrange(len(self.hosts))
            host = self.hosts[place]
            requests = [request for _ in range(self.random.randint(1, 4)) for request in self.step(place)]
            host.send(requests)
            luck = self.random.random()
            if number == count - 1 or luck < 0.06:
                if self.random.random() < 0.5:
                    host.replies(self.random.randint(0, len(host.open)))
                    host.kill(signal.SIGUSR2)
                else:
                    self.note(host.replies())
                    host.finish()
                self.hosts[place] = self.start()
                # What was not answered is repeated first, as a client does that has a key for it.
                self.hosts[place].send([self.again(request) for request in self.keyed if request["id"] in host.open])
            elif luck < 0.85:
                self.note(host.replies())
        for host in self.hosts:
            self.note(host.replies())
            host.finish()

    def start(self):
        environment = {
            "LD_PRELOAD": str(self.recorder),
            "PROOF_ROOT": str(self.root),
            "PROOF_LOG": str(self.log),
            "PROOF_PAUSE": "1000",
            "PROOF_BREAK": self.broken,
        }
        if self.theme.get("fails") and self.random.random() < 0.7:
            environment["PROOF_FAIL"] = f"{self.random.randint(1, 60)},{self.random.choice([1, 1, 2, 3, 1000])}"
        options = [*self.theme.get("options", []), "--retry-base", 1, "--retry-patience", 200]
        return Host(self.program, self.root / "data", *options, environment=environment)

    def note(self, replies):
        """Keeps the leases that were granted."""
        for reply in replies:
            token = (reply.get("result") or {}).get("lease")
            if token:
                self.leases.append((self.asked[reply["id"]], token))

    # Steps

    def request(self, method, **params):
        self.taken += 1
        if "lease" in params and method == "flushPending":
            self.asked[self.taken] = params["suite"]
        return {"id": self.taken, "method": method, "params": params}

    def save(self, suite, **params):
        self.taken += 1
        name = f"{suite}.{self.taken}"
        if self.random.random() < 0.2:
            return self.request("saveCustomAttribute", suite=suite, key=name, value=self.taken, **params)
        # A text of 300 characters is refused, and its record must not be there.
        length = self.random.choice([0, 10, 100, 250] if params else [0, 10, 20, 50, 100, 250, 300])
        properties = {"n": "x" * length}
        return self.request("saveCustomEvent", suite=suite, name=name, properties=properties, **params)

    def step(self, place):
        """The requests of a random step, for one of the hosts."""
        names = list(self.theme["steps"])
        name = self.random.choices(names, [self.theme["steps"][name] for name in names])[0]
        suite = self.random.choice(self.suites)
        return getattr(self, name)(suite, place)

    # The steps: each takes a suite and the number of the host.

    def saves(self, suite, _):
        return [self.save(suite) for _ in range(self.random.choice([1, 1, 2, 5, 20]))]

    def large(self, suite, _):
        properties = {f"p{number}": "x" * 200 for number in range(90)}
        return [
            self.request("saveCustomEvent", suite=suite, name=f"{suite}.{self.taken + 1}", properties=properties)
            for _ in range(self.random.randint(1, 5))
        ]

    def keys(self, suite, _):
        request = self.save(suite, idempotencyKey=f"{self.random.choice('abc')}-{self.taken}")
        self.keyed.append(request)
        return [request]

    def repeats(self, _, __):
        """The same save again, or another one with its key, which is refused."""
        if not self.keyed:
            return []
        old = self.random.choice(self.keyed)
        if self.random.random() < 0.3:
            params = old["params"]
            return [self.save(params["suite"], idempotencyKey=params["idempotencyKey"])]
        return [self.again(old)]

    def again(self, request):
        self.taken += 1
        return {**request, "id": self.taken}

    def take(self, suite, _):
        return [self.request("flushPending", suite=suite, limit=self.random.choice([1, 3, 1000]))]

    def lease(self, suite, _):
        return [self.request("flushPending", suite=suite, limit=self.random.randint(1, 5), lease=LEASE_SECONDS)]

    def acknowledge(self, _, __):
        if not self.leases:
            return []
        suite, token = self.leases.pop(self.random.randrange(len(self.leases)))
        return [self.request("acknowledge", suite=suite, lease=token)]

    def file(self, suite, _):
        limit = {"limit": self.random.randint(1, 10)} if self.random.random() < 0.3 else {}
        return [self.request("flushPending", suite=suite, to="file", **limit)]

    def remove(self, suite, _):
        if self.random.random() < 0.5:
            return [self.request("resetStorageKeys", suite=suite)]
        return [self.request("removeObject", suite=suite, key="pending_custom_events")]

    def values(self, suite, place):
        key = f"{suite}.{place}.{self.random.randrange(4)}"
        if self.random.random() < 0.2:
            return [self.request("removeObject", suite=suite, key=key)]
        return [self.request("store", suite=suite, key=key, value=self.taken)]

    def dead(self, suite, _):
        return [self.request(self.random.choice(["retryDeadLetters", "discardDeadLetters"]), suite=suite)]

    def imported(self, suite, place):
        """Imports a new property list: records, values, and records that break a limit and become dead letters."""
        self.taken += 1
        records = [f"{suite}.{self.taken}.{number}" for number in range(self.random.choice([1, 5, 40]))]
        dead = [f"{suite}.{self.taken}.d{number}" for number in range(self.random.choice([0, 1, 3]))]
        values = {f"{suite}.{place}.{number}": self.taken for number in range(self.random.choice([0, 1, 3]))}
        names = records + [f"{name}~{'x' * 300}" for name in dead]
        events = "".join(f"<dict><key>event_name</key><string>{name}</string></dict>" for name in names)
        pairs = "".join(f"<key>{key}</key><integer>{value}</integer>" for key, value in values.items())
        path = self.folder / f"{self.taken}.plist"
        path.write_text(
            '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>'
            f"<key>pending_custom_events</key><array>{events}</array>{pairs}</dict></plist>",
            encoding="utf-8",
        )
        self.imports[str(path)] = {"records": records, "dead": dead, "values": values}
        return [self.request("importSuite", suite=suite, path=os.fspath(path))]
