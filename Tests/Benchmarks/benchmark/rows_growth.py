"""How the cost of one operation grows with what is pending, running, waiting, or in a message."""

import json

from .callgrind import counted, each, readable
from .requests import INTERACT, PENDING, PING, RECEIVE, SAVE, file_of
from .rows_requests import Interaction, others
from .rows_saves import Pending
from .table import Growth
from .tools import empty_folder

SHORT = '{"jsonrpc":"2.0","id":%d,"method":"saveCustomEvent","params":{"suite":"bench","name":"Match won"}}'
PAGE = PENDING.replace("1000", "1")


def grown(bench, subject, sizes, operations, units=None):
    """A row for each operation: its cost at each size, relative to that at the first."""
    labels = [f"{size:,}" for size in sizes] if units is None else units
    for name, unit, measure in operations:
        costs = bench.interleave(*(lambda size=size: measure(size) for size in sizes))
        yield Growth(subject, labels, name, unit, costs)


def growth(bench):
    yield from by_pending(bench)
    yield from by_extensions(bench)
    yield from by_bytes(bench)
    yield from by_waiting(bench)


def by_pending(bench):
    amounts = [1, 100, 10_000, bench.size(1_000_000)]
    suites = Pending(bench, amounts)

    def page(amount):
        command = [*bench.host, "--data", suites.data(amount)]
        return bench.drive("roundtrip", command, bench.size(2_000), PAGE, [PAGE])["p50_us"]

    operations = (
        ("a lone save, p50", "µs", suites.lone),
        ("a pipelined save", "µs", suites.piped),
        ("reading the oldest record, p50", "µs", page),
    )
    yield from grown(bench, "pending records", amounts, operations)
    counts = bench.listed(lambda: [[suites.each(amount)] for amount in amounts])
    if counts:
        labels = [f"{amount:,}" for amount in amounts]
        yield Growth("pending records", labels, "a pipelined save", "instructions", counts)


def by_extensions(bench):
    numbers = [1, 10, 50, 200]
    interaction = Interaction(bench, "growth")
    crowds = {number: empty_folder(f"crowd-{number}") for number in numbers}
    before = {number: others(bench, crowds[number], number - 1) for number in numbers}

    def host(number):
        return [*interaction.host, "--plugins", crowds[number] / "bundles"]

    def interact(number):
        return interaction.run(host(number), before[number], bench.size(5_000))["p50_us"]

    def ping(number):
        return bench.drive("roundtrip", host(number), bench.size(5_000), PING, [*before[number], RECEIVE])["p50_us"]

    operations = (("a call through one of them, p50", "µs", interact), ("a ping, p50", "µs", ping))
    yield from grown(bench, "running extensions", numbers, operations)


def message(size):
    """A save whose line has about so many bytes."""
    if size < len(SAVE):
        return SHORT
    text, shell = "x" * 200, SAVE.replace('{"Score":6}', "%p")
    list = []
    while len(shell) + len(json.dumps({"list": list}, separators=(",", ":"))) + 210 < size:
        missing = size - len(shell) - len(json.dumps({"list": list}, separators=(",", ":")))
        list += [text] * max(missing // 203 - 1, 1)
    properties = {"list": list}
    return shell.replace("%p", json.dumps(properties, separators=(",", ":")))


def by_bytes(bench):
    sizes = {"100 B": 100, "1 KiB": 1 << 10, "10 KiB": 10 << 10, "100 KiB": 100 << 10, "1 MiB": (1 << 20) - 1024}

    def count(size):
        return max(bench.size(min(50_000, 50_000_000 // size)), 5)

    def requests(size, count):
        text = message(size)
        return file_of(f"bytes-{size}", count, lambda _: text)

    def options(size):
        return ["--value-bytes", str(1 << 20), "--data", empty_folder(f"bytes-data-{size}")]

    def save(size):
        command = [*bench.host, *options(size)]
        return 1e6 / bench.drive("pipelined", command, count(size), input=requests(size, count(size)))["per_second"]

    def instructions(size):
        def run(count):
            host = [readable(bench.host[0]), *bench.host[1:], *options(size)]
            return counted(host, requests(size, count), f"bytes-{size}-{count}")

        few, many = (5, 15) if size > 50_000 else (100, 300)
        return [each(run, few, many)]

    subject = "size of a message"
    yield from grown(bench, subject, [*sizes.values()], [("a pipelined save", "µs", save)], [*sizes])
    counts = bench.listed(lambda: [instructions(size) for size in sizes.values()])
    if counts:
        yield Growth(subject, [*sizes], "a pipelined save", "instructions", counts)
        bytes = [[count / size for count in each] for each, size in zip(counts, sizes.values())]
        yield Growth(subject, [*sizes], "a byte of it", "instructions", bytes)


def by_waiting(bench):
    """All calls are sent at once; the extension answers one at a time."""
    numbers = [1, 10, 100, 1_000, bench.size(10_000)]
    interaction = Interaction(bench, "waiting")
    host = [*interaction.host, "--waiting-calls", "10000"]

    def call(number):
        # The fewer calls wait, the more often they are sent, in processes of their own.
        times = max(bench.size(1_000) // number, 1) if number < 1_000 else 1
        runs = [
            bench.drive("pipelined", host, number, INTERACT, [RECEIVE], take="notification")["seconds"]
            for _ in range(min(times, 10))
        ]
        return 1e6 * sum(runs) / len(runs) / number

    yield from grown(bench, "calls that wait for one extension", numbers, [("a call through it", "µs", call)])
