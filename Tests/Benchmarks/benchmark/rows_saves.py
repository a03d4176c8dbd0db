"""Rows about saves and what is pending."""

import shutil

from .callgrind import counted, each, readable
from .requests import FLUSH, PENDING, PING, SAVE, pings, saves
from .table import Amount, Row
from .tools import WORK, check, empty_folder, need


def syncs(bench, command, requests):
    """Counts how often a command syncs a file while it serves the requests."""
    counts = WORK / "strace.txt"
    with requests.open() as stdin:
        line = [need("strace", "strace"), "-f", "-c", "-o", counts, "-e", "trace=fsync,fdatasync", *command]
        check(line, stdin=stdin, env=bench.environment)
    rows = [line.split() for line in counts.read_text().splitlines()]
    return sum(int(row[3]) for row in rows if row and row[-1] in ("fsync", "fdatasync"))


def save(bench):
    count, operations = bench.size(300_000), bench.operations
    requests = saves(count)

    def host():
        return [*bench.host, "--data", empty_folder("save")]

    def c():
        return [bench.reference, "save", empty_folder("save") / "bench.sqlite"]

    def rate(command):
        return lambda: bench.drive("pipelined", command(), count, input=requests)["per_second"]

    ours_synced, theirs_synced = (syncs(bench, command(), requests) for command in (host, c))
    ours, theirs = bench.interleave(rate(host), rate(c))
    note = f"syncs {ours_synced} and {theirs_synced}"
    if abs(ours_synced - theirs_synced) > 0.1 * theirs_synced:
        note += ", NOT EQUAL: no fair ratio"
    counts = bench.instructions(operations.save, operations.c_save)
    yield Row("durable save, pipelined", ours, "C", theirs, "saves/s", "≥1.0", note, counts)


def idempotency(bench):
    """Saves with an idempotency key and saves without one."""
    count, operations = bench.size(300_000), bench.operations
    requests = {keys: saves(count, keys=keys) for keys in (None, "counted", "random")}

    def host():
        return [*bench.host, "--data", empty_folder("idempotency")]

    def rate(keys):
        return lambda: bench.drive("pipelined", host(), count, input=requests[keys])["per_second"]

    synced = {keys: syncs(bench, host(), requests[keys]) for keys in requests}
    without, *samples = bench.interleave(*(rate(keys) for keys in requests))
    for keys, ours in zip(("counted", "random"), samples):
        name = f"durable save with an idempotency key, pipelined, {keys} keys"
        note = f"syncs {synced[keys]} and {synced[None]}"
        goal = "≥0.87" if keys == "counted" else ""
        counts = bench.instructions(operations.saved_with(keys), operations.save)
        yield Row(name, ours, "without", without, "saves/s", goal, note, counts)


def record(bench):
    """Pings and saves with --record, compared with the same without."""
    count, operations = bench.size(300_000), bench.operations

    def rate(is_recorded, **how):
        def run():
            data = empty_folder("record")
            options = ["--record", data / "a.session.jsonl"] if is_recorded else []
            return bench.drive("pipelined", [*bench.host, "--data", data, *options], count, **how)["per_second"]

        return run

    for title, how, requests, plain in (
        ("ping", {"request": PING, "before": [PING]}, pings, operations.ping),
        ("durable save", {"input": saves(count)}, saves, operations.save),
    ):
        ours, theirs = bench.interleave(rate(True, **how), rate(False, **how))
        counts = bench.instructions(operations.recorded(title.split()[-1], requests), plain)
        name = f"{title}, pipelined, recorded"
        yield Row(name, ours, "not recorded", theirs, "requests/s", "≥0.9", instructions=counts)


def copied(data, name):
    """A copy of a data folder, which a measurement may change."""
    copy = empty_folder(name)
    shutil.copytree(data, copy, dirs_exist_ok=True)
    return copy


class Pending:
    """Saves into a suite that has records."""

    def __init__(self, bench, amounts):
        self.bench, self.amounts = bench, amounts
        for amount in filter(None, amounts):
            bench.filled(amount)

    def data(self, amount):
        if amount == 0:
            return empty_folder("pending-0")
        folder, _ = self.bench.filled(amount)
        if amount == max(self.amounts) and amount > 100_000:
            return folder  # it grows by the measured records, a few percent
        return self.private(amount)

    def private(self, amount):
        """A copy of the suite, or an empty one."""
        name = f"pending-copy-{amount}"
        return copied(self.bench.filled(amount)[0], name) if amount else empty_folder(name)

    def lone(self, amount):
        command = [*self.bench.host, "--data", self.data(amount)]
        return self.bench.drive("roundtrip", command, self.bench.size(2_000), SAVE, [SAVE])["p50_us"]

    def piped(self, amount):
        command = [*self.bench.host, "--data", self.data(amount)]
        return 1e6 / self.bench.drive("pipelined", command, self.bench.size(20_000), SAVE, [SAVE])["per_second"]

    def each(self, amount):
        """The instructions of a pipelined save."""

        def run(count):
            host = [readable(self.bench.host[0]), *self.bench.host[1:], "--data", self.data(amount)]
            return counted(host, saves(count), f"pending-{amount}-{count}")

        return each(run)

    def beside_none(self, amount):
        return self.bench.counts(lambda: [self.each(amount), self.each(0)])


def pending(bench):
    amounts = (0, bench.size(10_000), bench.size(1_000_000))
    suites = Pending(bench, amounts)
    for name, measure, count in (
        ("lone save", suites.lone, None),
        ("pipelined save", suites.piped, suites.beside_none),
    ):
        none, *others = bench.interleave(*(lambda amount=amount: measure(amount) for amount in amounts))
        for amount, samples, goal in zip(amounts[1:], others, ("", "≤1.1")):
            counts = count(amount) if count else ""
            yield Row(f"{name}, {amount:,} pending", samples, "0 pending", none, "µs", goal, instructions=counts)


def memory(bench):
    count = bench.size(1_000_000)
    data, saving = bench.filled(count)
    yield Amount(f"peak memory, {count:,} pending", saving / 1024, "MiB", "≤40", "saving them")
    for name, request, times in (
        ("reading pages of 1,000", PENDING, 50),
        ("flushing 1,000 at a time", FLUSH, 2),
    ):
        command = [*bench.host, "--data", data]
        peaks = [bench.drive("roundtrip", command, times, request)["peak_kib"] for _ in range(bench.runs)]
        yield Amount(f"peak memory, {count:,} pending", max(peaks) / 1024, "MiB", "≤40", name)
