"""Rows about requests: pipelined, one at a time, through an extension, beside other extensions."""

import json
import plistlib

from .callgrind import WITH_EXTENSIONS
from .requests import INTERACT, PING, RECEIVE
from .table import Row
from .tools import empty_folder

ANSWER = '{"version":"1.0","view":{"type":"text","text":"here"}}'


def ping(bench):
    count, operations = bench.size(300_000), bench.operations

    def rate(command):
        return lambda: bench.drive("pipelined", command, count, PING, [PING])["per_second"]

    ours, theirs = bench.interleave(rate(bench.host), rate([bench.reference, "ping"]))
    counts = bench.instructions(operations.ping, operations.c_ping)
    yield Row("ping, pipelined", ours, "C", theirs, "requests/s", "≥0.8", instructions=counts)


def roundtrip(bench):
    def time(command):
        return lambda: bench.drive("roundtrip", command, bench.size(20_000), PING, [PING])["p50_us"]

    echo = [bench.reference, "echo"]
    ours, theirs = bench.interleave(time(bench.host), time(echo))
    counts = bench.instructions(bench.driven(bench.host, PING, [PING]), bench.driven(echo, PING, [PING]))
    yield Row("ping, round trip p50", ours, "C line echo", theirs, "µs", "≤1.5", instructions=counts)


def private_bundle(folder, name, script):
    """Creates a bundle whose executable is a shell script and whose category is its name."""
    path = folder / name
    path.mkdir(parents=True)
    info = {
        "CFBundleIdentifier": f"com.example.{name}",
        "CFBundleExecutable": "run",
        "NSExtension": {
            "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
            "NSExtensionAttributes": {"UNNotificationExtensionCategory": name},
        },
    }
    (path / "Info.plist").write_bytes(plistlib.dumps(info))
    groups = {"com.apple.security.application-groups": ["bench"]}
    (path / "run.entitlements").write_bytes(plistlib.dumps(groups))
    (path / "run").write_text(f"#!/bin/sh\nexec {script}\n")
    (path / "run").chmod(0o755)


class Interaction:
    """Calls of the field of the `register` bundle, and of a C relay whose child gives the same result."""

    def __init__(self, bench, name):
        self.bench, self.count = bench, bench.size(10_000)
        data = empty_folder(f"{name}-data")
        self.host = [*bench.host, "--plugins", bench.plugins, "--data", data]
        # Both sides carry the same bytes.
        result = empty_folder(f"{name}-relay") / "result.json"
        result.write_text(json.dumps(self.run(self.host, count=1)["reply"]["result"]))
        self.relay = [bench.reference, "relay", bench.reference, "child", result]
        self.request = INTERACT.replace("%s", "00000000-0000-0000-0000-000000000000")

    def run(self, host, before=(), count=None):
        before = [*before, RECEIVE]
        return self.bench.drive("roundtrip", host, count or self.count, INTERACT, before, take="notification")

    def p50(self, host, before=()):
        return lambda: self.run(host, before)["p50_us"]

    def relay_p50(self):
        return self.bench.drive("roundtrip", self.relay, self.count, self.request, [self.request])["p50_us"]

    def instructions(self, before=(), *options):
        """Those of the host and of the relay, without their children."""
        bench = self.bench
        data = empty_folder("interaction-counted")
        plugins = bench.operations.bundle("register", "interaction-bundles")
        host = [*bench.host, *WITH_EXTENSIONS, "--plugins", plugins, "--data", data, *options]
        return bench.instructions(
            bench.driven(host, INTERACT, [*before, RECEIVE], take="notification"),
            bench.driven(self.relay, self.request, [self.request]),
            *(500, 2_500),
        )


def extension(bench):
    interaction = Interaction(bench, "extension")
    ours, theirs = bench.interleave(interaction.p50(interaction.host), interaction.relay_p50)
    counts = interaction.instructions()
    yield Row("through an extension, round trip p50", ours, "C relay", theirs, "µs", "≤2", instructions=counts)


def others(bench, folder, number):
    """Creates bundles whose extensions only run, and returns the notifications that start them."""
    answer = folder / "answer.json"
    answer.write_text(ANSWER)
    names = [f"crowd-{number}" for number in range(number)]
    for name in names:
        private_bundle(folder / "bundles", name, f"{bench.reference} child {answer}")
    (folder / "bundles").mkdir(exist_ok=True)
    return [RECEIVE.replace("lab_register", name) for name in names]


def crowd(bench):
    """The row `extension` while twenty other extensions run."""
    folder, interaction = empty_folder("crowd"), Interaction(bench, "crowd")
    before = others(bench, folder, 20)
    crowded = ["--plugins", folder / "bundles"]
    ours, theirs, few = bench.interleave(
        interaction.p50([*interaction.host, *crowded], before),
        interaction.relay_p50,
        interaction.p50(interaction.host),
    )
    counts = interaction.instructions(before, *crowded)
    name = "through one of 21 extensions, round trip p50"
    yield Row(name, ours, "C relay", theirs, "µs", "≤2", instructions=counts)
    yield Row(name, ours, "alone", few, "µs")


def flood(bench):
    """p99 of a ping while an extension sends notifications without end."""
    count, folder = bench.size(20_000), empty_folder("flood")
    answer = folder / "answer.json"
    answer.write_text(ANSWER)
    for name, script in (
        ("quiet", f"child {answer}"),
        ("logs", f"flood {answer} log"),
        ("saves", f"flood {answer} saveCustomEvent"),
    ):
        private_bundle(folder / "bundles", name, f"{bench.reference} {script}")

    def time(name):
        host = [*bench.host, "--plugins", folder / "bundles", "--data", empty_folder("flood-data")]
        before = [RECEIVE.replace("lab_register", name)]
        return bench.drive("roundtrip", host, count, PING, before)["p99_us"]

    quiet, logs, saves = bench.interleave(*(lambda name=name: time(name) for name in ("quiet", "logs", "saves")))
    yield Row("ping p99 while an extension floods log", logs, "without", quiet, "µs", "≤3")
    yield Row("ping p99 while an extension floods saves", saves, "without", quiet, "µs", "≤3")
