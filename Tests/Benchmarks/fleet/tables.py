"""The tables of the page."""

import math

import formulas
from simulation import Simulation

UNITS = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")]


def rounded(value):
    """A number with three significant digits."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{round(value, 2 - math.floor(math.log10(abs(value)))):,.{digits}f}"


def size(count):
    for factor, unit in UNITS:
        if count >= factor:
            return f"{rounded(count / factor)} {unit}"
    return f"{rounded(count)} B"


def seconds(value):
    if value is None:
        return "never"
    return f"{rounded(value)} s" if value < 120 else f"{rounded(value / 60)} min"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def records(i):
    return table(
        ["one record", "bytes"],
        [
            ["host to stream, with its acknowledgement", f"{formulas.publish(i)} + {formulas.acknowledgement(i)}"],
            ["between servers", f"{i.replicas - 1} × {formulas.stored(i)}"],
            ["on the disks while it waits, and in the duplicate window", f"{i.replicas} × {formulas.stored(i)}"],
            ["in memory of each server, in the duplicate window", rounded(i.duplicate_bytes)],
        ],
    )


def fleet(i):
    rate = formulas.rate(i)
    day = i.hosts * i.records_per_day
    return table(
        ["all hosts", ""],
        [
            ["records per day", f"{day:,}"],
            ["records per second in the busiest hour", rounded(rate)],
            ["on the wire from the hosts", size(rate * formulas.publish(i)) + "/s"],
            ["on the wire between servers", size(formulas.replication(i)) + "/s"],
            ["duplicate window, memory of each server", size(formulas.duplicate_memory(i))],
            ["on all disks, delivered and kept", size(formulas.backlog_bytes(i, rate * formulas.kept_time(i)))],
            ["on all disks for each hour without Braze", size(formulas.backlog_bytes(i, rate * 3_600))],
            ["on all disks for a weekend without Braze", size(formulas.backlog_bytes(i, day * 2.5))],
        ],
    )


def throughput(i):
    return table(
        ["limit", "records per second"],
        [
            [f"Braze: {i.requests:,} requests in {i.window:g} s", rounded(formulas.limit_rate(i))],
            [f"{i.relays} relays", f"{i.relays} × {rounded(formulas.relay_rate(i))}"],
            [f"{i.partitions} partitions", f"{i.partitions} × {rounded(formulas.partition_rate(i))}"],
        ],
    )


def outages(i):
    rows = []
    for name, case in {
        f"{i.requests:,} in {i.window:g} s, {i.relays} relays": i,
        f"{i.requests:,} in {i.window:g} s, 1 relay": i.changed(relays=1),
        f"300 in {i.window:g} s, {i.relays} relays": i.changed(requests=300),
        f"60 in {i.window:g} s, {i.relays} relays": i.changed(requests=60),
        f"20 in {i.window:g} s, {i.relays} relays": i.changed(requests=20),
    }.items():
        limits = [formulas.catch_up(case, pause) for pause in (0, case.retry_limit)]
        expected = "never" if limits[0] is None else f"{seconds(limits[0])} to {seconds(limits[1])}"
        result = None if limits[0] is None else Simulation(case, outage=case.outage).run()
        rows.append(
            [
                name,
                rounded(formulas.capacity(case)),
                expected,
                "never" if result is None else seconds(result.recovered - case.outage),
                "" if result is None else rounded(result.peak_backlog),
                "" if result is None else rounded(formulas.most_stored(case, result.recovered)),
            ]
        )
    return table(["requests to Braze", "records/s", "formula", "simulation", "most records that wait", "in the stream"], rows)


def lost_zone(i):
    result = Simulation(i, lost_zone=True).run()
    without, rate = formulas.capacity_without_zone(i), formulas.rate(i)
    return table(
        ["a zone is lost", "formula", "simulation"],
        [
            ["publishing waits for", f"≤ {seconds(i.election)}", ""],
            ["records that hosts keep meanwhile", rounded(formulas.waiting_at_hosts(i)), rounded(result.at_hosts)],
            ["its partitions wait for", f"≤ {seconds(formulas.takeover(i))}", ""],
            ["records in them", rounded(formulas.waiting_for_takeover(i)), rounded(result.peak_backlog)],
            ["the oldest record", f"≤ {seconds(formulas.takeover(i) + i.election)}", seconds(result.oldest)],
            ["everything is delivered after", "", seconds(result.recovered)],
            ["records per second until it is back", rounded(without), ""],
            ["records that may arrive twice", f"≤ {rounded(formulas.possible_doubles(i))}", ""],
            ["to copy when it is back, for each hour", "≤ " + size(rate * 3_600 * formulas.stored(i)), ""],
        ],
    )


def page(i):
    """All tables, with the names under which the page has them."""
    parts = {"record": records, "fleet": fleet, "throughput": throughput, "outage": outages, "zone": lost_zone}
    return "\n\n".join(f"<!-- fleet.py: {name} -->\n{make(i)}\n<!-- end -->" for name, make in parts.items())
