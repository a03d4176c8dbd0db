"""Rows about starts, and about two checkouts."""

from .callgrind import counted, readable, total
from .requests import INTERACT, PING, RECEIVE, SAVE, pings, saves
from .rows_flush import flush_copy
from .table import Row
from .tools import ROOT, Failure, build_package, empty_folder, is_static

PYTHON = ["/usr/bin/python3", "-I", "-c", "pass"]


def start(bench):
    # Both contain the Swift runtime, or both load it.
    linked = build_package("links-grdb", static=is_static(bench.operations.built))

    def time(command, request=None):
        return lambda: bench.drive("start", command, bench.size(20), request)["p50_us"] / 1000

    def instructions():
        """Those of a whole run, with one ping and with the end."""
        host = [readable(bench.host[0]), *bench.host[1:], "--data", empty_folder("start")]
        return [
            total(counted(host, pings(1), "start-host")),
            total(counted([readable(linked)], pings(1), "start-linked", answers=False)),
        ]

    ours, python, swift = bench.interleave(time(bench.host, PING), time(PYTHON), time([linked]))
    name = "start to first reply"
    yield Row(name, ours, "`python3 -I -c pass`", python, "ms", "≤1.0")
    counts = bench.counts(instructions)
    yield Row(name, ours, "a Swift binary that links GRDB", swift, "ms", "≤1.2", instructions=counts)


def push(bench):
    payload = ROOT / "plugins" / "match-game" / "payload.apns"

    def time(command):
        return lambda: bench.drive("start", command, bench.size(20))["p50_us"] / 1000

    ours, python = bench.interleave(time([*bench.host, "push", payload]), time(PYTHON))
    yield Row("`push` to the first drawing", ours, "`python3 -I -c pass`", python, "ms")


def sandbox(bench):
    """The first notification, which starts an extension, and a touch; both with and without its sandbox."""
    data = empty_folder("sandbox")
    host = [*bench.host, "--plugins", bench.operations.bundle("register", "sandbox-bundles"), "--data", data]
    free = [*host, "--no-sandbox"]

    def first(command):
        return lambda: bench.drive("start", command, bench.size(50), RECEIVE)["p50_us"] / 1000

    def touch(command):
        count = bench.size(10_000)
        return lambda: bench.drive("roundtrip", command, count, INTERACT, [RECEIVE], take="notification")["p50_us"]

    for name, unit, measure in (("start of host and extension", "ms", first), ("a touch, p50", "µs", touch)):
        ours, theirs = bench.interleave(measure(host), measure(free))
        yield Row(name, ours, "without the sandbox", theirs, unit)


def versus(bench):
    """This host, compared with that of another checkout."""
    if not bench.base:
        raise Failure("versus needs --base, another checkout that was built in release mode")
    hosts = {ROOT: bench.host, bench.base: [str(bench.base / ".build" / "release" / "pushhost")]}
    count = bench.size(300_000)
    requests = saves(count)

    def saving(root):
        return [*hosts[root], "--data", empty_folder("versus")]

    def showing(root):
        return [*saving(root), "--plugins", root / "plugins"]

    def rate(command, **how):
        return lambda root: bench.drive("pipelined", command(root), count, **how)["per_second"]

    def p50(command, request, before, **how):
        return lambda root: bench.drive("roundtrip", command(root), count // 60, request, [before], **how)["p50_us"]

    def flush(root):
        data, _ = bench.filled(count, host=hosts[root])
        delivered, seconds, *_ = flush_copy(bench, hosts[root], root / "plugins", data)
        return delivered / seconds

    def start(root):
        return bench.drive("start", hosts[root], bench.size(20), PING)["p50_us"]

    for name, unit, measure in (
        ("ping, pipelined", "requests/s", rate(saving, request=PING, before=[PING])),
        ("durable save, pipelined", "saves/s", rate(saving, input=requests)),
        (f"flush of {count:,} events of one user", "records/s", flush),
        ("ping, round trip p50", "µs", p50(saving, PING, PING)),
        ("lone save p50", "µs", p50(saving, SAVE, SAVE)),
        ("through an extension, round trip p50", "µs", p50(showing, INTERACT, RECEIVE, take="notification")),
        ("a notification is shown, p50", "µs", p50(showing, RECEIVE, RECEIVE)),
        ("start to first reply, p50", "µs", start),
    ):
        ours, theirs = bench.interleave(*(lambda root=root: measure(root) for root in hosts))
        yield Row(name, ours, "base", theirs, unit)
